/** CAD push (interfaces.md 4.5, 5, 6; decisions 8), with both ways to say who one is. */
import type { Json } from './client.ts'
import { differs } from './cases.ts'
import { closedAndDeleted } from './departments.ts'
import type { OperationName } from './operations.ts'
import type { Run, Sent } from './run.ts'
import { CadBatch, CadEvent, CadEvents, CadResult, text } from './shapes.ts'

export const CAD_OPERATIONS: readonly OperationName[] = [
  'PushCadEvent',
  'PushCadBatch',
  'GetCadEvent',
  'SearchCadEvents',
  'GetCadEventUri',
  'RedirectToCadEvent',
]

type By = Pick<Sent, 'token' | 'query' | 'headers'>

const refused = (status: number, code: string) => ({ status, code, section: 'interfaces 5' })

export async function driveCad(run: Run): Promise<void> {
  const { call, connection } = run
  const body = { eventId: `Conformance ${run.stamp}`, eventStartTimeUtc: START }
  const wrong = { token: null, query: { apikey: `${connection.APIKey}x` } }
  await call('PushCadEvent', 'nobody', { token: null, body }, refused(401, 'Unauthorized'))
  await call('PushCadEvent', 'a key that is none', { ...wrong, body }, refused(401, 'Unauthorized'))
  await call('PushCadEvent', 'a token that is none', { token: 'none', body }, refused(401, 'Unauthorized'))
  await call(
    'ListCategories',
    'an API key elsewhere',
    { token: null, query: { apikey: connection.APIKey } },
    { status: 401, section: 'decisions 8' },
  )
  await events(run, 'by token', {})
  await events(run, 'by API key', { token: null, query: { apikey: connection.APIKey } })
  await events(run, 'by API key as a header', { token: null, headers: { 'x-api-key': connection.APIKey } })
}

const START = '2026-11-20T02:00:00Z'
const result = { status: 200, shape: CadResult } as const

async function events({ call, needed, later, ...run }: Run, how: string, by: By): Promise<void> {
  const eventId = `Conformance ${run.stamp} ${how}`
  const event = {
    eventId,
    eventStartTimeUtc: START,
    eventEndTimeUtc: null,
    name: 'Conformance',
    priority: 'P1',
    location: { latitude: 48.2, longitude: 16.3, address: null, notes: null },
    involvedResources: [],
    extended: { caller: 'x' },
    transactionId: '1',
    transactionDateUtc: '2026-11-20T02:00:10Z',
  }
  const send = (request: string, body: Json, expected: Parameters<typeof call>[3]) =>
    call('PushCadEvent', `${request}, ${how}`, { ...by, body }, expected)
  const taken = (is: boolean) => (json: Json) => (json.applied === is ? null : `applied is ${json.applied}`)
  const made = await needed(
    'PushCadEvent',
    `all members, ${how}`,
    { ...by, body: event },
    { ...result, status: 201, and: taken(true) },
  )
  const { caseId } = made.json
  later(async () => {
    const found = await call('GetCaseById', 'of an event', { with: { caseId } }, { status: 200 })
    // With a default department of others the case is theirs to take away.
    if (found?.json.AccessorPermissions.includes('Manage') === true)
      await closedAndDeleted({ call, needed, later, ...run }, caseId)
  })
  const same = (json: Json) => (json.caseId === caseId ? null : 'it is another case')
  const all = [
    ['the same transaction again', event],
    ['an older one', { ...event, transactionId: '0', transactionDateUtc: '2026-11-20T02:00:09.9999999Z' }],
  ] as const
  for (const [request, body] of all)
    await send(request, body, { ...result, and: (json) => same(json) ?? taken(false)(json) })
  await send(
    'changed, with nulls',
    { ...event, name: 'Conformance é', location: null, transactionId: '2' },
    {
      ...result,
      and: (json) => same(json) ?? taken(true)(json),
    },
  )
  await call(
    'GetCaseById',
    `as the event has it, ${how}`,
    { with: { caseId } },
    {
      status: 200,
      section: 'decisions 8',
      and: (json) =>
        differs(json, {
          Title: 'Conformance é',
          ExternalReferenceId2: eventId,
          OccurredOn: START,
          SourceType: 'Cad',
          State: 'Open',
        }) ?? (json.LocationWKT === 'POINT (16.3 48.2)' ? null : `LocationWKT is ${json.LocationWKT}`),
    },
  )
  for (const body of [{ eventId }, { eventStartTimeUtc: START }, { ...event, eventStartTimeUtc: 'x' }, [], 7])
    await send(`${JSON.stringify(body).slice(0, 30)}`, body, { status: 400, code: 'InvalidModel' })
  await call(
    'PushCadBatch',
    `one that is known, one that is none, ${how}`,
    { ...by, body: [event, { eventId: 'x' }] },
    {
      status: 200,
      shape: CadBatch,
      and: ([one, two]: Json) =>
        one.status === 200 && two.status === 400 && two.errorCode === 'InvalidModel'
          ? null
          : `they are ${one.status} and ${two.status} ${two.errorCode}`,
    },
  )
  await call('PushCadBatch', `of none, ${how}`, { ...by, body: [] }, { status: 400, code: 'InvalidModel' })
  await call(
    'PushCadEvent',
    `a tenant that is none, ${how}`,
    { ...by, body: event, tenant: 'nowhere' },
    {
      status: 404,
      code: 'TenantNotFound',
    },
  )
  await asking({ call, needed, later, ...run }, how, by, { eventId, caseId })
}

async function asking(
  { call }: Run,
  how: string,
  by: By,
  { eventId, caseId }: { eventId: string; caseId: string },
): Promise<void> {
  const leads = (uri: Json): string | null =>
    typeof uri === 'string' && uri.endsWith(`/cases/${caseId}`) && URL.canParse(uri) ? null : `it leads to ${uri}`
  const one = { ...by, with: { eventId } }
  const query = { ...by, query: { ...by.query, eventId } }
  const none = { status: 404, code: 'CadEventNotFound' }
  await call('GetCadEvent', how, one, {
    status: 200,
    shape: CadEvent,
    and: (json) => (json.caseId === caseId ? leads(json.uri) : 'it is another case'),
  })
  await call('GetCadEvent', `one that is none, ${how}`, { ...by, with: { eventId: `${eventId}?` } }, none)
  await call('GetCadEventUri', how, query, { status: 200, shape: text, and: leads })
  await call('RedirectToCadEvent', how, query, {
    status: 302,
    and: (json, { headers }) => leads(json?.uri) ?? leads(headers.get('location')),
  })
  const unknown = { ...by, query: { ...by.query, eventId: `${eventId}?` } }
  await call('RedirectToCadEvent', `one that is none, ${how}`, unknown, none)
  const around = { startTimeUtc: START, endTimeUtc: START, latitude: '48.2', longitude: '16.3', radiusMeters: '10' }
  await call(
    'SearchCadEvents',
    `by time and place, ${how}`,
    { ...by, query: { ...by.query, ...around } },
    {
      status: 200,
      shape: CadEvents,
      and: (found) => (found.some((each: Json) => each.eventId === eventId) ? null : 'it is not among them'),
    },
  )
  const half = { ...by, query: { ...by.query, latitude: '48.2' } }
  await call('SearchCadEvents', `half a place, ${how}`, half, { status: 400, code: 'InvalidModel' })
}
