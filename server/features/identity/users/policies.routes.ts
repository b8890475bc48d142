import * as contract from '../../../../shared/identity/policies.contract.ts'
import * as trailContract from '../../../../shared/identity/audit-trail.contract.ts'
import { type BoundRoute, json } from '../../../http/handlers.ts'
import type { Policies } from './policies.service.ts'
import type { Trail } from './audit-trail.service.ts'
import { queryDetail } from './users.routes.ts'

interface Deps {
  readonly policies: Policies
  readonly trail: Trail
}

/** Security policies, the search for principals to share with, and ledger entries about people. */
export function policyRoutes({ policies, trail }: Deps): BoundRoute[] {
  return [
    json(contract.listPolicies, async ({ call }) => {
      const out = await policies.list(call.tenant)
      call.describeRead({ detail: { returned: out.length } })
      return out
    }),
    json(contract.replacePolicy, async ({ params, body, call }) =>
      policies.replace(call, call.tenant, params.policy, {
        members: body.Members,
        concurrencyId: body.ConcurrencyId,
      }),
    ),
    json(contract.findPrincipals, async ({ query, call }) => {
      const out = await policies.find(call.tenant, query.text, query.type)
      call.describeRead({ detail: queryDetail(query, out.length) })
      return out
    }),
    json(trailContract.getUserHistory, async ({ params, query, call }) => {
      const { name, ...out } = await trail.history(call, call.tenant, params.userId, {
        before: query.before,
        count: query.count,
      })
      call.describeRead({ id: params.userId, name, detail: queryDetail(query, out.Entries.length) })
      return out
    }),
    json(trailContract.getSuspiciousActivity, async ({ query, call }) => {
      const { days, kind, before, count } = query
      const name = call.tenant
      const out = await trail.suspicious({ days, kind }, { before, count })
      call.describeRead({ id: name, name, detail: queryDetail(query, out.Entries.length) })
      return out
    }),
  ]
}
