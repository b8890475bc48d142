import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Database, Tx } from '../../../server/kernel/database/database.ts'
import { openTestDatabase } from '../../support/rows.ts'
import { type Given, givenStation, type Json, sha256Of } from '../../support/given.ts'
import { blockId, blocksOf, signIn } from '../../support/integrator.ts'
import { slowly } from '../../support/slowly.ts'

/** U7: authority is asked again when the bytes are in. 36 cases: why it is gone, how the bytes came, what the uploader claims of them. */
let given: Given
let db: Database
let uploader: { id: number; token: string }
let maker: string
beforeAll(async () => {
  given = await givenStation()
  db = await openTestDatabase({ file: given.file })
  const connection = await given.integration('uploads into cases')
  uploader = { id: Number(connection.ServicePrincipalId), token: await signIn(connection, given.url) }
  maker = await signIn(await given.integration('makes cases', ['CreateCases']), given.url)
})
afterAll(async () => {
  await db.close()
  await given.close()
})

interface World {
  readonly evidence: number
  readonly case: number
}
interface Reason {
  readonly name: string
  /** How the uploader has Edit. */
  readonly before: (tx: Tx, world: World) => Promise<unknown>
  readonly gone: (tx: Tx, world: World) => Promise<unknown>
}

const onEvidence =
  (level: string) =>
  (tx: Tx, { evidence }: World) =>
    tx
      .insertInto('evidence_policies')
      .values({ evidence_id: evidence, principal_id: uploader.id, level, expires_utc: null, expires_ticks: null })
      .onConflict((conflict) => conflict.columns(['evidence_id', 'principal_id']).doUpdateSet({ level }))
      .execute()
const onCase = (principal: () => number) => async (tx: Tx, world: World) => {
  await tx
    .insertInto('case_policies')
    .values({ case_id: world.case, principal_id: principal(), level: 'Edit', expires_utc: null, expires_ticks: null })
    .execute()
  await tx
    .insertInto('case_links')
    .values({
      case_id: world.case,
      evidence_id: world.evidence,
      kind: 'Manual',
      confirmed: 1,
      rule: null,
      linked_on: '2026-11-20T02:00:00.000Z',
      linked_by: '{}',
    })
    .execute()
}
const changeCase = (set: Partial<{ state: 'Closed'; lifecycle_state: 'Deleted' }>) => (tx: Tx, world: World) =>
  tx.updateTable('cases').set(set).where('case_id', '=', world.case).execute()
const enabled = (to: 0 | 1) => (tx: Tx) =>
  tx.updateTable('principals').set({ enabled: to }).where('principal_id', '=', uploader.id).execute()
const unassociated = (level: string | null) => async (tx: Tx) => {
  await tx.deleteFrom('policy_members').where('principal_id', '=', uploader.id).execute()
  if (level !== null)
    await tx
      .insertInto('policy_members')
      .values({ policy: 'AccessUnassociatedFiles', principal_id: uploader.id, level })
      .execute()
}
const administrators = (tx: Tx) =>
  tx.selectFrom('principals').select('principal_id').where('built_in', '=', 1).executeTakeFirstOrThrow()
/** Through a group that has Edit on the case. */
const byGroup = async (tx: Tx, world: World) => {
  const { principal_id: group } = await administrators(tx)
  await tx.insertInto('memberships').values({ group_id: group, member_id: uploader.id }).execute()
  // The group is in every policy, which is no matter here: the evidence is in a case.
  await onCase(() => group)(tx, world)
}
const outOfGroup = (tx: Tx) => tx.deleteFrom('memberships').where('member_id', '=', uploader.id).execute()
const direct = onCase(() => uploader.id)

