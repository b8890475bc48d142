import * as contract from '../../../shared/templates/contract.ts'
import { type BoundRoute, json } from '../../http/handlers.ts'
import type { Tx } from '../../kernel/database/database.ts'
import type { Feature, Kernel } from '../../kernel/kernel.ts'
import { createTemplates, type Templates } from './templates.service.ts'
import { templateOf } from './templates.store.ts'

/** Templates of custom fields. */
export function templatesFeature(kernel: Kernel) {
  const fieldsOf = (type: 'Case' | 'Evidence') => async (from: Tx, name: string) =>
    (await templateOf(from, name, type))?.customFields ?? []
  return {
    fieldsOf,
    routes: templateRoutes({ service: createTemplates(kernel) }),
  } satisfies Feature & Record<'fieldsOf', unknown>
}

interface Deps {
  readonly service: Templates
}

function templateRoutes({ service }: Deps): BoundRoute[] {
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
