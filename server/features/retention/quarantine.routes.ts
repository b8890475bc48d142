import * as contract from '../../../shared/retention/quarantine.contract.ts'
import { type BoundRoute, json } from '../../http/handlers.ts'
import type { QuarantineService } from './quarantine.service.ts'

interface Deps {
  readonly service: QuarantineService
  /** Gives the tenant's name as registered. @throws Fault TenantNotFound */
  readonly tenant: (name: string) => string
}

export function quarantineRoutes({ service, tenant }: Deps): BoundRoute[] {
  return [
    json(contract.listQuarantine, async ({ params, query, call }) => {
      const { cursor, count } = query
      const out = await service.list(call, tenant(params.tenantName), { cursor, count })
      call.seen({ detail: { returned: out.Items.length } })
      return out
    }),
    json(contract.approveQuarantine, async ({ params, body, call }) =>
      service.approve(call, tenant(params.tenantName), body.Items, body.Reason),
    ),
    json(contract.keepQuarantined, async ({ params, body, call }) =>
      service.keep(call, tenant(params.tenantName), body.Items, body.Reason),
    ),
  ]
}
