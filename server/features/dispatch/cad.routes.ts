import * as contract from '../../../shared/dispatch/cad.contract.ts'
import * as messages from '../../../shared/dispatch/cad-messages.contract.ts'
import { FAULTS, fault, type Fault } from '../../../shared/kernel/errors.ts'
import { cadReason } from '../../../shared/messages/cad-reasons.ts'
import { answer, type BoundRoute, type HttpCall, json, type KeptBody } from '../../http/handlers.ts'
import type { CadQuestions, EventsAsked } from './cad.questions.ts'
import type { CadPush, Outcome } from './cad.service.ts'
import type { CadWatch } from './cad.watch.ts'

interface Deps {
  readonly push: CadPush
  readonly questions: CadQuestions
  readonly watch: CadWatch
}

const uriOf = (origin: string, caseId: string | number): string => `${origin}/cases/${caseId}`

export function cadRoutes(deps: Deps): BoundRoute[] {
  return [...eventRoutes(deps), ...mappingRoutes(deps), ...messageRoutes(deps)]
}

function eventRoutes({ push, questions }: Deps): BoundRoute[] {
  const keep =
    (batch: boolean) =>
    async (bytes: Uint8Array, call: HttpCall): Promise<KeptBody> => {
      const id = await push.keep(call, call.tenant, bytes, batch)
      return { id, refused: (why: Fault) => push.refuse(call, id, why), repeated: () => push.repeated(id) }
    }
  return [
    json(
      contract.pushEvent,
      async ({ call, keptBodyId, origin }) => {
        let reply: ReturnType<typeof resultOf> | undefined
        const outcome = await push.one(call, keptBodyId(), async (tx, one) => {
          if (one.state === 'unreadable') return
          reply = resultOf(one, origin)
          await call.rememberAnswer(tx, reply, reply.status)
        })
        if (reply === undefined) throw unreadable(outcome)
        return reply
      },
      { keep: keep(false) },
    ),
    json(
      contract.pushBatch,
      async ({ call, keptBodyId, origin }) =>
        (await push.batch(call, keptBodyId())).map((one) => batchResult(one, origin)),
      { keep: keep(true) },
    ),
    json(contract.getEvent, async ({ params, call, origin }) => {
      const found = await questions.event(call, call.tenant, params.eventId)
      return { ...found, uri: uriOf(origin, found.caseId) }
    }),
    json(contract.searchEvents, async ({ query, call, origin }) => {
      const found = await questions.search(call, call.tenant, askedIn(query))
      call.describeRead({ detail: { returned: found.length } })
      return found.map((one) => ({ ...one, uri: uriOf(origin, one.caseId) }))
    }),
    json(contract.singleUri, async ({ query, call, origin }) => {
      const { eventId, caseId } = await questions.event(call, call.tenant, query.eventId)
      call.describeRead({ id: eventId })
      return uriOf(origin, caseId)
    }),
    json(contract.singleRedirect, async ({ query, call, origin }) => {
      const { eventId, caseId } = await questions.event(call, call.tenant, query.eventId)
      call.describeRead({ id: eventId })
      const uri = uriOf(origin, caseId)
      return answer(302, { uri }, { Location: uri })
    }),
  ]
}

function mappingRoutes({ questions }: Deps): BoundRoute[] {
  return [
    json(contract.getMapping, async ({ call }) => {
      const mapping = await questions.mapping(call.tenant)
      call.describeRead({ detail: { returned: mapping.fields.length } })
      return mapping
    }),
    json(contract.putMapping, async ({ body: { concurrencyId, ...mapping }, call }) =>
      questions.setMapping(call, call.tenant, mapping, concurrencyId ?? null),
    ),
    json(contract.previewMapping, async ({ body, call }) => {
      const found = await questions.preview(call.tenant, body.mapping, body.messageIds ?? null)
      call.describeRead({ detail: { messages: found.map(({ messageId }) => messageId) } })
      return found
    }),
    json(contract.getMappingHistory, async ({ call }) => {
      const found = await questions.mappingHistory(call.tenant)
      call.describeRead({ detail: { returned: found.length } })
      return found
    }),
  ]
}

