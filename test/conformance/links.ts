/** Evidence in cases, its relations, and sharing (interfaces.md 4, decisions 2 to 4). */
import { refusal, LAST_ID, NO_IDS } from './categories.ts'
import { differs, newCase } from './cases.ts'
import type { ConnectionFile, Json } from './client.ts'
import { policyOf } from './departments.ts'
import { deletedAtTheEnd } from './evidence.ts'
import type { OperationName } from './operations.ts'
import type { Run, Sent } from './run.ts'
import { CaseModel, EvidenceRecord, EvidenceRelationsModel } from './shapes.ts'

export const LINK_OPERATIONS: readonly OperationName[] = ['LinkEvidencesToCase', 'GetEvidenceRelationsByEvidenceId']

const whole = { status: 200, shape: CaseModel }
const linked = { status: 204, empty: true as const }

export async function driveLinks(run: Run): Promise<void> {
  const { call, needed } = run
  await unreadable(run)
  const body = { Name: `Conformance ${run.stamp}`, StartTimeUtc: '2026-11-20T02:47:31' }
  const { json: evidence } = await needed(
    'CreateEvidence',
    'to be linked',
    { body },
    { status: 201, shape: EvidenceRecord },
  )
  deletedAtTheEnd(run, evidence.EvidenceId)
  const { CaseId: caseId } = await newCase(run, 'for evidence')
  const place = { with: { caseId } }
  const one = { EvidenceId: evidence.EvidenceId, Name: evidence.Name }
  const link = (what: string, more: Json, headers: Record<string, string> = {}) =>
    needed('LinkEvidencesToCase', what, { ...place, body: { Evidences: [{ ...one, ...more }] }, headers }, linked)
  await link('one, with its name', {})
  await call('GetCaseById', 'holds the evidence, under the deprecated EvidenceIds too', place, {
    ...whole,
    and: (json) =>
      differs(json, { EvidenceIds: [one.EvidenceId] }) ??
      (json.Evidences[0]?.EvidenceId === one.EvidenceId && json.Evidences[0]?.LinkKind === 'Manual'
        ? null
        : 'Evidences does not hold it'),
  })
  await relations(run, evidence, caseId)
  await link(
    'taken out, as application/json-patch+json',
    { Action: 'Remove' },
    { 'content-type': 'application/json-patch+json' },
  )
  await call('GetCaseById', 'holds it no more', place, {
    ...whole,
    and: (json) => differs(json, { EvidenceIds: [], Evidences: [] }),
  })
  await link(
    'added again, as application/anything+json',
    { Action: 'Add' },
    { 'content-type': 'application/anything+json' },
  )
  await link('what is there already', { Action: null })
  await call(
    'PatchCase',
    'EvidenceIds as they shall be: none',
    { ...place, body: { EvidenceIds: [] } },
    { ...whole, and: (json) => differs(json, { EvidenceIds: [] }) },
  )
  await mistakes(run, place, one)
}

async function unreadable(run: Run): Promise<void> {
  const { call } = run
  for (const evidenceId of NO_IDS)
    await call(
      'GetEvidenceRelationsByEvidenceId',
      `the id ${evidenceId}`,
      { with: { evidenceId } },
      refusal('InvalidModel'),
    )
  const last = { with: { evidenceId: LAST_ID } }
  await call('GetEvidenceRelationsByEvidenceId', 'the largest id', last, refusal('EvidenceRelationsNotFound'))
}

async function relations(run: Run, before: Json, caseId: string): Promise<void> {
  const { call } = run
  const place = { with: { evidenceId: before.EvidenceId } }
  const shape = EvidenceRelationsModel
  const found = await call('GetEvidenceRelationsByEvidenceId', 'of linked evidence', place, {
    status: 200,
    shape,
    and: ({ Relations }) =>
      Relations.length === 1 && Relations[0].CaseId === caseId && Relations[0].Kind === 'Manual'
        ? null
        : 'it is not in our case alone',
  })
  if (found === null) return
  const version = (concurrencyId: string): Sent => ({ ...place, query: { concurrencyId } })
  const count = (wanted: number) => ({
    status: 200,
    shape,
    and: ({ Relations }: Json) =>
      Relations.length === wanted ? null : `expected ${wanted} relations, were ${Relations.length}`,
  })
  await call('GetEvidenceRelationsByEvidenceId', 'in its current version', version(found.json.ConcurrencyId), count(1))
  await call('GetEvidenceRelationsByEvidenceId', 'in the version before', version(before.ConcurrencyId), count(0))
  for (const id of ['x', 'f'.repeat(40)])
    await call(
      'GetEvidenceRelationsByEvidenceId',
      `in the version ${id.slice(0, 4)}`,
      version(id),
      refusal('InvalidConcurrencyId'),
    )
  // Section 4: application/json only.
  for (const accept of ['text/json', 'text/plain', 'application/json-patch+json'])
    await call(
      'GetEvidenceRelationsByEvidenceId',
      `Accept: ${accept}`,
      { ...place, headers: { accept } },
      { status: 406 },
    )
}

