/** Which recordings belong to which calls. */
import * as contract from '../../../shared/correlation/contract.ts'
import { fault } from '../../../shared/kernel/errors.ts'
import { type BoundRoute, json } from '../../http/handlers.ts'
import type { Feature, Kernel } from '../../kernel/kernel.ts'
import { type CasesOfCorrelation, type CorrelationActs, createCorrelationActs } from './correlation-review.service.ts'
import { createCorrelation } from './correlation.ts'

export function correlationFeature(
  kernel: Kernel,
  needs: CasesOfCorrelation,
): Feature & Pick<CorrelationActs, 'countReviews'> {
  const { db, mode } = kernel
  const { run } = createCorrelation({
    ...kernel,
    db: db.inBackground,
    mayWrite: mode.mayWrite,
    caseChanged: (tx, call, caseId, changed) => needs.linksChanged(tx, call, caseId, { ...changed, automatic: true }),
  })
  const service = createCorrelationActs({ ...kernel, ...needs })
  return {
    countReviews: service.countReviews,
    routes: correlationRoutes({ service }),
    tasks: [
      { name: 'which recordings belong to which calls', runsOn: 'one node', everyMs: 500, afterChanges: true, run },
    ],
  }
}

interface Deps {
  readonly service: CorrelationActs
}

function correlationRoutes({ service }: Deps): BoundRoute[] {
  return [
    json(contract.getCaseCorrelation, async ({ params, call }) => {
      const out = await service.ofCase(call, call.tenant, params.caseId)
      call.describeRead({ detail: { returned: out.Items.length } })
      return out
    }),
    json(contract.explainCorrelation, async ({ params, call }) => {
      const out = await service.ofPair(call, call.tenant, params.caseId, params.evidenceId)
      call.describeRead({ detail: { evidenceId: params.evidenceId, state: out.State } })
      return out
    }),
    json(contract.refuseLink, async ({ params, body, call }) => {
      await service.refuse(call, call.tenant, params.caseId, params.evidenceId, body.Reason)
      return undefined
    }),
    json(contract.listReviews, async ({ query, call }) => {
      const after = query.cursor === undefined ? 0 : readCursor(query.cursor)
      const { Items, last } = await service.reviews(call, call.tenant, { after, count: query.count })
      call.describeRead({ detail: { returned: Items.length } })
      return { Items, Cursor: last === null ? null : writeCursor(last) }
    }),
    json(contract.settleReview, async ({ params, body, call }) => {
      await service.settle(call, call.tenant, params.reviewId, body.Reason)
      return undefined
    }),
    json(contract.acceptReview, async ({ params, body, call }) => {
      await service.accept(call, call.tenant, params.reviewId, body.Reason)
      return undefined
    }),
    json(contract.getRules, async ({ call }) => {
      const rules = await service.rules(call.tenant)
      call.describeRead({ detail: { returned: 2 } })
      return rules
    }),
    json(contract.putRules, async ({ body, call }) => service.setRules(call, call.tenant, body)),
  ]
}

const writeCursor = (last: number): string => Buffer.from(String(last)).toString('base64url')

/** @throws Fault InvalidModel */
function readCursor(cursor: string): number {
  const text = Buffer.from(cursor, 'base64url').toString()
  if (!/^\d{1,15}$/.test(text))
    throw fault('InvalidModel', 'The cursor is none.', [{ Path: 'cursor', Message: 'is not one that was given out' }])
  return Number(text)
}
