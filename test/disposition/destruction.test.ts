import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Tx } from '../../server/kernel/database/database.ts'
import { watchDisclosed } from '../../server/features/retention/disposition/queue.store.ts'
import { verifyStation } from '../../server/features/integrity/verification/verify.ts'
import { fileOfRows } from '../support/rows.ts'
import { ed25519PublicKey } from '../../server/kernel/ledger/signed-note.ts'
import type { BlobStore } from '../../server/storage/types.ts'
import type { HttpCall } from '../../server/http/handlers.ts'
import { DAY, deletedBy, HOUR, makeWorld, signer, type World } from './world.ts'

let world: World
let one: HttpCall
let two: HttpCall
beforeAll(async () => {
  world = await makeWorld()
  one = await world.person()
  two = await world.person()
})
afterAll(() => world?.close())

/** Due evidence of its own rule, in the queue. */
async function due(given: { bytes?: string } = {}) {
  const made = await world.evidence({ categoryId: await world.category(30), ...given })
  await world.pass(31 * DAY)
  const item = await world.itemOf(made.id)
  if (item === undefined) throw new Error('it did not come into the queue')
  return { ...made, itemId: item.item_id }
}
async function approved(given: { bytes?: string } = {}) {
  const made = await due(given)
  await world.approve(one, made.itemId)
  await world.approve(two, made.itemId)
  return made
}
const code = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'done',
    (error: { code?: string; reason?: string; message: string }) => error.reason ?? error.code ?? error.message,
  )

