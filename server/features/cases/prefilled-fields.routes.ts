import * as contract from '../../../shared/cases/prefilled-fields.contract.ts'
import { type BoundRoute, json } from '../../http/handlers.ts'
import type { PrefilledFields } from './prefilled-fields.service.ts'

interface Deps {
  readonly service: PrefilledFields
  /** Gives the tenant's name as registered. @throws Fault TenantNotFound */
  readonly tenant: (name: string) => string
}

export function prefilledFieldRoutes({ service, tenant }: Deps): BoundRoute[] {
  return [
    json(contract.getPrefilledFields, async ({ params, call }) => {
      const out = await service.list(tenant(params.tenantId))
      call.seen({ detail: { returned: out.length } })
      return out
    }),
    json(contract.updatePrefilledField, async ({ params, query, body, call }) =>
      service.put(call, tenant(params.tenantId), params.prefilledFieldId, body, query.eTag),
    ),
    json(contract.deletePrefilledField, async ({ params, call }) =>
      service.delete(call, tenant(params.tenantId), params.prefilledFieldId),
    ),
  ]
}