const REASONS: readonly Reason[] = [
  { name: 'the uploader was disabled', before: onEvidence('Edit'), gone: enabled(0) },
  { name: 'the policy on the evidence was lowered', before: onEvidence('Edit'), gone: onEvidence('View') },
  {
    name: 'the policy on the evidence ran out',
    before: onEvidence('Manage'),
    gone: (tx, { evidence }) =>
      tx
        .updateTable('evidence_policies')
        .set({ expires_utc: '2020-01-01T00:00:00Z', expires_ticks: 15_778_368_000_000_000n })
        .where('evidence_id', '=', evidence)
        .where('principal_id', '=', uploader.id)
        .execute(),
  },
  {
    name: 'the policy on the case was taken back',
    before: direct,
    gone: (tx, world) =>
      tx
        .deleteFrom('case_policies')
        .where('case_id', '=', world.case)
        .where('principal_id', '=', uploader.id)
        .execute(),
  },
  { name: 'the uploader left the group', before: byGroup, gone: outOfGroup },
  { name: 'the case was closed', before: direct, gone: changeCase({ state: 'Closed' }) },
  { name: 'the case was deleted', before: direct, gone: changeCase({ lifecycle_state: 'Deleted' }) },
  {
    name: 'the evidence was taken out of the case',
    before: direct,
    gone: (tx, { evidence }) => tx.deleteFrom('case_links').where('evidence_id', '=', evidence).execute(),
  },
  { name: 'the security policy was taken back', before: unassociated('Edit'), gone: unassociated('View') },
]

const upload = async (uri: string, bytes: Buffer, way: string): Promise<void> => {
  if (way === 'whole') return given.put(uri, bytes)
  for (const [index, block] of blocksOf(bytes, 16).entries())
    await given.expecting(
      201,
      given.call('PUT', `${uri}&comp=block&blockid=${encodeURIComponent(blockId(index))}`, {
        raw: block.bytes,
        token: null,
      }),
    )
  const list = blocksOf(bytes, 16).map((_, index) => `<Latest>${blockId(index)}</Latest>`)
  await given.expecting(
    201,
    given.call('PUT', `${uri}&comp=blocklist`, { raw: `<BlockList>${list.join('')}</BlockList>`, token: null }),
  )
}

/** As nothing had happened: what one case did is no part of the next. */
const clean = async (tx: Tx): Promise<void> => {
  await enabled(1)(tx)
  await unassociated(null)(tx)
  await outOfGroup(tx)
}

describe.each(REASONS)('U7 an upload is refused when it is complete and $name meanwhile', ({ before, gone }) => {
  it.each([
    ['whole', 'nothing'],
    ['whole', 'the right hash'],
    ['by block', 'nothing'],
    ['by block', 'the right hash'],
  ])('%s, claiming %s: the bytes lie in quarantine and the ledger says why', async (way, claims) => {
    const bytes = Buffer.from(`bytes of their own ${Math.random()} ${'x'.repeat(40)}`)
    // On a busy machine the door may not have been passed when authority goes: then once more, with more time.
    for (let waitMs = 300; waitMs < 10_000; waitMs *= 3) {
      const made = await given.expecting(
        201,
        given.call('POST', '/api/v1/case/station', { token: maker, body: { Title: 'Burglary' } }),
      )
      const evidence = await given.evidence()
      const world = { evidence: Number(evidence.EvidenceId), case: Number(made.CaseId) }
      await db.transaction(async (tx) => {
        await clean(tx)
        await before(tx, world)
      })
      const open = await given.resource(evidence.EvidenceId)
      await upload(open.UploadUri, bytes, way)
      const address = `${given.url}${given.documents}/evidence/${evidence.EvidenceId}/resource/${open.ResourceId}/complete`
      const body = JSON.stringify(claims === 'nothing' ? {} : { Sha256: sha256Of(bytes), LengthInBytes: bytes.length })
      const reply = await slowly(address, uploader.token, body, waitMs, () =>
        db.transaction(async (tx) => void (await gone(tx, world))),
      )
      const entries = given.ledger().filter(({ correlationId }) => correlationId === reply.correlationId)
      if (entries.length === 1 && entries[0]?.action === 'access.denied') continue
      expect([reply.status, reply.json.ErrorCode]).toEqual([403, 'Forbidden'])
      expect(entries.map(({ action, outcome }) => [action, outcome])).toEqual([
        ['resource.refused', 'failed'],
        ['access.denied', 'denied'],
      ])
      expect(given.inQuarantine(bytes)).toBe(true)
      const resources: Json[] = (await given.call('GET', `${given.documents}/evidence/${evidence.EvidenceId}/resource`))
        .json
      expect(resources.map(({ State }) => State)).toEqual(['Failed'])
      return
    }
    throw new Error('the door was never passed')
  })
})