describe('destruction', () => {
  it('takes two people, a cooling-off and the recycle bin, and not an hour less', async () => {
    const { id, itemId, sha256 } = await due()
    await world.pass(400 * DAY)
    await world.approve(one, itemId)
    await world.pass(400 * DAY)
    expect([await world.isDestroyed(id), world.hasBytes(sha256)]).toEqual([false, true])
    await world.approve(two, itemId)
    await world.pass(71 * HOUR)
    expect((await world.itemOf(id))?.stage).toBe('cooling')
    await world.pass(2 * HOUR)
    expect((await world.itemOf(id))?.stage).toBe('bin')
    await world.pass(7 * DAY - HOUR)
    expect([await world.isDestroyed(id), world.hasBytes(sha256)]).toEqual([false, true])
    await world.pass(2 * HOUR)
    expect([await world.isDestroyed(id), world.hasBytes(sha256)]).toEqual([true, false])
    expect(await world.differences()).toEqual([])
  })

  it('leaves a tombstone, and of what was said about the evidence nothing in any live table', async () => {
    const { id, resourceId } = await approved()
    await world.db.transaction(async (tx) => {
      const set = { start_source: 'person' as const, container_start_utc: '2026-11-20T21:14:03' }
      await tx.updateTable('evidence').set(set).where('evidence_id', '=', id).execute()
      await tx
        .updateTable('resources')
        .set({ camera_sha256: 'a'.repeat(64) })
        .where('evidence_id', '=', id)
        .execute()
    })
    await world.pass(80 * HOUR)
    await world.pass(8 * DAY)
    expect(await world.isDestroyed(id)).toBe(true)
    const rows = await Promise.all([
      world.db.read.selectFrom('evidence').selectAll().where('evidence_id', '=', id).execute(),
      world.db.read.selectFrom('resources').selectAll().where('evidence_id', '=', id).execute(),
      world.db.read.selectFrom('evidence_tags').selectAll().where('evidence_id', '=', id).execute(),
      world.db.read.selectFrom('evidence_list').selectAll().where('evidence_id', '=', id).execute(),
      world.db.read
        .selectFrom('versions')
        .selectAll()
        .where('entity', '=', 'evidence')
        .where('entity_id', '=', id)
        .execute(),
      world.db.read
        .selectFrom('versions')
        .selectAll()
        .where('entity', '=', 'resource')
        .where('entity_id', '=', resourceId)
        .execute(),
    ])
    expect(rows.map((some) => some.length)).toEqual([1, 1, 0, 0, expect.any(Number), expect.any(Number)])
    expect(rows[0]).toMatchObject([{ start_utc: null, start_source: null, container_start_utc: null }])
    expect(rows[1]).toMatchObject([{ sha256: null, camera_sha256: null }])
    expect(JSON.stringify(rows, (_, value) => (typeof value === 'bigint' ? String(value) : value))).not.toContain(
      'ecret',
    )
    await expect(world.setEvidence(id, { lifecycle_state: 'None' })).rejects.toThrow('destroyed')
    await expect(world.link(await world.caseOf(null), id)).rejects.toThrow('destroyed')
  })

  it('gives a certificate that openssl and sha256sum check, and that the ledger holds', async () => {
    const { id, sha256, itemId } = await approved()
    await world.pass(80 * HOUR)
    await world.pass(8 * DAY)
    const row = (await world.certificates()).find((found) => found.evidence_id === id)
    if (row === undefined) throw new Error('there is no certificate')
    const file = (name: string, bytes: Uint8Array | string): string => {
      const place = path.join(world.dir, name)
      writeFileSync(place, bytes)
      return place
    }
    const body = file('certificate.json', row.body)
    const signature = file('certificate.sig', row.signature)
    const key = file('key.pem', ed25519PublicKey(row.public_key).export({ type: 'spki', format: 'pem' }) as string)
    const openssl = (of: string): string =>
      execFileSync(
        'openssl',
        ['pkeyutl', '-verify', '-pubin', '-inkey', key, '-rawin', '-in', of, '-sigfile', signature],
        { encoding: 'utf8' },
      )
    expect(openssl(body)).toContain('Verified Successfully')
    expect(execFileSync('sha256sum', [body], { encoding: 'utf8' }).slice(0, 64)).toBe(row.sha256)
    const changed = file('changed.json', readFileSync(body, 'utf8').replace('"days":30', '"days":29'))
    expect(() => openssl(changed)).toThrow()
    const said = JSON.parse(readFileSync(body, 'utf8'))
    expect(said).toMatchObject({
      certificateId: String(row.certificate_id),
      evidence: { id: String(id), name: 'A secret name' },
      rule: { kind: 'Category', days: 30 },
      approvals: [
        { by: { PrincipalId: one.actor.id } },
        { by: { PrincipalId: two.actor.id }, reason: 'Retention reached' },
      ],
      files: [{ sha256, bytes: 36, kept: false }],
    })
    const about = (await world.entries()).filter(
      ({ object }) => object.type === 'disposition' && object.id === String(itemId),
    )
    expect(about.map(({ action }) => action)).toEqual([
      'disposition.queued',
      'disposition.approved',
      'disposition.approved',
      'disposition.binned',
    ])
    const entry = (await world.entries()).find(
      ({ action, object }) => action === 'evidence.destroyed' && object.id === String(id),
    )
    expect(entry).toMatchObject({
      sha256: row.sha256,
      bytes: 36,
      actor: { kind: 'internal' },
      detail: { certificate: said },
    })
    await expect(
      world.db.transaction((tx) => tx.updateTable('certificates').set({ files: 2 }).execute()),
    ).rejects.toThrow('for ever')
    await expect(world.db.transaction((tx) => tx.deleteFrom('certificates').execute())).rejects.toThrow('for ever')
  })

  it('keeps bytes that other evidence has too, until the last of them goes', async () => {
    const bytes = 'the very same bytes'
    const first = await approved({ bytes })
    const second = await world.evidence({ categoryId: await world.category(null), bytes })
    await world.pass(80 * HOUR)
    await world.pass(8 * DAY)
    expect([await world.isDestroyed(first.id), world.hasBytes(first.sha256)]).toEqual([true, true])
    expect(await world.differences()).toEqual([])
    await world.setEvidence(second.id, {
      lifecycle_state: 'Deleted',
      deleted_utc: world.now(),
      deleted_by: deletedBy(await world.person()),
    })
    await world.pass(8 * DAY)
    const item = await world.itemOf(second.id)
    await world.approve(one, item?.item_id as number)
    await world.approve(two, item?.item_id as number)
    await world.pass(80 * HOUR)
    await world.pass(8 * DAY)
    expect([await world.isDestroyed(second.id), world.hasBytes(first.sha256)]).toEqual([true, false])
    const kept = (await world.certificates()).flatMap((row) => JSON.parse(Buffer.from(row.body).toString()).files)
    expect(kept.filter((part) => part.sha256 === first.sha256).map((part) => part.kept)).toEqual([true, false])
  })

  it('leaves the station whole: the ledger and every blob verify', async () => {
    const report = await verifyStation({
      db: world.db,
      file: await fileOfRows(world.file),
      publicKeys: [signer.publicKey],
      outside: [],
      blobs: world.store,
      fast: false,
      signal: new AbortController().signal,
    })
    // The world puts its categories and cases into the tables itself; no act made them, and verification says so.
    const planted = report.problems.filter(({ what }) => /^(?:category|case) \d+$/.test(what))
    expect(planted.length).toBeGreaterThan(0)
    expect(report.problems.filter((problem) => !planted.includes(problem))).toEqual([])
  })
})

