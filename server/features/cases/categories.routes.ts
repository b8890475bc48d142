import type { z } from 'zod'
import * as contract from '../../../shared/cases/categories.contract.ts'
import { type BoundRoute, json } from '../../http/handlers.ts'
import type { Categories, CategoryInput } from './categories.service.ts'

interface Deps {
  readonly service: Categories
}

export function categoryRoutes({ service }: Deps): BoundRoute[] {
  return [
    json(contract.createCategory, async ({ body, call }) => service.create(call, call.tenant, inputOf(body))),
    json(contract.listCategories, async ({ call }) => {
      const out = await service.list(call.tenant)
      call.describeRead({ detail: { returned: out.length } })
      return out
    }),
    json(contract.getCategory, async ({ params, call }) => {
      const out = await service.read(call.tenant, params.categoryId)
      call.describeRead({ id: out.CategoryId, name: out.Name, detail: { concurrencyId: out.ConcurrencyId } })
      return out
    }),
    json(contract.updateCategory, async ({ params, body, call }) =>
      service.update(call, call.tenant, params.categoryId, inputOf(body), body.ConcurrencyId),
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
