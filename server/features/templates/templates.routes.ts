import * as contract from '../../../shared/templates/contract.ts'
import { type BoundRoute, json } from '../../http/handlers.ts'
import type { Templates } from './templates.service.ts'

interface Deps {
  readonly service: Templates
  /** Gives the tenant's name as registered. @throws Fault TenantNotFound */
  readonly tenant: (name: string) => string
}

export function templateRoutes({ service, tenant }: Deps): BoundRoute[] {
  return [
    json(contract.listTemplates, async ({ params, call }) => {
      const out = await service.list(tenant(params.tenantName))
      call.seen({ detail: { returned: out.length } })
      return out
    }),
    json(contract.putTemplate, async ({ params, body, call }) =>
      service.put(call, tenant(params.tenantName), body.type, {
        renamedFields: body.renamedFields ?? [],
        customFields: (body.customFields ?? []).map(({ name, type, choices }) =>
          choices === null || choices === undefined ? { name, type } : { name, type, choices },
        ),
      }),
    ),
  ]
}