describe('a crash', () => {
  const crashing: Pick<BlobStore, 'remove'> = { remove: () => Promise.reject(new Error('the power went')) }

  it('between the commit and the files: the next start removes them, and nothing else', async () => {
    const made = await approved()
    const other = await world.evidence({})
    await world.pass(80 * HOUR)
    world.clock.advance(8 * DAY)
    const dying = world.disposed(crashing)
    // Another run, which has not believed the clock for an hour yet.
    await dying.step()
    expect(await world.isDestroyed(made.id)).toBe(false)
    world.clock.advance(2 * HOUR)
    await dying.step().catch(() => {})
    expect([await world.isDestroyed(made.id), world.hasBytes(made.sha256)]).toEqual([true, true])
    expect(await world.disposed().recover()).toBe(1)
    expect([world.hasBytes(made.sha256), world.hasBytes(other.sha256)]).toEqual([false, true])
    expect(await world.disposed().recover()).toBe(0)
    expect(await world.differences()).toEqual([])
  })

  it('before the commit: nothing happened, and it goes at the next time', async () => {
    const made = await approved()
    await world.pass(80 * HOUR)
    world.clock.advance(8 * DAY)
    const broken = world.disposed(world.store, () => {
      throw new Error('the process ended')
    })
    world.clock.advance(2 * HOUR)
    expect(await broken.step()).toBe(0)
    expect([await world.isDestroyed(made.id), world.hasBytes(made.sha256)]).toEqual([false, true])
    expect(JSON.stringify(await world.db.read.selectFrom('resources').select('name').execute())).toContain('secret.bin')
    await world.pass(HOUR)
    expect([await world.isDestroyed(made.id), world.hasBytes(made.sha256)]).toEqual([true, false])
  })

  it('and whoever brings the same bytes meanwhile keeps them', async () => {
    const bytes = `brought again ${Math.random()}`
    const made = await approved({ bytes })
    await world.pass(80 * HOUR)
    const placed = await world.store.place(await world.staged(bytes))
    await world.pass(8 * DAY)
    // Destroyed, but somebody is about to give these bytes a row.
    expect([await world.isDestroyed(made.id), world.hasBytes(made.sha256)]).toEqual([true, true])
    await world.db.transaction((tx) =>
      tx
        .insertInto('blobs')
        .values({ sha256: placed.sha256, length: placed.length, read_back: 'cache', created_utc: world.now() })
        .execute(),
    )
    await world.store.confirm(placed)
    await world.pass(HOUR)
    expect(world.hasBytes(made.sha256)).toBe(true)
    expect(await world.db.read.selectFrom('destroyed_blobs').selectAll().execute()).toEqual([])
    expect(await world.differences()).toEqual([])
  })
})

/** A record that the evidence was given to somebody, as the station writes it. */
async function disclosed(
  tx: Tx,
  caseId: number,
  { id, resourceId }: { id: number; resourceId: number },
): Promise<void> {
  const { disclosure_id: disclosureId } = await tx
    .insertInto('disclosures')
    .values({
      tenant_id: world.tenant,
      case_id: caseId,
      no: 1,
      chain: 1,
      supersedes: null,
      reason: '',
      recipient_name: 'A. Mercer',
      recipient_role: 'defence',
      recipient_organisation: '',
      authority: 'x',
      request_number: '',
      request_date: null,
      request_due: null,
      package_id: null,
      package_sha256: null,
      package_bytes: null,
      medium: 'handover',
      medium_serial: '',
      given_utc: world.now(),
      given_by: '{}',
    })
    .returning('disclosure_id')
    .executeTakeFirstOrThrow()
  await tx
    .insertInto('disclosure_items')
    .values({
      disclosure_id: disclosureId,
      resource_id: resourceId,
      evidence_id: id,
      kind: 'original',
      number: 1,
      name: 'a',
      sha256: 'a'.repeat(64),
      length: 1,
      version: 'a',
    })
    .execute()
}

