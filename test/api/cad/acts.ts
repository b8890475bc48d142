/** One good call of each route of CAD push and of the correlation engine, with its entries (promise I1). */
import { expect } from 'vitest'
import { openTestDatabase } from '../../support/rows.ts'
import type { Json } from '../../support/given.ts'
import type { Act, World } from '../documents/acts.ts'
import { asChief, caseOf } from '../cases/acts.ts'
import { EVENTS, fresh, MAPPING, MESSAGES, OVERVIEW } from './world.ts'

const CASES = '/api/v1/case/station'
const CORRELATION = '/api/v1/correlation/station'
const START = '2026-11-20T02:00:00Z'

const number = expect.stringMatching(/^\d+$/) as unknown as string
const event = (more: Json = {}): Json => ({ eventId: fresh('E'), eventStartTimeUtc: START, ...more })
const pushed = async (world: World, given: Json = event()): Promise<Json> => ({
  ...(await world.given.expecting(201, asChief(world, 'POST', EVENTS, given))),
})
/** A message that nobody can read; its number. */
const unreadable = async (world: World): Promise<string> => {
  await asChief(world, 'POST', EVENTS, { eventId: fresh('E') })
  const { items } = await world.given.expecting(200, asChief(world, 'GET', `${MESSAGES}?state=unreadable&count=1`))
  return items[0].messageId as string
}
const MAPPED = { members: {}, fields: [{ from: 'name', to: 'Title' }], keepExtended: true }
const RULES = { Place: { Enabled: false, RadiusMetres: 200 }, Number: { Enabled: false } }