async function mistakes(run: Run, place: Sent, one: Json): Promise<void> {
  const { call, needed } = run
  const wrong = (what: string, body: Json, code: string) =>
    call('LinkEvidencesToCase', what, { ...place, body }, refusal(code))
  const many = (count: number) => ({
    Evidences: Array.from({ length: count }, (_one, at) => ({ EvidenceId: String(BigInt(LAST_ID) - BigInt(at)) })),
  })
  await wrong('501: counted before anything is looked up', many(501), 'TooManyAddedOrRemovedEvidencesAtOnce')
  await wrong('500 pass the count: then none of them is there', many(500), 'EvidenceNotFound')
  await wrong('an action that is none', { Evidences: [{ ...one, Action: 'Move' }] }, 'InvalidLinkAction')
  await wrong('without Evidences', {}, 'InvalidModel')
  await wrong('an id beyond int64', { Evidences: [{ EvidenceId: '9223372036854775808' }] }, 'InvalidModel')
  await wrong('all or nothing', { Evidences: [one, { EvidenceId: LAST_ID }] }, 'EvidenceNotFound')
  await call('GetCaseById', 'nothing was linked', place, {
    ...whole,
    and: (json) => differs(json, { EvidenceIds: [] }),
  })
  await wrong('over an old version', { Evidences: [one], ConcurrencyId: '0'.repeat(40) }, 'CaseNotUpToDate')
  await needed('PatchCase', 'closed, for links', { ...place, body: { State: 'Closed' } }, whole)
  await wrong('into a closed case', { Evidences: [one] }, 'CaseClosed')
}

export const SHARE_OPERATIONS: readonly OperationName[] = ['ShareCase']

/** @param other somebody to share with; without one the account shares with itself, which changes nothing. */
export async function driveSharing(run: Run, other: ConnectionFile | null): Promise<void> {
  const { call, connection } = run
  const { CaseId: caseId } = await newCase(run, 'to be shared')
  const place = { with: { caseId } }
  const share = (AccessPolicies: Json, more: Json = {}): Sent => ({ ...place, body: { AccessPolicies, ...more } })
  const own = policyOf(connection, 'View')
  await call('ShareCase', 'with oneself: never lowers', share([own]), {
    ...whole,
    and: (json) => (levelOf(json, connection) === 'Manage' ? null : 'the own Manage was lowered'),
  })
  if (other !== null) {
    const until = '2099-12-31T23:00:00.1234567Z'
    await call(
      'ShareCase',
      'at Download, until a time',
      share([policyOf(other, 'Download')], { ExpirationDateUtc: until, Message: 'please look' }),
      {
        ...whole,
        and: (json) =>
          levelOf(json, other) === 'Download' && entryOf(json, other).ExpirationDateUtc === until
            ? null
            : 'the policy is not as it was sent',
      },
    )
    await call('ShareCase', 'at View: never lowers', share([policyOf(other, 'View')]), {
      ...whole,
      and: (json) => (levelOf(json, other) === 'Download' ? null : `it is ${levelOf(json, other)}`),
    })
    await call('ShareCase', 'Write is Edit', share([policyOf(other, 'Write')]), {
      ...whole,
      and: (json) => (levelOf(json, other) === 'Edit' ? null : `it is ${levelOf(json, other)}`),
    })
  }
  await call(
    'ShareCase',
    'with somebody who is not there',
    share([{ ...own, PrincipalId: '999999999' }]),
    refusal('UnableToLoadUser'),
  )
  await call(
    'ShareCase',
    'a policy with a further member',
    share([{ ...own, ExpirationDateUtc: null }]),
    refusal('InvalidModel'),
  )
  await call('ShareCase', 'with nobody', share([]), refusal('InvalidModel'))
  await call('ShareCase', 'at a level that is none', share([{ ...own, Permissions: 'None' }]), refusal('InvalidModel'))
  await call(
    'ShareCase',
    'a case that is not there',
    { ...share([own]), with: { caseId: LAST_ID } },
    refusal('CaseNotFound'),
  )
}

const entryOf = (json: Json, who: ConnectionFile): Json =>
  json.AccessPolicies.find((one: Json) => one.PrincipalId === who.ServicePrincipalId) ?? {}
const levelOf = (json: Json, who: ConnectionFile): string => entryOf(json, who).Permissions