describe('races', () => {
  it('one person approving twice at once is one approval', async () => {
    const { itemId } = await due()
    const ids = [String(itemId)]
    const { PreviewId } = await world.service.preview(one, world.tenant, ids)
    const given = { reason: 'twice', previewId: PreviewId }
    const ends = await Promise.all([1, 2, 3].map(() => code(world.service.approve(one, world.tenant, ids, given))))
    expect(ends.toSorted()).toEqual([
      'CannotApproveDisposition:ApprovedAlready',
      'CannotApproveDisposition:ApprovedAlready',
      'done',
    ])
  })

  it('of two approvers at once the second has to look again', async () => {
    const { id, itemId } = await due()
    const ids = [String(itemId)]
    const { PreviewId } = await world.service.preview(one, world.tenant, ids)
    const given = { reason: 'both', previewId: PreviewId }
    const ends = await Promise.all([one, two].map((who) => code(world.service.approve(who, world.tenant, ids, given))))
    expect(ends).toEqual(['done', 'PreviewOutdated'])
    await world.approve(two, itemId)
    expect((await world.itemOf(id))?.stage).toBe('cooling')
  })

  it('a hold that appears after the preview refuses the approval; after the approvals it sends the evidence back', async () => {
    const categoryId = await world.category(30)
    const made = await world.evidence({})
    const caseId = await world.caseOf(categoryId)
    await world.link(caseId, made.id)
    await world.setCase(caseId, { state: 'Closed', closed_on: world.now() })
    await world.pass(31 * DAY)
    const item = await world.itemOf(made.id)
    const ids = [String(item?.item_id)]
    const { PreviewId } = await world.service.preview(one, world.tenant, ids)
    await world.setCase(caseId, { lifecycle_state: 'Protected' })
    const given = { reason: 'late', previewId: PreviewId }
    expect(await code(world.service.approve(one, world.tenant, ids, given))).toBe('PreviewOutdated')
    expect(await code(world.approve(one, item?.item_id as number))).toBe('NothingToDestroy')
    await world.setCase(caseId, { lifecycle_state: 'Normal' })
    await world.approve(one, item?.item_id as number)
    await world.approve(two, item?.item_id as number)
    await world.pass(80 * HOUR)
    // Reopened in the recycle bin; nobody looks until the very moment of destruction.
    await world.setCase(caseId, { state: 'Open', closed_on: null })
    world.clock.advance(8 * DAY)
    await world.disposition.step()
    expect([await world.isDestroyed(made.id), await world.itemOf(made.id)]).toEqual([false, undefined])
    const back = (await world.entries()).filter(({ action }) => action === 'disposition.returned').at(-1)
    expect(back?.detail).toEqual({ evidence: [{ id: String(made.id), why: [`CaseOpen:${caseId}`] }] })
  })

  it('what was disclosed stays until the case of the disclosure is closed, though it is in that case no more', async () => {
    const { id, itemId } = await due()
    const disclosedIn = await world.caseOf(null)
    const [{ resource_id: resourceId } = { resource_id: 0 }] = await world.db.read
      .selectFrom('resources')
      .select('resource_id')
      .where('evidence_id', '=', id)
      .execute()
    await world.db.transaction((tx) => disclosed(tx, disclosedIn, { id, resourceId }))
    const { Stays } = await world.service.preview(one, world.tenant, [String(itemId)])
    expect(Stays.Items[0]?.Holds).toMatchObject([{ Code: 'Disclosed', CaseId: String(disclosedIn) }])
    expect(await code(world.approve(one, itemId))).toBe('NothingToDestroy')
    await world.pass(DAY)
    await world.setCase(disclosedIn, { state: 'Closed', closed_on: world.now() })
    // No trigger of the case finds what is in it no more: the station looks at it when the case is closed.
    await world.db.transaction((tx) => watchDisclosed(tx, disclosedIn))
    await world.pass(HOUR)
    const again = await world.itemOf(id)
    await world.approve(one, again?.item_id as number)
    await world.approve(two, again?.item_id as number)
    await world.pass(80 * HOUR)
    // Reopened in the recycle bin: it is held at the very moment of destruction.
    await world.setCase(disclosedIn, { state: 'Open', closed_on: null })
    await world.pass(8 * DAY)
    expect(await world.isDestroyed(id)).toBe(false)
  })

  it('keep instead, in the recycle bin: it is in no queue until that time is over, and then needs both again', async () => {
    const { id, itemId } = await approved()
    await world.pass(80 * HOUR)
    await world.service.keep(two, world.tenant, [String(itemId)], { reason: 'An appeal is expected', days: 100 })
    await world.pass(99 * DAY)
    expect(await world.itemOf(id)).toBeUndefined()
    await world.pass(2 * DAY)
    const again = await world.itemOf(id)
    expect([again?.stage, again?.item_id === itemId]).toEqual(['waiting', false])
    expect(await world.isDestroyed(id)).toBe(false)
  })

  it('a clock that jumps suspends the steps for a day', async () => {
    const { id } = await approved()
    await world.pass(HOUR)
    world.clock.set(world.clock.now() + 30 * DAY)
    await world.pass(HOUR)
    await world.pass(22 * HOUR)
    expect((await world.itemOf(id))?.stage).toBe('cooling')
    await world.pass(2 * HOUR)
    expect((await world.itemOf(id))?.stage).toBe('bin')
  })
})