export const CAD_ACTS: Readonly<Record<string, (world: World) => Promise<Act> | Act>> = {
  pushCadEvent: (world) => ({
    call: () => asChief(world, 'POST', EVENTS, event()),
    status: 201,
    actor: 'chief',
    entries: ({ json }) => [
      [
        'cad.received',
        'cadDelivery',
        number,
        { bytes: expect.any(Number), sha256: expect.stringMatching(/^[0-9a-f]{64}$/) },
      ],
      ['case.created', 'case', json.caseId, { detail: expect.objectContaining({ cadDelivery: number }) }],
    ],
  }),
  pushCadBatch: async (world) => {
    const known = event()
    const { caseId } = await pushed(world, known)
    return {
      call: () => asChief(world, 'POST', `${EVENTS}/batch`, [{ ...known, name: 'Changed' }]),
      status: 200,
      actor: 'chief',
      entries: () => [
        ['cad.received', 'cadDelivery', number],
        ['case.changed', 'case', caseId, { detail: expect.objectContaining({ position: 0 }) }],
      ],
    }
  },
  getCadEvent: async (world) => {
    const { eventId } = await pushed(world)
    return {
      call: () => asChief(world, 'GET', `${EVENTS}/${encodeURIComponent(eventId)}`),
      status: 200,
      actor: 'chief',
      entries: () => [['cad.read', 'cadEvent', eventId]],
    }
  },
  searchCadEvents: (world) => ({
    call: () =>
      asChief(world, 'GET', `${EVENTS}/search?startTimeUtc=2001-01-01T00:00:00Z&endTimeUtc=2001-01-02T00:00:00Z`),
    status: 200,
    actor: 'chief',
    entries: () => [['cad.searched', 'cadEvent', '', { detail: { returned: 0 } }]],
  }),
  getCadEventUri: async (world) => {
    const { eventId } = await pushed(world)
    return {
      call: () => asChief(world, 'GET', `${EVENTS}/singleuri?eventId=${encodeURIComponent(eventId)}`),
      status: 200,
      actor: 'chief',
      entries: () => [['cad.read', 'cadEvent', eventId]],
    }
  },
  redirectToCadEvent: async (world) => {
    const { eventId } = await pushed(world)
    return {
      call: () => asChief(world, 'GET', `${EVENTS}/singleredirect?eventId=${encodeURIComponent(eventId)}`),
      status: 302,
      actor: 'chief',
      entries: () => [['cad.read', 'cadEvent', eventId]],
    }
  },
  getCadMapping: (world) => ({
    call: () => asChief(world, 'GET', MAPPING),
    status: 200,
    actor: 'chief',
    entries: ({ json }) => [['list.read', 'cadMapping', '', { detail: { returned: json.fields.length } }]],
  }),
  putCadMapping: (world) => ({
    call: () => asChief(world, 'PUT', MAPPING, MAPPED),
    status: 200,
    actor: 'chief',
    entries: () => [
      [
        'cad.mappingChanged',
        'cadMapping',
        'station',
        { detail: expect.objectContaining({ after: expect.any(String) }) },
      ],
    ],
  }),
  previewCadMapping: async (world) => {
    const messageId = await unreadable(world)
    return {
      call: () => asChief(world, 'POST', `${MAPPING}/preview`, { mapping: MAPPED, messageIds: [messageId] }),
      status: 200,
      actor: 'chief',
      entries: () => [['cad.previewed', 'cadMapping', '', { detail: { messages: [messageId] } }]],
    }
  },
  listCadMessages: (world) => ({
    call: () => asChief(world, 'GET', `${MESSAGES}?count=1`),
    status: 200,
    actor: 'chief',
    entries: ({ json }) => [['list.read', 'cadMessage', '', { detail: { returned: json.items.length } }]],
  }),
  getCadMessage: async (world) => {
    const messageId = await unreadable(world)
    return {
      call: () => asChief(world, 'GET', `${MESSAGES}/${messageId}`),
      status: 200,
      actor: 'chief',
      entries: () => [['cad.messageRead', 'cadMessage', messageId]],
    }
  },
  retryCadMessage: async (world) => {
    const messageId = await unreadable(world)
    return {
      call: () => asChief(world, 'POST', `${MESSAGES}/${messageId}/retry`),
      status: 200,
      actor: 'chief',
      entries: () => [
        ['cad.retried', 'cadMessage', messageId],
        ['cad.refused', 'cadDelivery', number, { outcome: 'failed', reason: expect.any(String) }],
      ],
    }
  },
  getCadMappingHistory: (world) => ({
    call: () => asChief(world, 'GET', `${MAPPING}/history`),
    status: 200,
    actor: 'chief',
    entries: ({ json }) => [['list.read', 'cadMapping', '', { detail: { returned: json.length } }]],
  }),
  getCadOverview: (world) => ({
    call: () => asChief(world, 'GET', OVERVIEW),
    status: 200,
    actor: 'chief',
    entries: ({ json }) => [['list.read', 'cadOverview', '', { detail: { returned: json.services.length } }]],
  }),
  retryCadMessages: async (world) => {
    const messageId = await unreadable(world)
    const cursor = Buffer.from(String(Number(messageId) - 1)).toString('base64url')
    return {
      call: () => asChief(world, 'POST', `${MESSAGES}/retry`, { state: 'unreadable', cursor }),
      status: 200,
      actor: 'chief',
      entries: () => [
        ['cad.retried', 'cadMessage', messageId],
        ['cad.refused', 'cadDelivery', number, { outcome: 'failed', reason: expect.any(String) }],
      ],
    }
  },
  getCaseDispatch: async (world) => {
    const { caseId } = await pushed(world)
    return {
      call: () => asChief(world, 'GET', `${CASES}/${caseId}/dispatch`),
      status: 200,
      actor: 'chief',
      entries: () => [['cad.read', 'case', caseId, { detail: { returned: 1 } }]],
    }
  },
  makeServiceApiKey: async (world) => {
    const { id, place } = await integrationOf(world)
    return {
      call: () => asChief(world, 'POST', `${place}/api-keys`, { Name: 'Dispatch desk' }),
      status: 201,
      actor: 'chief',
      entries: () => [['service.apiKeyMade', 'service', id, { detail: { name: 'Dispatch desk' } }]],
    }
  },
  revokeServiceApiKey: async (world) => {
    const { id, place } = await integrationOf(world)
    const { Service } = await world.given.expecting(
      201,
      asChief(world, 'POST', `${place}/api-keys`, { Name: 'Dispatch desk' }),
    )
    const key = Service.ApiKeys.find((one: Json) => one.Name === 'Dispatch desk')
    return {
      call: () => asChief(world, 'DELETE', `${place}/api-keys/${key.ApiKeyId}`),
      status: 200,
      actor: 'chief',
      entries: () => [
        [
          'service.apiKeyRevoked',
          'service',
          id,
          { detail: { name: 'Dispatch desk', created: key.CreatedUtcTime, lastUsed: null } },
        ],
      ],
    }
  },
  getCaseCorrelation: async (world) => {
    const { CaseId } = await caseOf(world)
    return {
      call: () => asChief(world, 'GET', `${CASES}/${CaseId}/correlation`),
      status: 200,
      actor: 'chief',
      entries: () => [['correlation.read', 'case', CaseId, { detail: { returned: 0 } }]],
    }
  },
  explainCorrelation: async (world) => {
    const { caseId, evidenceId } = await pair(world)
    return {
      call: () => asChief(world, 'GET', `${CASES}/${caseId}/evidence/${evidenceId}/correlation`),
      status: 200,
      actor: 'chief',
      entries: () => [['correlation.read', 'case', caseId, { detail: { evidenceId, state: 'NotLinked' } }]],
    }
  },
  refuseEvidenceLink: async (world) => {
    const { caseId, evidenceId } = await pair(world, true)
    return {
      call: () =>
        asChief(world, 'POST', `${CASES}/${caseId}/evidence/${evidenceId}/refuse`, { Reason: 'Another call' }),
      status: 204,
      actor: 'chief',
      entries: () => [
        ['link.refused', 'evidence', evidenceId, { detail: { given: 'Another call' } }],
        ['evidence.unlinked', 'evidence', evidenceId],
        ['case.linked', 'case', caseId, { detail: expect.objectContaining({ removed: [evidenceId], refused: true }) }],
      ],
    }
  },
  listCorrelationReviews: (world) => ({
    call: () => asChief(world, 'GET', `${CORRELATION}/review?count=1`),
    status: 200,
    actor: 'chief',
    entries: ({ json }) => [['list.read', 'review', '', { detail: { returned: json.Items.length } }]],
  }),
  settleCorrelationReview: async (world) => {
    const { caseId, evidenceId } = await pair(world)
    const reviewId = await reviewOf(world, caseId, evidenceId)
    return {
      call: () => asChief(world, 'POST', `${CORRELATION}/review/${reviewId}/settle`, { Reason: 'Looked at it' }),
      status: 204,
      actor: 'chief',
      entries: () => [
        [
          'review.settled',
          'review',
          reviewId,
          { detail: { act: 'Withdraw', because: 'Confirmed', given: 'Looked at it', accepted: false } },
        ],
      ],
    }
  },
  acceptCorrelationReview: async (world) => {
    const { caseId, evidenceId } = await pair(world, true)
    const reviewId = await reviewOf(world, caseId, evidenceId)
    return {
      call: () => asChief(world, 'POST', `${CORRELATION}/review/${reviewId}/accept`, { Reason: 'It was another call' }),
      status: 204,
      actor: 'chief',
      entries: () => [
        ['link.refused', 'evidence', evidenceId, { detail: { given: 'It was another call' } }],
        ['evidence.unlinked', 'evidence', evidenceId],
        ['case.linked', 'case', caseId, { detail: expect.objectContaining({ removed: [evidenceId], refused: true }) }],
        [
          'review.settled',
          'review',
          reviewId,
          { detail: { act: 'Withdraw', because: 'Confirmed', given: 'It was another call', accepted: true } },
        ],
      ],
    }
  },
  getCorrelationRules: (world) => ({
    call: () => asChief(world, 'GET', `${CORRELATION}/rules`),
    status: 200,
    actor: 'chief',
    entries: () => [['list.read', 'correlation', '', { detail: { returned: 2 } }]],
  }),
  putCorrelationRules: (world) => ({
    call: () => asChief(world, 'PUT', `${CORRELATION}/rules`, RULES),
    status: 200,
    actor: 'chief',
    entries: () => [['correlation.rulesChanged', 'correlation', 'rules', { detail: { before: RULES, after: RULES } }]],
  }),
  getCallsBoard: (world) => ({
    call: () => asChief(world, 'GET', `${CORRELATION}/board?date=2001-01-01`),
    status: 200,
    actor: 'chief',
    entries: () => [['list.read', 'callsBoard', '', { detail: { date: '2001-01-01', shift: null, returned: 0 } }]],
  }),
  getCallsBoardWeeks: (world) => ({
    call: () => asChief(world, 'GET', `${CORRELATION}/board/weeks?date=2001-01-01&weeks=2`),
    status: 200,
    actor: 'chief',
    entries: () => [['list.read', 'callsBoard', '', { detail: { weeks: 2 } }]],
  }),
  exportCallsBoard: (world) => ({
    call: () => asChief(world, 'GET', `${CORRELATION}/board/export?date=2001-01-01`),
    status: 200,
    actor: 'chief',
    entries: () => [
      ['list.exportStarted', 'callsBoard', '', { detail: { date: '2001-01-01', format: 'csv' } }],
      [
        'list.exported',
        'callsBoard',
        '',
        {
          bytes: expect.any(Number),
          sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
          detail: { date: '2001-01-01', format: 'csv', rows: 0 },
        },
      ],
    ],
  }),
  getBoardShifts: (world) => ({
    call: () => asChief(world, 'GET', `${CORRELATION}/board/shifts`),
    status: 200,
    actor: 'chief',
    entries: ({ json }) => [['list.read', 'callsBoard', '', { detail: { returned: json.Shifts.length } }]],
  }),
  putBoardShifts: (world) => ({
    call: () => asChief(world, 'PUT', `${CORRELATION}/board/shifts`, { Shifts: [{ Start: '06:00', Name: 'Day' }] }),
    status: 200,
    actor: 'chief',
    entries: () => [
      [
        'board.shiftsChanged',
        'callsBoard',
        'shifts',
        { detail: expect.objectContaining({ after: [{ Start: '06:00', Name: 'Day' }] }) },
      ],
    ],
  }),
  getCallFootageReason: async (world) => {
    const { CaseId } = await caseOf(world)
    const eventId = fresh('E')
    const user = await world.given.command('user.create', {
      username: fresh('sent'),
      password: 'seven lamps by the harbour',
      policies: [],
      group: null,
      guest: false,
    })
    const db = await openTestDatabase({ file: world.given.file })
    await db.transaction(async (tx) => {
      await tx
        .updateTable('cases')
        .set({ occurred_on: START, occurred_ticks: 1n })
        .where('case_id', '=', Number(CaseId))
        .execute()
      await tx
        .insertInto('cad_events')
        .values({
          tenant_id: 'station',
          event_id: eventId,
          case_id: Number(CaseId),
          transaction_ticks: null,
          stated: '{}',
          written: '{}',
          by_hand: '[]',
        })
        .execute()
      await tx
        .insertInto('case_personnel')
        .values({ case_id: Number(CaseId), position: 0, principal_id: Number(user.principalId), role: 'Assigned' })
        .execute()
    })
    await db.close()
    return {
      call: () => asChief(world, 'GET', `${CORRELATION}/board/${CaseId}/${user.principalId}`),
      status: 200,
      actor: 'chief',
      entries: () => [
        ['correlation.read', 'case', CaseId, { detail: { principalId: user.principalId, state: 'None' } }],
      ],
    }
  },
  getServiceOrigins: async (world) => {
    const service = await integrationOf(world)
    return {
      call: () => asChief(world, 'GET', `${service.place}/origins`),
      status: 200,
      actor: 'chief',
      entries: () => [['user.read', 'service', service.id, { detail: { returned: 0 } }]],
    }
  },
  putServiceOrigins: async (world) => {
    const service = await integrationOf(world)
    const Origins = ['https://dispatch.example']
    return {
      call: () => asChief(world, 'PUT', `${service.place}/origins`, { Origins }),
      status: 200,
      actor: 'chief',
      entries: () => [['service.originsChanged', 'service', service.id, { detail: { before: [], after: Origins } }]],
    }
  },
}

