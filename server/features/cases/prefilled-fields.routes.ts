import * as contract from '../../../shared/cases/prefilled-fields.contract.ts'
import { type BoundRoute, json } from '../../http/handlers.ts'
import type { PrefilledFields } from './prefilled-fields.service.ts'

interface Deps {
  readonly service: PrefilledFields
}

export function prefilledFieldRoutes({ service }: Deps): BoundRoute[] {
  return [
    json(contract.getPrefilledFields, async ({ call }) => {
      const out = await service.list(call.tenant)
      call.describeRead({ detail: { returned: out.length } })
      return out
    }),
    json(contract.updatePrefilledField, async ({ params, query, body, call }) =>
      service.put(call, call.tenant, params.prefilledFieldId, body, query.eTag),
    ),
    json(contract.deletePrefilledField, async ({ params, call }) =>
      service.delete(call, call.tenant, params.prefilledFieldId),
    ),
  ]
}