describe('S19: by a clock that is not that of the other nodes', () => {
  it('nothing goes on or becomes due, and it is not steady enough for an approval', async () => {
    const { id } = await approved()
    const categoryId = await world.category(30)
    const other = await world.evidence({ categoryId })
    world.nodes.clockIsRight = false
    await world.pass(40 * DAY)
    expect((await world.itemOf(id))?.stage).toBe('cooling')
    expect(await world.itemOf(other.id)).toBeUndefined()
    expect(world.disposition.clockIsSteady()).toBe(false)
    world.nodes.clockIsRight = true
    await world.pass(HOUR)
    expect((await world.itemOf(id))?.stage).toBe('bin')
    expect((await world.itemOf(other.id))?.stage).toBe('waiting')
    expect(world.disposition.clockIsSteady()).toBe(true)
  })
})

describe('S19: everything is asked again before each file goes', () => {
  /** Three files in one item that two people let go, an hour after their time in the recycle bin. */
  async function threeInBin() {
    const categoryId = await world.category(30)
    const first = await world.evidence({ categoryId })
    const second = await world.evidence({ categoryId })
    const third = await world.evidence({ categoryId })
    await world.pass(31 * DAY)
    const itemId = (await world.itemOf(first.id))?.item_id as number
    expect((await world.itemOf(second.id))?.item_id).toBe(itemId)
    await world.approve(one, itemId)
    await world.approve(two, itemId)
    await world.pass(73 * HOUR)
    world.clock.advance(7 * DAY + HOUR)
    const destroyed = () => Promise.all([first, second, third].map(({ id }) => world.isDestroyed(id)))
    return { second, itemId, destroyed }
  }
  /** A run of the station in which something happens while the bytes of the first file are removed. */
  async function stepWith(meanwhile: () => Promise<void>): Promise<void> {
    let happened = false
    const disposition = world.disposed({
      remove: async (sha256, isNamed) => {
        if (!happened) {
          happened = true
          await meanwhile()
        }
        return world.store.remove(sha256, isNamed)
      },
    })
    await disposition.step()
    world.clock.advance(2 * HOUR)
    await disposition.step()
    expect(happened).toBe(true)
  }

  it('S19: all files of an item go, and the item ends with the last of them', async () => {
    const { second, itemId, destroyed } = await threeInBin()
    await stepWith(async () => {
      expect((await world.itemOf(second.id))?.item_id).toBe(itemId)
    })
    expect(await destroyed()).toEqual([true, true, true])
    expect((await world.items()).map((item) => item.item_id)).not.toContain(itemId)
  })

  it('S19: a file that left its item meanwhile stays, though nothing else keeps it any more', async () => {
    const { second, destroyed } = await threeInBin()
    await stepWith(async () => {
      await world.setEvidence(second.id, { lifecycle_state: 'Protected' })
      await world.disposition.sortDue()
      await world.setEvidence(second.id, { lifecycle_state: 'None' })
    })
    expect(await destroyed()).toEqual([true, false, true])
  })

  it('S19: what is due by another rule than the one that was approved stays', async () => {
    const { id, itemId } = await approved()
    await world.pass(80 * HOUR)
    const days = 20
    await world.setEvidence(id, { category_id: await world.category(days) })
    world.clock.advance(8 * DAY)
    await world.disposition.step()
    expect(await world.isDestroyed(id)).toBe(false)
    await world.pass(HOUR)
    const again = await world.itemOf(id)
    expect([again?.stage, again?.item_id === itemId]).toEqual(['waiting', false])
  })

  it('S19: a clock that is set back meanwhile stops the rest', async () => {
    const { destroyed } = await threeInBin()
    await stepWith(async () => world.clock.set(world.clock.now() - 4 * HOUR))
    expect(await destroyed()).toEqual([true, false, false])
    // Until the clock is believed again.
    await world.pass(HOUR)
    await world.pass(DAY + HOUR)
    expect(await destroyed()).toEqual([true, true, true])
  })

  it('S19: what stands in the recycle bin with one approval stays', async () => {
    const { id, itemId } = await due()
    await world.approve(one, itemId)
    await world.db.transaction((tx) =>
      tx
        .updateTable('disposition_items')
        .set({ stage: 'bin', next_at: world.clock.now() })
        .where('item_id', '=', itemId)
        .execute(),
    )
    await world.pass(DAY)
    expect(await world.isDestroyed(id)).toBe(false)
    await world.service.keep(one, world.tenant, [String(itemId)], { reason: 'It should not be there', days: 1 })
  })

  it('S19: a file that a job works on waits for the job', async () => {
    const { id, resourceId } = await approved()
    const setJob = (state: 'running' | 'done') =>
      world.db.transaction((tx) =>
        tx.updateTable('jobs').set({ state }).where('subject', '=', `resource:${resourceId}`).execute(),
      )
    await world.pass(80 * HOUR)
    await setJob('running')
    await world.pass(8 * DAY)
    expect(await world.isDestroyed(id)).toBe(false)
    await setJob('done')
    await world.pass(HOUR)
    expect(await world.isDestroyed(id)).toBe(true)
  })

  it('S19: a retention of a source counts in its own tenant alone', async () => {
    const sourceId = `camera ${Math.random()}`
    await world.db.transaction((tx) =>
      tx.insertInto('tenants').values({ tenant_id: 'elsewhere', name_key: 'elsewhere', created_utc: '' }).execute(),
    )
    await world.source({ source_id: sourceId }, null, 'elsewhere')
    const made = await world.evidence({ categoryId: await world.category(30), sourceId })
    const unclassified = await world.evidence({ sourceId })
    await world.pass(31 * DAY)
    expect((await world.itemOf(made.id))?.stage).toBe('waiting')
    expect(await world.itemOf(unclassified.id)).toBeUndefined()
  })

  it('S19: a category that names none keeps, whatever its text', async () => {
    const category = await world.category(30)
    const texts = [`0${category}`, `${category}.0`, '', 'none', '9007199254740993']
    const made = await Promise.all(texts.map((categoryId) => world.evidence({ categoryId })))
    await world.pass(4000 * DAY)
    for (const { id } of made) expect(await world.itemOf(id)).toBeUndefined()
  })

  it('S19: an item and an evidence are found by their very id', async () => {
    const { id, itemId } = await due()
    for (const other of [`0${itemId}`, `${itemId}.0`, '999999'])
      expect(await code(world.service.preview(one, world.tenant, [other]))).toBe('DispositionItemNotFound')
    for (const other of [`0${id}`, '999999'])
      expect(await code(world.service.settleLinks(one, world.tenant, other, 'looked'))).toBe('EvidenceNotFound')
  })
})