function messageRoutes({ questions, watch }: Deps): BoundRoute[] {
  return [
    json(messages.listMessages, async ({ query, call }) => {
      const before = query.cursor === undefined ? Number.MAX_SAFE_INTEGER : readCursor(query.cursor)
      const { items, last } = await questions.messages(call.tenant, {
        state: query.state,
        before,
        count: query.count,
      })
      call.describeRead({ detail: { returned: items.length } })
      return { items, cursor: last === null ? null : writeCursor(last) }
    }),
    json(messages.getMessage, async ({ params, query, call }) =>
      questions.message(call.tenant, params.messageId, query.offset),
    ),
    json(messages.retryMessage, async ({ params, call }) => questions.retry(call, call.tenant, params.messageId)),
    json(messages.retryMessages, async ({ body, call }) => {
      const after = (body.cursor ?? null) === null ? 0 : readCursor(body.cursor ?? '')
      const { last, ...done } = await watch.retryAll(call, call.tenant, { state: body.state, after })
      return { ...done, cursor: last === null ? null : writeCursor(last) }
    }),
    json(messages.getOverview, async ({ call }) => {
      const found = await watch.overview(call.tenant)
      call.describeRead({ detail: { returned: found.services.length } })
      return found
    }),
  ]
}

const unreadable = ({ reason, problems }: Outcome): Fault =>
  fault(
    'InvalidModel',
    reason ?? cadReason('unreadable'),
    problems.map(({ path, message }) => ({ Path: path, Message: message })),
  )

/** Of a message that was read. Where its case could not be told there is none: it was never applied. */
function resultOf(one: Outcome, origin: string) {
  const caseId = String(one.caseId)
  const body = { eventId: one.eventId ?? '', caseId, uri: uriOf(origin, caseId), applied: one.state === 'applied' }
  return one.created ? answer(201, body) : answer(200, body)
}

const batchResult = (one: Outcome, origin: string) => ({
  eventId: one.eventId,
  status: one.state === 'unreadable' ? FAULTS.InvalidModel : one.created ? 201 : 200,
  caseId: one.caseId === null ? null : String(one.caseId),
  uri: one.caseId === null ? null : uriOf(origin, one.caseId),
  applied: one.state === 'applied',
  errorCode: one.state === 'unreadable' ? 'InvalidModel' : null,
  message: one.reason,
  details: [...one.problems],
})

interface Query {
  readonly startTimeUtc?: EventsAsked['from']
  readonly endTimeUtc?: EventsAsked['to']
  readonly latitude?: number | undefined
  readonly longitude?: number | undefined
  readonly radiusMeters?: number | undefined
}

/** @throws Fault InvalidModel, InvalidDateTimeRange */
function askedIn({
  startTimeUtc: from,
  endTimeUtc: to,
  latitude,
  longitude,
  radiusMeters: metres,
}: Query): EventsAsked {
  if (from !== undefined && to !== undefined && to.ticks < from.ticks)
    throw fault('InvalidDateTimeRange', 'endTimeUtc lies before startTimeUtc.', [
      { Path: 'endTimeUtc', Message: 'must not be before startTimeUtc' },
    ])
  const given = [latitude, longitude, metres].filter((one) => one !== undefined).length
  if (given !== 0 && given !== 3)
    throw fault('InvalidModel', 'A place is latitude, longitude and radiusMeters together.', [
      { Path: 'radiusMeters', Message: 'latitude, longitude and radiusMeters come together or not at all' },
    ])
  const around =
    latitude === undefined || longitude === undefined || metres === undefined ? null : { latitude, longitude, metres }
  return { from, to, around }
}

const writeCursor = (last: number): string => Buffer.from(String(last)).toString('base64url')

/** @throws Fault InvalidModel */
function readCursor(cursor: string): number {
  const text = Buffer.from(cursor, 'base64url').toString()
  if (!/^\d{1,15}$/.test(text))
    throw fault('InvalidModel', 'The cursor is none.', [{ Path: 'cursor', Message: 'is not one that was given out' }])
  return Number(text)
}
