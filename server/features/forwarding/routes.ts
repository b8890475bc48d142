import * as contract from '../../../shared/forwarding/contract.ts'
import { fault } from '../../../shared/kernel/errors.ts'
import { answer, type BoundRoute, json } from '../../http/handlers.ts'
import type { ForwardingService } from './service.ts'

export function forwardingRoutes(service: ForwardingService): BoundRoute[] {
  return [
    json(contract.getHeadquarters, async ({ call }) => {
      const out = await service.read(call.tenant)
      call.describeRead({ id: call.tenant, name: out.Address ?? '', detail: { state: out.State } })
      return out
    }),
    json(contract.importHeadquarters, ({ body, call }) => service.import(call, call.tenant, body.Connection)),
    json(contract.removeHeadquarters, async ({ call }) => {
      await service.remove(call, call.tenant)
      return undefined
    }),
    json(contract.putForwardingRules, ({ body, call }) => service.setRules(call, call.tenant, body)),
    json(contract.testHeadquarters, ({ call }) => service.test(call, call.tenant)),
    json(contract.listForwarding, async ({ query, call }) => {
      const after = query.cursor === undefined ? 0 : readCursor(query.cursor)
      const { Items, last } = await service.items(call.tenant, query.state, { after, count: query.count })
      call.describeRead({ detail: { returned: Items.length, state: query.state } })
      return { Items, Cursor: last === null ? null : Buffer.from(String(last)).toString('base64url') }
    }),
    json(contract.retryForwarding, async ({ params, call }) => {
      await service.retry(call, call.tenant, params.evidenceId)
      return undefined
    }),
    json(contract.listForwardingQuestions, async ({ call }) => {
      const out = await service.questions(call.tenant)
      call.describeRead({ detail: { returned: out.length } })
      return out
    }),
    json(contract.settleForwardingQuestion, async ({ params, body, call }) => {
      await service.settle(call, call.tenant, params.questionId, body.Keep)
      return undefined
    }),
    json(contract.getEvidenceForwarding, async ({ params, call }) => {
      const out = await service.ofEvidence(call, call.tenant, params.evidenceId)
      call.describeRead({ id: params.evidenceId, detail: { state: out.State } })
      return out
    }),
    json(contract.forwardEvidence, async ({ params, call }) =>
      answer(202, await service.request(call, call.tenant, params.evidenceId)),
    ),
    json(contract.fetchOriginal, async ({ params, call }) =>
      answer(202, await service.fetch(call, call.tenant, params.evidenceId, params.resourceId)),
    ),
  ]
}

/** @throws Fault InvalidModel */
function readCursor(cursor: string): number {
  const text = Buffer.from(cursor, 'base64url').toString()
  if (!/^\d{1,15}$/.test(text))
    throw fault('InvalidModel', 'The cursor is none.', [{ Path: 'cursor', Message: 'is not one that was given out' }])
  return Number(text)
}
