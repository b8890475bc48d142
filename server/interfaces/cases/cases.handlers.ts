import * as contract from '../../../shared/contract/cases.ts'
import { type BoundRoute, json } from '../handlers.ts'
import type { Cases } from './cases.service.ts'

interface Deps {
  readonly service: Cases
  /** Gives the tenant's name as registered. @throws Fault TenantNotFound */
  readonly tenant: (name: string) => string
}

export function caseRoutes({ service, tenant }: Deps): BoundRoute[] {
  return [
    json(contract.createCase, async ({ params, body, call }) => service.create(call, tenant(params.tenantId), body)),
    json(contract.getCase, async ({ params, query, call }) => {
      const out = await service.read(call, tenant(params.tenantId), params.caseId, query.concurrencyId)
      call.seen({ id: out.CaseId, name: out.Title, detail: { concurrencyId: out.ConcurrencyId } })
      return out
    }),
    json(contract.updateCase, async ({ params, body, call }) =>
      service.update(call, tenant(params.tenantId), params.caseId, body),
    ),
    json(contract.patchCase, async ({ params, body, call }) =>
      service.patch(call, tenant(params.tenantId), params.caseId, body),
    ),
    json(contract.getCaseHistory, async ({ params, query, call }) => {
      const { startingConcurrencyId, count } = query
      const page = { count, ...(startingConcurrencyId === undefined ? {} : { startingConcurrencyId }) }
      const out = await service.history(call, tenant(params.tenantId), params.caseId, page)
      call.seen({ name: out.Name, detail: { returned: out.Entries.length } })
      return out
    }),
    json(contract.closeCase, async ({ params, call }) =>
      service.move(call, tenant(params.tenantId), params.caseId, 'Closed'),
    ),
    json(contract.reopenCase, async ({ params, call }) =>
      service.move(call, tenant(params.tenantId), params.caseId, 'Open'),
    ),
    json(contract.followCase, async ({ params, call }) =>
      service.follow(call, tenant(params.tenantId), params.caseId, true),
    ),
    json(contract.unfollowCase, async ({ params, call }) =>
      service.follow(call, tenant(params.tenantId), params.caseId, false),
    ),
  ]
}