describe('approvers', () => {
  it('neither who asked nor an account of theirs, nor two of one hand, nor a program', async () => {
    const requester = await world.person()
    const made = await world.evidence({ categoryId: await world.category(null) })
    await world.setEvidence(made.id, {
      lifecycle_state: 'Deleted',
      deleted_utc: world.now(),
      deleted_by: deletedBy(requester),
    })
    await world.pass(6 * DAY)
    expect(await world.itemOf(made.id)).toBeUndefined()
    await world.pass(2 * DAY)
    const item = (await world.itemOf(made.id))?.item_id as number
    const child = await world.person(`user:${requester.actor.id}`)
    const grandchild = await world.person(
      `service:${(await world.person(`user:${child.actor.id}`, 'service')).actor.id}`,
    )
    const refused = 'CannotApproveDisposition:'
    expect(await code(world.approve(requester, item))).toBe(`${refused}Requested`)
    expect(await code(world.approve(child, item))).toBe(`${refused}MadeByRequester`)
    expect(await code(world.approve(grandchild, item))).toBe(`${refused}MadeByRequester`)
    expect(await code(world.approve(await world.person('cli:x', 'service'), item))).toBe(`${refused}NotAPerson`)
    expect(await code(world.approve(one, item))).toBe('done')
    const mine = await world.person(`user:${one.actor.id}`)
    expect(await code(world.approve(mine, item))).toBe(`${refused}MadeByApprover`)
    const boss = await world.person()
    const made2 = await world.person(`user:${boss.actor.id}`)
    expect(await code(world.approve(made2, item))).toBe('done')
    expect(await code(world.approve(boss, item))).toBe('DispositionNotWaiting')
  })
})
