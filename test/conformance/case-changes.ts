/** Changing cases: media types, concurrency, times, versions, history, state (interfaces.md 4 rules 1 to 3, 9; decisions 1 and 4). */
import { refusal } from './categories.ts'
import { differs, newCase } from './cases.ts'
import type { Json } from './client.ts'
import { policyOf } from './departments.ts'
import { historyOf } from './history.ts'
import type { OperationName } from './operations.ts'
import type { Run, Sent } from './run.ts'
import { CaseModel } from './shapes.ts'

export const CHANGE_OPERATIONS: readonly OperationName[] = ['PatchCase', 'UpdateCase', 'GetCaseHistory']

const whole = { status: 200, shape: CaseModel }
const VENDOR = 'application/vnd.sallyport.SaaS.CaseService.PatchCaseModel+json'

export async function driveCaseChanges(run: Run): Promise<void> {
  const made = await newCase(run, 'to be changed', {
    Description: 'first',
    Tags: ['night'],
    CustomFields: { Weather: 'fog' },
  })
  const place = { with: { caseId: made.CaseId } }
  await patches(run, place, made)
  await mediaTypes(run, place)
  await times(run, place)
  await replacing(run, place)
  await guarded(run, place)
  await versions(run)
  await states(run)
}

/** Rule 1: exactly what is sent and is not null. */
async function patches(run: Run, place: Sent, made: Json): Promise<void> {
  const { call } = run
  const kept = { Title: made.Title, Description: 'first', Tags: ['night'], CustomFields: { Weather: 'fog' } }
  const nothing = Object.fromEntries(Object.keys(made).map((name) => [name, null]))
  await call(
    'PatchCase',
    'every member null: all stays',
    { ...place, body: nothing },
    { ...whole, and: (json) => differs(json, kept) },
  )
  await call(
    'PatchCase',
    'one member',
    { ...place, body: { Description: 'second', Tags: null } },
    {
      ...whole,
      and: (json) => differs(json, { ...kept, Description: 'second' }),
    },
  )
  await call(
    'PatchCase',
    'the object of custom fields replaces the stored one',
    { ...place, body: { CustomFields: { New: 'n' } } },
    {
      ...whole,
      and: (json) => differs(json, { CustomFields: { New: 'n' } }),
    },
  )
  // 2.1 again: what the station owns is not written.
  const own = {
    CaseId: '1',
    Ordinal: '1999-000001',
    CreatedUtcTime: '1999-01-01T00:00:00Z',
    LifecycleState: 'Deleted',
    Creator: null,
  }
  await call(
    'PatchCase',
    'members that are the station’s',
    { ...place, body: own },
    {
      ...whole,
      and: (json) =>
        differs(json, {
          CaseId: made.CaseId,
          Ordinal: made.Ordinal,
          CreatedUtcTime: made.CreatedUtcTime,
          LifecycleState: 'Normal',
        }),
    },
  )
  await stalePatches(run, place, made.ConcurrencyId)
}

async function stalePatches({ call }: Run, place: Sent, old: string): Promise<void> {
  const stale = { Description: 'third', ConcurrencyId: old }
  await call('PatchCase', 'over an old version', { ...place, body: stale }, refusal('CaseNotUpToDate'))
  await call(
    'PatchCase',
    'over no version at all',
    { ...place, body: { ...stale, ConcurrencyId: 'x' } },
    refusal('CaseNotUpToDate'),
  )
  await call('PatchCase', 'a title of outer spaces', { ...place, body: { Title: ' x ' } }, refusal('InvalidModel'))
}

async function mediaTypes(run: Run, place: Sent): Promise<void> {
  const { call } = run
  const as = (type: string) => ({ ...place, body: { Description: type }, headers: { 'content-type': type } })
  for (const type of [
    'application/json',
    'text/json',
    'application/json-patch+json',
    'application/merge-patch+json',
    'application/json; charset=utf-8',
    `${VENDOR}; v=1`,
    VENDOR.replace('sallyport', 'anybody').concat(';v=1'),
  ])
    await call('PatchCase', `as ${type}`, as(type), { ...whole, and: (json) => differs(json, { Description: type }) })
  for (const type of [`${VENDOR}; v=2`, 'text/plain', 'application/xml', 'application/json; charset=utf-16'])
    await call('PatchCase', `as ${type}`, as(type), { status: 415 })
}

/** 0 to 7 digits, given back in UTC as precisely as they came (decisions 1). */
async function times(run: Run, place: Sent): Promise<void> {
  const { call } = run
  const patched = (what: string, OccurredOn: string, back: string) =>
    call(
      'PatchCase',
      what,
      { ...place, body: { OccurredOn } },
      { ...whole, and: (json) => differs(json, { OccurredOn: back }) },
    )
  for (let digits = 0; digits <= 7; digits++) {
    const fraction = digits === 0 ? '' : `.${'1234567'.slice(0, digits)}`
    await patched(
      `a time with ${digits} digits`,
      `2026-11-20T03:47:31${fraction}+01:00`,
      `2026-11-20T02:47:31${fraction}Z`,
    )
  }
  await patched('a time with a zero at its end', '2026-11-20T02:47:31.500Z', '2026-11-20T02:47:31.500Z')
  await patched('an offset over midnight', '2026-12-31T23:30:00-01:00', '2027-01-01T00:30:00Z')
  for (const OccurredOn of [
    '2026-11-20T02:47:31.12345678Z',
    '2026-11-20T02:47:31',
    '2026-02-30T00:00:00Z',
    'yesterday',
    7,
  ])
    await call('PatchCase', `the time ${OccurredOn}`, { ...place, body: { OccurredOn } }, refusal('InvalidModel'))
}

