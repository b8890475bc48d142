import * as contract from '../../../shared/devices/associations.contract.ts'
import { TAKE_HOURS, takeDevice } from '../../../shared/devices/take.contract.ts'
import { answer, type BoundRoute, json } from '../../http/handlers.ts'
import type { Associations } from './associations.service.ts'

interface Deps {
  readonly associations: Associations
}

export function associationRoutes({ associations }: Deps): BoundRoute[] {
  return [
    json(contract.listAssociations, async ({ params, call }) => {
      const { device, associations: out } = await associations.list(call.tenant, params.deviceId)
      call.describeRead({ ...device, detail: { returned: out.length } })
      return out
    }),
    json(
      contract.createAssociation,
      async ({ params, body, call }) =>
        associations.create(call, call.tenant, params.deviceId, {
          principalId: body.PrincipalId,
          from: body.FromUtc ?? null,
          to: body.ToUtc ?? null,
        }),
      { judge: ({ params, body, call }) => associations.judge(call, params.deviceId, body.PrincipalId) },
    ),
    json(
      takeDevice,
      async ({ params, body, call }) =>
        associations.take(call, call.tenant, params.deviceId, {
          principalId: body?.PrincipalId ?? null,
          hours: body?.Hours ?? TAKE_HOURS,
          endOthers: body?.EndOthers ?? false,
        }),
      { judge: ({ params, body, call }) => associations.judge(call, params.deviceId, body?.PrincipalId ?? null) },
    ),
    json(contract.changeAssociation, async ({ params, body, call }) =>
      associations.change(call, call.tenant, params.deviceId, params.associationId, {
        from: body.FromUtc ?? undefined,
        to: body.ToUtc,
        concurrencyId: body.ConcurrencyId,
      }),
    ),
    json(contract.deleteAssociation, async ({ params, call }) => {
      await associations.remove(call, call.tenant, params.deviceId, params.associationId)
      return answer(204, undefined)
    }),
    json(contract.confirmAssociation, async ({ params, body, call }) =>
      associations.confirm(call, call.tenant, params.deviceId, params.associationId, body?.ConcurrencyId),
    ),
  ]
}
