/** Making, reading and refusing cases (interfaces.md 2.1, 2.2, 4; decisions 1, 2 and 4). */
import { LAST_ID, NO_IDS, refusal } from './categories.ts'
import type { Json } from './client.ts'
import { closedAndDeleted, policyOf } from './departments.ts'
import type { OperationName } from './operations.ts'
import type { Run } from './run.ts'
import { CaseModel } from './shapes.ts'

export const CASE_OPERATIONS: readonly OperationName[] = ['CreateCase', 'GetCaseById']

/** A case that is taken away at the end. @throws NotTried where none can be made */
export async function newCase(run: Run, request: string, body: Json = {}): Promise<Json> {
  const given = { Title: `Conformance ${run.stamp}`, ...body }
  const { json } = await run.needed('CreateCase', request, { body: given }, { status: 201, shape: CaseModel })
  run.later(() => closedAndDeleted(run, json.CaseId))
  return json
}

/** Members of an object in any order. */
const inOrder = (_name: string, value: Json): Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
    : value

/** @returns the first member of `wanted` that an answer has otherwise */
export const differs = (json: Json, wanted: Json): string | null => {
  for (const [name, value] of Object.entries(wanted)) {
    const [found, expected] = [JSON.stringify(json[name], inOrder), JSON.stringify(value, inOrder)]
    if (found !== expected) return `${name} is ${found?.slice(0, 80)}, not ${expected.slice(0, 80)}`
  }
  return null
}

export async function driveCases(run: Run): Promise<void> {
  const { call, connection } = run
  await unreadable(run)
  const members = {
    Description: 'A description\nof two lines, with <b>HTML</b>, é and 𝄞',
    OccurredOn: '2026-11-20T02:47:31Z',
    EndedOn: '2026-11-20T03:10:00.5Z',
    ExternalReferenceId1: 'R-2026-1',
    ExternalReferenceId2: 'I-2026-1',
    LocationText: 'Stephansplatz',
    Location: { Latitude: 48.2082, Longitude: 16.3738, Address: 'Stephansplatz 1', Notes: 'north side' },
    Tags: ['night', 'évidence'],
    CustomFields: { Weather: 'fog', 'case no.': '7' },
  }
  const made = await newCase(run, 'all describing members', { ...members, UnknownMember: { anything: [1] } })
  await call(
    'GetCaseById',
    'gives back what was sent',
    { with: { caseId: made.CaseId } },
    {
      status: 200,
      shape: CaseModel,
      and: (json) =>
        differs(json, {
          ...members,
          State: 'Open',
          LifecycleState: 'Normal',
          SourceType: 'Manual',
          EvidenceIds: [],
          AccessorPermissions: ['View', 'Download', 'Edit', 'Manage'],
        }) ?? (/^POINT\s*\(16\.3738 48\.2082\)$/.test(json.LocationWKT) ? null : `LocationWKT is ${json.LocationWKT}`),
    },
  )
  await newCase(run, 'a policy and personnel', {
    AccessPolicies: [policyOf(connection, 'Manage')],
    AccessPolicyExpirations: [],
    PersonnelRelations: [],
    EvidenceIds: [],
    LocationWKT: 'POINT (16.5 48.25)',
  })
  await reading(run, made)
  await repeated(run)
  await mistakes(run)
}

async function unreadable(run: Run): Promise<void> {
  const { call } = run
  for (const caseId of NO_IDS)
    await call('GetCaseById', `the id ${caseId}`, { with: { caseId } }, refusal('InvalidModel'))
  await call('GetCaseById', 'the largest id', { with: { caseId: LAST_ID } }, refusal('CaseNotFound'))
  await call(
    'GetCaseById',
    'a tenant that is none',
    { with: { caseId: '1' }, tenant: 'nowhere' },
    refusal('TenantNotFound'),
  )
}

async function reading(run: Run, made: Json): Promise<void> {
  const { call, connection } = run
  const place = { with: { caseId: made.CaseId } }
  const whole = { status: 200, shape: CaseModel }
  for (const type of ['text/json', 'text/plain'])
    await call('GetCaseById', `Accept: ${type}`, { ...place, headers: { accept: type } }, { ...whole, type })
  await call(
    'GetCaseById',
    'Accept: application/xml',
    { ...place, headers: { accept: 'application/xml' } },
    { status: 406 },
  )
  await call('GetCaseById', 'the tenant in capitals', { ...place, tenant: connection.TenantId.toUpperCase() }, whole)
  await call(
    'GetCaseById',
    'an empty concurrencyId counts as absent',
    { ...place, query: { concurrencyId: '' } },
    whole,
  )
  await call('GetCaseById', 'its own version', { ...place, query: { concurrencyId: made.ConcurrencyId } }, whole)
  for (const concurrencyId of ['x', 'f'.repeat(40)])
    await call(
      'GetCaseById',
      `the version ${concurrencyId.slice(0, 4)}`,
      { ...place, query: { concurrencyId } },
      refusal('InvalidConcurrencyId'),
    )
}

