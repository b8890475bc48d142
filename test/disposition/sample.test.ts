/** Sample data is destroyed at once and without approvals, and nothing else is (decisions 33, promise I10). */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { verifyStation } from '../../server/features/integrity/verification/verify.ts'
import type { HttpCall } from '../../server/http/handlers.ts'
import { fileOfRows } from '../support/rows.ts'
import { DAY, makeWorld, signer, type World } from './world.ts'

let world: World
let clerk: HttpCall
beforeAll(async () => {
  world = await makeWorld()
  clerk = await world.person()
})
afterAll(() => world?.close())

/** As the job that adds it writes it. */
const marked = (kind: 'evidence' | 'case', id: number, resourceId?: number): Promise<void> =>
  world.db.transaction(async (tx) => {
    await world.ledger.append(tx, clerk, {
      action: 'sample.added',
      object: { type: kind, id: String(id), name: '' },
      detail: resourceId === undefined ? {} : { resourceId: String(resourceId) },
    })
  })
async function sample() {
  const made = await world.evidence()
  await marked('evidence', made.id, made.resourceId)
  return made
}
const destroy = (id: number): Promise<string> =>
  world.db
    .transaction((tx) => world.disposition.destroySample(tx, clerk, id))
    .catch((error: { code?: string; message: string }) => `${error.code}: ${error.message}`)
const stays = async ({ id, sha256 }: { id: number; sha256: string }): Promise<void> => {
  await world.disposition.removeFiles()
  expect([await world.isDestroyed(id), world.hasBytes(sha256)]).toEqual([false, true])
}

describe('sample evidence', () => {
  it('goes at once, with a certificate that names the rule and nobody who agreed', async () => {
    const made = await sample()
    expect(await destroy(made.id)).toBe('destroyed')
    expect(await world.disposition.removeFiles()).toBe(1)
    expect([await world.isDestroyed(made.id), world.hasBytes(made.sha256)]).toEqual([true, false])
    const { body } = (await world.certificates()).at(-1) as { body: Uint8Array }
    expect(JSON.parse(Buffer.from(body).toString('utf8'))).toMatchObject({
      evidence: { id: String(made.id) },
      rule: { kind: 'Sample', id: null, days: 0 },
      approvals: [],
      requestedBy: { PrincipalId: clerk.actor.id },
    })
    expect(await world.items()).toEqual([])
    expect(await world.differences()).toEqual([])
    expect(await destroy(made.id)).toBe('gone')
  })

  it('leaves the queue that it stood in, and the other evidence in it', async () => {
    const category = await world.category(30)
    const made = await world.evidence({ categoryId: category })
    await marked('evidence', made.id, made.resourceId)
    const other = await world.evidence({ categoryId: category })
    await world.pass(31 * DAY)
    const item = await world.itemOf(made.id)
    expect((await world.itemOf(other.id))?.item_id).toBe(item?.item_id)
    expect(await destroy(made.id)).toBe('destroyed')
    expect(await world.itemOf(made.id)).toBeUndefined()
    expect((await world.itemOf(other.id))?.item_id).toBe(item?.item_id)
    await stays(other)
  })

  it('waits while a job works on it', async () => {
    const made = await sample()
    const subject = `resource:${made.resourceId}`
    const set = (state: 'queued' | 'done') =>
      world.db.transaction((tx) => tx.updateTable('jobs').set({ state }).where('subject', '=', subject).execute())
    await set('queued')
    expect(await destroy(made.id)).toBe('busy')
    await stays(made)
    await set('done')
    expect(await destroy(made.id)).toBe('destroyed')
  })
})

describe('nothing else', () => {
  it('evidence that the ledger does not name as added sample data, whatever it is called and tagged', async () => {
    const made = await world.evidence({ name: 'Sample: not one' })
    expect(await destroy(made.id)).toMatch(/^SampleDataRefused: .* was not added as sample data/)
    // Neither does an entry of another object with its number.
    await marked('case', made.id)
    expect(await destroy(made.id)).toMatch(/^SampleDataRefused: .* was not added as sample data/)
    await stays(made)
  })

  it('sample evidence with a file of somebody', async () => {
    const made = await world.evidence()
    await marked('evidence', made.id, made.resourceId + 1_000)
    expect(await destroy(made.id)).toMatch(/^SampleDataRefused: Somebody added a file/)
    await stays(made)
  })

  it('sample evidence that is protected, in a protected case, or kept by a decision', async () => {
    const [own, inCase, kept] = [await sample(), await sample(), await sample()]
    await world.setEvidence(own.id, { lifecycle_state: 'Protected' })
    const caseId = await world.caseOf(null)
    await world.link(caseId, inCase.id)
    // An open case holds real evidence, and not this.
    await world.setCase(caseId, { lifecycle_state: 'Protected' })
    await world.db.transaction((tx) =>
      tx
        .insertInto('disposition_keeps')
        .values({
          evidence_id: kept.id,
          until_at: world.clock.now() + DAY,
          reason: 'r',
          kept_utc: world.now(),
          kept_by: '{}',
        })
        .execute(),
    )
    for (const made of [own, inCase, kept]) {
      expect(await destroy(made.id)).toMatch(/^SampleDataRefused: .* is protected, or somebody decided to keep it/)
      await stays(made)
    }
    await world.setCase(caseId, { lifecycle_state: 'Normal' })
    expect(await destroy(inCase.id)).toBe('destroyed')
  })
})

describe('I3+: verification', () => {
  it('accepts that a case is gone only when it was added as sample data', async () => {
    const append = (id: number, action: 'case.created' | 'case.destroyed'): Promise<void> =>
      world.db.transaction(async (tx) => {
        await world.ledger.append(tx, clerk, {
          action,
          object: { type: 'case', id: String(id), name: '' },
          detail: { concurrencyId: '' },
        })
      })
    const [real, added] = [900_001, 900_002]
    for (const id of [real, added]) {
      await append(id, 'case.created')
      if (id === added) await marked('case', id)
      await append(id, 'case.destroyed')
    }
    const { problems } = await verifyStation({
      db: world.db,
      file: await fileOfRows(world.file),
      publicKeys: [signer.publicKey],
      outside: [],
      blobs: world.store,
      fast: false,
      signal: new AbortController().signal,
    })
    const gone = problems.filter(({ message }) => message.includes('it is gone')).map(({ what }) => what)
    expect(gone).toEqual([`case ${real}`])
  })
})
