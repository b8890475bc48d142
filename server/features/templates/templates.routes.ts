import * as contract from '../../../shared/templates/contract.ts'
import { type BoundRoute, json } from '../../http/handlers.ts'
import type { Templates } from './templates.service.ts'

interface Deps {
  readonly service: Templates
}

export function templateRoutes({ service }: Deps): BoundRoute[] {
  return [
    json(contract.listTemplates, async ({ call }) => {
      const out = await service.list(call.tenant)
      call.describeRead({ detail: { returned: out.length } })
      return out
    }),
    json(contract.putTemplate, async ({ body, call }) =>
      service.put(call, call.tenant, body.type, {
        renamedFields: body.renamedFields ?? [],
        customFields: (body.customFields ?? []).map(({ name, type, choices }) =>
          choices === null || choices === undefined ? { name, type } : { name, type, choices },
        ),
      }),
    ),
  ]
}