async function repeated(run: Run): Promise<void> {
  const key = { 'idempotency-key': `case-${run.stamp}` }
  const body = { Title: `Conformance ${run.stamp}` }
  const made = { status: 201, shape: CaseModel }
  const { json } = await run.needed('CreateCase', 'under an Idempotency-Key', { body, headers: key }, made)
  run.later(() => closedAndDeleted(run, json.CaseId))
  await run.call(
    'CreateCase',
    'again under it',
    { body, headers: key },
    { ...made, and: (next) => differs(next, { CaseId: json.CaseId }) },
  )
  const other = { body: { Title: 'Another' }, headers: key }
  await run.call('CreateCase', 'another body under it', other, refusal('InvalidModel'))
}

async function mistakes(run: Run): Promise<void> {
  const { call, connection } = run
  const own = policyOf(connection, 'Manage')
  const wrong = (what: string, more: Json, code = 'InvalidModel') =>
    call('CreateCase', what, { body: { Title: 'Conformance', ...more } }, refusal(code))
  for (const Title of [undefined, null, '', ' outer spaces ', 'x'.repeat(257), 7])
    await wrong(`the title ${JSON.stringify(Title)?.slice(0, 18)}`, { Title })
  await wrong('a description of 65,537 characters', { Description: 'x'.repeat(65_537) })
  await wrong('101 tags', { Tags: Array.from({ length: 101 }, (_one, at) => `t${at}`) })
  await wrong('a tag of 65 characters', { Tags: ['x'.repeat(65)] })
  await wrong('text that is no location', { LocationWKT: 'POINT (16.37' })
  await wrong('a location off the earth', { LocationWKT: 'POINT (16 91)' })
  await wrong('two different locations', { LocationWKT: 'POINT (1 2)', Location: { Latitude: 48, Longitude: 16 } })
  await wrong(
    'an end before its start',
    { OccurredOn: '2026-11-20T03:00:00Z', EndedOn: '2026-11-20T02:00:00Z' },
    'InvalidDateTimeRange',
  )
  await wrong('a category that is not there', { CategoryId: LAST_ID }, 'CategoryNotFound')
  await wrong('a department that is not there', { DepartmentId: 'x'.repeat(48) }, 'DepartmentNotFound')
  await wrong('a department id of 49 characters', { DepartmentId: 'x'.repeat(49) })
  await wrong('evidence that is not there', { EvidenceIds: [LAST_ID] }, 'EvidenceNotFound')
  await wrong(
    '501 evidences',
    { EvidenceIds: Array.from({ length: 501 }, (_one, at) => String(at + 1)) },
    'TooManyAddedOrRemovedEvidencesAtOnce',
  )
  await wrong(
    'somebody who is not there',
    { AccessPolicies: [{ ...own, PrincipalId: '999999999' }] },
    'UnableToLoadUser',
  )
  await wrong('a policy with a further member', { AccessPolicies: [{ ...own, ExpirationDateUtc: null }] })
  await wrong(
    'its creator below Manage',
    { AccessPolicies: [policyOf(connection, 'View')] },
    'CannotCreateCaseWithNoManageAccess',
  )
  await wrong('a custom field that is no text', { CustomFields: { a: 1 } })
  await wrong('1,001 custom fields', {
    CustomFields: Object.fromEntries(Array.from({ length: 1001 }, (_one, at) => [`f${at}`, ''])),
  })
  await call('CreateCase', 'a body that is no JSON', { raw: '{"Title":' }, refusal('InvalidModel'))
  await call('CreateCase', 'a member twice', { raw: '{"Title":"a","Title":"b"}' }, refusal('InvalidModel'))
  await call('CreateCase', 'no body', {}, refusal('InvalidModel'))
  await call('CreateCase', 'as text/html', { raw: '{}', headers: { 'content-type': 'text/html' } }, { status: 415 })
  await call(
    'CreateCase',
    'a tenant that is none',
    { body: { Title: 'x' }, tenant: 'nowhere' },
    refusal('TenantNotFound'),
  )
}
