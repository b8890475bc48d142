// @module-tag merge
import { chmodSync, existsSync, mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import type { Json } from '../support/given.ts'
import { signIn } from '../support/integrator.ts'
import {
  completeEvidence,
  forwarded,
  HEADQUARTERS,
  importInto,
  someBytes,
  twoStations,
  until,
  type World,
} from './world.ts'

describe('B7 the clear rule', () => {
  let world: World
  beforeAll(async () => {
    world = await twoStations()
    await importInto(world)
  })
  afterAll(() => world.close())

  const blobFile = (sha256: string): string =>
    path.join(world.station.data, 'blobs', sha256.slice(0, 2), sha256.slice(2, 4), sha256)
  const stateOf = (evidenceId: string): Promise<Json> =>
    world.station.expecting(
      200,
      world.station.call('GET', `${world.station.documents}/evidence/${evidenceId}/forwarding`),
    )
  const rules = (more: object) => world.administrator('PUT', `${HEADQUARTERS}/rules`, { Everything: true, ...more })
  const rounds = async (): Promise<void> => {
    // Two rounds of the rule: what could be cleared would be.
    for (let at = 0; at < 2; at++) {
      await rules({ ClearAfterDays: 0 })
      await new Promise((resolve) => setTimeout(resolve, 2500))
    }
  }
  const cleared = (evidenceId: string): Promise<Json> =>
    until('the local copy', async () => {
      const { Resources } = await stateOf(evidenceId)
      return Resources[0]?.ClearedTimeUtc === null || !Resources[0] ? null : Resources[0]
    })
  const settledEvidence = async (bytes: Buffer, body: Record<string, unknown>) => {
    const made = await completeEvidence(world.station, bytes, body)
    await world.station.settled(made.evidenceId)
    await forwarded(world, made.evidenceId)
    return made
  }

  it('leaves what is under a hold, protected, or not confirmed, and clears the rest', async () => {
    const free = await settledEvidence(someBytes(300_000, 11), { Name: 'free' })
    const held = await settledEvidence(someBytes(300_000, 12), { Name: 'in an open case' })
    const kept = await settledEvidence(someBytes(300_000, 13), { Name: 'protected' })
    const { connection } = await world.station.command('integration.create', {
      name: 'cases',
      policies: ['CreateCases', 'ProtectFromDeletion'],
      group: 'Account Administrators',
      baseUrl: world.station.url,
    })
    const token = await signIn(connection, world.station.url)
    const made = await world.station.call('POST', '/api/v1/case/station', { token, body: { Title: 'Open case' } })
    await world.station.meddle((db) => {
      db.prepare(
        "INSERT INTO case_links (case_id, evidence_id, kind, confirmed, rule, linked_on, linked_by) VALUES (?, ?, 'Manual', 1, NULL, '2026-11-20T00:00:00Z', '{}')",
      ).run(Number(made.json.CaseId), Number(held.evidenceId))
      db.prepare("UPDATE evidence SET lifecycle_state = 'Protected' WHERE evidence_id = ?").run(Number(kept.evidenceId))
    })
    await rules({ ClearAfterDays: 0 })
    const receipt = await cleared(free.evidenceId)
    await until('the file', () => !existsSync(blobFile(free.sha256)))
    await rounds()
    expect(existsSync(blobFile(held.sha256))).toBe(true)
    expect(existsSync(blobFile(kept.sha256))).toBe(true)
    expect((await stateOf(held.evidenceId)).Resources[0].ClearedTimeUtc).toBeNull()
    expect((await stateOf(kept.evidenceId)).Resources[0].ClearedTimeUtc).toBeNull()
    expect(
      world.station
        .ledger()
        .filter(({ action }) => action === 'resource.cleared')
        .map(({ object }) => object.id),
    ).toEqual([free.resourceId])
    expect(receipt.Address).toBe(world.headquarters.url)
  })

  it('is not asked about what has no receipt', async () => {
    await world.administrator('PUT', `${HEADQUARTERS}/rules`, { Paused: true, Everything: true, ClearAfterDays: 0 })
    const made = await completeEvidence(world.station, someBytes(200_000, 14), { Name: 'waits' })
    await new Promise((resolve) => setTimeout(resolve, 2500))
    expect(existsSync(blobFile(made.sha256))).toBe(true)
  })

  it('leaves metadata, and a clear word in place of the bytes; verify and fixity name what is forwarded', async () => {
    const list = await world.station.expecting(
      200,
      world.station.call('GET', `${world.station.documents}/evidence?text=free`),
    )
    const { EvidenceId } = list.Items[0]
    const { Resources } = await stateOf(EvidenceId)
    const [{ ResourceId }] = Resources
    const content = `${world.station.documents}/evidence/${EvidenceId}/resource/${ResourceId}/content`
    const refused = await world.station.call('GET', content)
    expect([refused.status, refused.json.ErrorCode]).toEqual([409, 'OriginalForwarded'])
    expect(refused.json.Message).toContain(world.headquarters.url)
    const check = await world.station.call(
      'POST',
      `${world.station.documents}/evidence/${EvidenceId}/resource/${ResourceId}/check`,
    )
    expect([check.status, check.json.ErrorCode]).toEqual([409, 'OriginalForwarded'])

    const report = await world.station.command('verify', { fast: false })
    const bad = report.problems.filter(
      (one: Json) => one.kind === 'missing' || one.kind === 'changed' || one.kind === 'untracked',
    )
    expect(bad).toEqual([])
    expect(report.forwarded).toEqual({ blobs: 1, bytes: 300_000, addresses: [world.headquarters.url] })
    expect(report.summary).toContain('1 original is forwarded')
    expect((await world.administrator('GET', '/api/v1/tenant/station/keeping')).Fixity).toMatchObject({
      BlobsForwarded: 1,
      BytesForwarded: 300_000,
      BlobsBad: 0,
    })
    await world.administrator('POST', '/api/v1/tenant/station/keeping/run')
    await until(
      'the reading',
      async () => (await world.administrator('GET', '/api/v1/tenant/station/keeping')).Fixity.LastRun?.State === 'done',
    )
    expect((await world.administrator('GET', '/api/v1/tenant/station/keeping')).Fixity.BlobsBad).toBe(0)
  })

  it('a row that nobody wrote with an entry does not hide a missing file from verify', async () => {
    const [sha256] = (await world.station.database((db) =>
      db
        .prepare(
          'SELECT sha256 FROM forwarding_receipts WHERE sha256 NOT IN (SELECT sha256 FROM forwarded_blobs) LIMIT 1',
        )
        .pluck()
        .all(),
    )) as string[]
    await world.station.meddle((db) => {
      db.prepare(
        'INSERT INTO forwarded_blobs (sha256, length, resource_id, cleared_utc, removed) SELECT sha256, length, resource_id, confirmed_utc, 1 FROM forwarding_receipts WHERE sha256 = ?',
      ).run(sha256 as string)
    })
    const report = await world.station.command('verify', { fast: true })
    expect(report.problems.some((one: Json) => `${one.what} ${one.message}`.includes('forwarded_blobs'))).toBe(true)
    await world.station.meddle(
      (db) => void db.prepare('DELETE FROM forwarded_blobs WHERE sha256 = ?').run(sha256 as string),
    )
  })

  it('a snapshot names them as forwarded, and restores for trial without a problem about them', async () => {
    const to = path.join(world.station.dir, 'snapshots')
    mkdirSync(to)
    const made = await world.station.command('backup', { to, passphrase: null })
    expect(made.manifest.blobs).toMatchObject({ damaged: [], forwarded: { count: 1, bytes: 300_000 } })
    const drill = await world.station.command('drill', { from: to, sample: 100 })
    expect(drill.problems.filter((one: string) => one.startsWith('Blob'))).toEqual([])
  })

  it('headquarters cannot be removed while the bytes are there only', async () => {
    expect(await world.administrator('DELETE', `${HEADQUARTERS}/connection`)).toMatchObject({
      status: 409,
      ErrorCode: 'HeadquartersNeeded',
    })
  })

  it('the bytes are fetched on demand, hashed, and stay for a week', async () => {
    const list = await world.station.expecting(
      200,
      world.station.call('GET', `${world.station.documents}/evidence?text=free`),
    )
    const { EvidenceId } = list.Items[0]
    const [{ ResourceId, Sha256 }] = (await stateOf(EvidenceId)).Resources
    const asked = await world.station.call(
      'POST',
      `${world.station.documents}/evidence/${EvidenceId}/resource/${ResourceId}/fetch`,
    )
    expect(asked.status).toBe(202)
    await until('the bytes', async () => (await stateOf(EvidenceId)).Resources[0].ClearedTimeUtc === null)
    const content = await world.station.call(
      'GET',
      `${world.station.documents}/evidence/${EvidenceId}/resource/${ResourceId}/content`,
    )
    expect(Buffer.from(content.bytes).equals(someBytes(300_000, 11))).toBe(true)
    expect(world.station.ledger().find(({ action }) => action === 'resource.fetched')).toMatchObject({
      sha256: Sha256,
      bytes: 300_000,
    })
    await rounds()
    expect(existsSync(blobFile(Sha256))).toBe(true)
    const again = await world.station.call(
      'POST',
      `${world.station.documents}/evidence/${EvidenceId}/resource/${ResourceId}/fetch`,
    )
    expect([again.status, again.json.Resources[0].Fetching]).toEqual([202, false])
  })

  it('leaves what headquarters found damaged when it last read it, until it is whole there again', async () => {
    await rules({ ClearAfterDays: null })
    const made = await settledEvidence(someBytes(300_000, 15), { Name: 'damaged at headquarters' })
    const [{ RemoteEvidenceId, RemoteResourceId }] = (await stateOf(made.evidenceId)).Resources
    const there = path.join(
      world.headquarters.data,
      'blobs',
      made.sha256.slice(0, 2),
      made.sha256.slice(2, 4),
      made.sha256,
    )
    const check = async (result: string): Promise<void> => {
      const { headquarters, connection } = world
      const token = await signIn(connection as never, headquarters.url)
      const resource = `${headquarters.documents}/evidence/${RemoteEvidenceId}/resource/${RemoteResourceId}`
      await headquarters.expecting(202, headquarters.call('POST', `${resource}/check`, { token }))
      await until(`the check to say ${result}`, async () => {
        const { json } = await headquarters.call('GET', resource, { token })
        return json.LastCheck?.Result === result && json.LastCheck.Kind === 'requested'
      })
    }
    chmodSync(there, 0o600)
    writeFileSync(there, someBytes(300_000, 16))
    await check('changed')
    await rounds()
    expect(existsSync(blobFile(made.sha256))).toBe(true)
    expect((await stateOf(made.evidenceId)).Resources[0].ClearedTimeUtc).toBeNull()
    writeFileSync(there, someBytes(300_000, 15))
    await check('matches')
    await rules({ ClearAfterDays: 0 })
    await cleared(made.evidenceId)
    await until('the file', () => !existsSync(blobFile(made.sha256)))
  })

  // The last one: after it this station clears nothing for a day.
  it('clears nothing by a clock that jumped', async () => {
    const { sha256 } = await settledEvidence(someBytes(300_000, 10), { Name: 'not a week old' })
    const now = Date.now.bind(Date)
    vi.spyOn(Date, 'now').mockImplementation(() => now() + 8 * 86_400_000)
    try {
      for (let round = 0; round < 2; round++) {
        await rules({ ClearAfterDays: 7 })
        await new Promise((resolve) => setTimeout(resolve, 2500))
      }
    } finally {
      vi.restoreAllMocks()
    }
    expect(existsSync(blobFile(sha256))).toBe(true)
  })
})