async function integrationOf({ given }: World): Promise<{ id: string; place: string }> {
  const { ServicePrincipalId: id } = await given.integration(fresh('pages'))
  return { id, place: `/userservice/api/v1/tenant/station/services/${id}` }
}

/** A case and evidence of the administrator; linked as the engine does it where that is asked. */
async function pair(world: World, linked = false): Promise<{ caseId: string; evidenceId: string }> {
  const { given } = world
  const evidence = await given.expecting(201, asChief(world, 'POST', `${given.documents}/evidence`, { Name: 'Clip' }))
  const made = await caseOf(world)
  const [caseId, evidenceId] = [made.CaseId as string, evidence.EvidenceId as string]
  if (linked) {
    const db = await openTestDatabase({ file: given.file })
    const link = { case_id: Number(caseId), evidence_id: Number(evidenceId), kind: 'Automatic' as const }
    const by = JSON.stringify({
      PrincipalId: '0',
      KId: '',
      Name: 'internal',
      Username: 'internal',
      PrincipalType: 'internal',
    })
    await db.transaction((tx) =>
      tx
        .insertInto('case_links')
        .values({ ...link, confirmed: 0, rule: 'officer', linked_on: START, linked_by: by })
        .execute(),
    )
    await db.close()
  }
  return { caseId, evidenceId }
}

/** As the engine asks where it may not act. */
async function reviewOf({ given }: World, caseId: string, evidenceId: string): Promise<string> {
  const db = await openTestDatabase({ file: given.file })
  const { review_id: id } = await db.transaction((tx) =>
    tx
      .insertInto('correlation_reviews')
      .values({
        tenant_id: 'station',
        case_id: Number(caseId),
        evidence_id: Number(evidenceId),
        act: 'Withdraw',
        because: 'Confirmed',
        facts: '{}',
        created_utc: START,
        ended_utc: null,
        ended_by: null,
        ended_reason: null,
      })
      .returning('review_id')
      .executeTakeFirstOrThrow(),
  )
  await db.close()
  return String(id)
}
