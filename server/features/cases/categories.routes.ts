import type { z } from 'zod'
import * as contract from '../../../shared/cases/categories.contract.ts'
import { type BoundRoute, json } from '../../http/handlers.ts'
import type { Categories, CategoryInput } from './categories.service.ts'

interface Deps {
  readonly service: Categories
  /** Gives the tenant's name as registered. @throws Fault TenantNotFound */
  readonly tenant: (name: string) => string
}

export function categoryRoutes({ service, tenant }: Deps): BoundRoute[] {
  return [
    json(contract.createCategory, async ({ params, body, call }) =>
      service.create(call, tenant(params.tenantId), inputOf(body)),
    ),
    json(contract.listCategories, async ({ params, call }) => {
      const out = await service.list(tenant(params.tenantId))
      call.seen({ detail: { returned: out.length } })
      return out
    }),
    json(contract.getCategory, async ({ params, call }) => {
      const out = await service.read(tenant(params.tenantId), params.categoryId)
      call.seen({ id: out.CategoryId, name: out.Name, detail: { concurrencyId: out.ConcurrencyId } })
      return out
    }),
    json(contract.updateCategory, async ({ params, body, call }) =>
      service.update(call, tenant(params.tenantId), params.categoryId, inputOf(body), body.ConcurrencyId),
    ),
  ]
}

const inputOf = (body: z.output<typeof contract.CreateCategoryModel>): CategoryInput => ({
  name: body.Name,
  description: body.Description ?? null,
  color: body.Color ?? null,
  retentionDays: body.RetentionDays ?? null,
  enabled: body.Enabled ?? null,
})