async function replacing(run: Run, place: Sent): Promise<void> {
  const { call, needed } = run
  const { json: now } = await needed('GetCaseById', 'before it is replaced', place, whole)
  const body = { Title: 'Replaced', ConcurrencyId: now.ConcurrencyId }
  const { json: next } = await needed(
    'UpdateCase',
    'what is absent is none from then on',
    { ...place, body },
    {
      ...whole,
      and: (json) =>
        differs(json, {
          Title: 'Replaced',
          Description: null,
          Tags: [],
          CustomFields: {},
          AccessPolicies: now.AccessPolicies,
        }),
    },
  )
  await call('UpdateCase', 'over an old version', { ...place, body }, refusal('CaseNotUpToDate'))
  await call('UpdateCase', 'without ConcurrencyId', { ...place, body: { Title: 'x' } }, refusal('InvalidModel'))
  await call(
    'UpdateCase',
    'without Title',
    { ...place, body: { ConcurrencyId: next.ConcurrencyId } },
    refusal('InvalidModel'),
  )
  await call(
    'UpdateCase',
    'as text/json',
    { ...place, body: { ...body, ConcurrencyId: next.ConcurrencyId }, headers: { 'content-type': 'text/json' } },
    whole,
  )
}

async function guarded(run: Run, place: Sent): Promise<void> {
  const { call, connection } = run
  const last = refusal('CannotRemoveLastAccessPolicyWithFullPermissions')
  await call('PatchCase', 'no policy at all', { ...place, body: { AccessPolicies: [] } }, last)
  const below = { ...place, body: { AccessPolicies: [policyOf(connection, 'Edit')] } }
  await call('PatchCase', 'nobody with Manage', below, last)
}

/** Rules 2 and 3, on a case of which every version is known. */
async function versions(run: Run): Promise<void> {
  const { call, needed } = run
  const first = await newCase(run, 'of three versions', { Description: 'one' })
  const place = { with: { caseId: first.CaseId } }
  await needed('PatchCase', 'the second version', { ...place, body: { Description: 'two' } }, whole)
  const { json: third } = await needed(
    'PatchCase',
    'the third version',
    { ...place, body: { Description: 'three' } },
    whole,
  )
  await call(
    'GetCaseById',
    'the first version',
    { ...place, query: { concurrencyId: first.ConcurrencyId } },
    {
      ...whole,
      and: (json) => differs(json, { Description: 'one', ConcurrencyId: first.ConcurrencyId }),
    },
  )
  await call('GetCaseById', 'without one: the current version', place, {
    ...whole,
    and: (json) => differs(json, { Description: 'three', ConcurrencyId: third.ConcurrencyId }),
  })
  await historyOf(run, 'GetCaseHistory', place, 3)
  for (const type of ['application/json-patch+json', 'text/json', 'text/plain'])
    await call('GetCaseHistory', `Accept: ${type}`, { ...place, headers: { accept: type } }, { status: 200, type })
  await call('GetCaseHistory', 'Accept: text/html', { ...place, headers: { accept: 'text/html' } }, { status: 406 })
}

async function states(run: Run): Promise<void> {
  const { call, needed } = run
  const { CaseId: caseId } = await newCase(run, 'to be closed')
  const place = { with: { caseId } }
  const closed = {
    ...whole,
    and: (json: Json) =>
      differs(json, { State: 'Closed', Description: 'last words' }) ??
      (json.ClosedOn === null ? 'ClosedOn is null' : null),
  }
  await needed(
    'PatchCase',
    'State with other members: all happen',
    { ...place, body: { State: 'Closed', Description: 'last words' } },
    closed,
  )
  await call(
    'PatchCase',
    'of a closed one',
    { ...place, body: { Description: 'x' } },
    refusal('CannotUpdateClosedCase'),
  )
  await call(
    'PatchCase',
    'reopened with other members',
    { ...place, body: { State: 'Open', Description: 'x' } },
    refusal('CannotUpdateClosedCase'),
  )
  const { json } = await needed('GetCaseById', 'while it is closed', place, whole)
  const put = { ...place, body: { Title: 'x', ConcurrencyId: json.ConcurrencyId } }
  await call('UpdateCase', 'of a closed one', put, refusal('CannotUpdateClosedCase'))
  await call('PatchCase', 'closed again', { ...place, body: { State: 'Closed' } }, refusal('CaseNotInNormalState'))
  await call(
    'PatchCase',
    'reopened by State alone',
    { ...place, body: { State: 'Open' } },
    { ...whole, and: (now) => differs(now, { State: 'Open', ClosedOn: null }) },
  )
  await call('DeleteCase', 'an open one', place, refusal('CaseNotInNormalState'))
}
