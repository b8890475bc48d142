import * as contract from '../../../shared/retention/quarantine.contract.ts'
import { type BoundRoute, json } from '../../http/handlers.ts'
import type { QuarantineService } from './quarantine.service.ts'

interface Deps {
  readonly service: QuarantineService
}

export function quarantineRoutes({ service }: Deps): BoundRoute[] {
  return [
    json(contract.listQuarantine, async ({ query, call }) => {
      const { cursor, count } = query
      const out = await service.list(call, call.tenant, { cursor, count })
      call.describeRead({ detail: { returned: out.Items.length } })
      return out
    }),
    json(contract.approveQuarantine, async ({ body, call }) =>
      service.approve(call, call.tenant, body.Items, body.Reason),
    ),
    json(contract.keepQuarantined, async ({ body, call }) => service.keep(call, call.tenant, body.Items, body.Reason)),
  ]
}
