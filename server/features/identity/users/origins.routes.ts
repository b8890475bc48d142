import * as contract from '../../../../shared/identity/service-origins.contract.ts'
import { type BoundRoute, json } from '../../../http/handlers.ts'
import type { Origins } from './origins.service.ts'

interface Deps {
  readonly origins: Origins
}

export function originRoutes({ origins }: Deps): BoundRoute[] {
  return [
    json(contract.getServiceOrigins, async ({ params, call }) => {
      const { Origins: found, name } = await origins.read(call.tenant, params.serviceId)
      call.describeRead({ name, detail: { returned: found.length } })
      return { Origins: found }
    }),
    json(contract.putServiceOrigins, async ({ params, body, call }) =>
      origins.replace(call, call.tenant, params.serviceId, body.Origins),
    ),
  ]
}
