import * as contract from '../../../../shared/identity/service-origins.contract.ts'
import { type BoundRoute, json } from '../../../http/handlers.ts'
import type { Origins } from './origins.service.ts'

interface Deps {
  readonly origins: Origins
  /** Gives the tenant's name as registered. @throws Fault TenantNotFound */
  readonly tenant: (name: string) => string
}

export function originRoutes({ origins, tenant }: Deps): BoundRoute[] {
  return [
    json(contract.getServiceOrigins, async ({ params, call }) => {
      const { Origins: found, name } = await origins.read(tenant(params.tenantId), params.serviceId)
      call.seen({ name, detail: { returned: found.length } })
      return { Origins: found }
    }),
    json(contract.putServiceOrigins, async ({ params, body, call }) =>
      origins.replace(call, tenant(params.tenantId), params.serviceId, body.Origins),
    ),
  ]
}
