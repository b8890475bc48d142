import * as contract from '../../../shared/evidence/list.contract.ts'
import { type BoundRoute, json } from '../../http/handlers.ts'
import { asFiltered, filterOf } from './list.filter.ts'
import type { ListService } from './list.service.ts'

interface Deps {
  service: ListService
}

export function listRoutes({ service }: Deps): BoundRoute[] {
  return [
    json(contract.listEvidence, async ({ query, call }) => {
      const name = call.tenant
      const filter = filterOf(query)
      const out = await service.list(call, name, filter, {
        sort: query.sort,
        direction: query.direction,
        count: query.count,
        ...(query.cursor === undefined ? {} : { cursor: query.cursor }),
        ...(query.offset === undefined ? {} : { offset: query.offset }),
        ...(query.total === 'atLeast' ? { exactTo: contract.EXACT_TO } : {}),
      })
      call.describeRead({ detail: { ...asFiltered(query), returned: out.Items.length, total: out.Total } })
      return query.sums === 'true' ? { ...out, Sums: await service.sums(call, name, filter) } : out
    }),
    json(contract.listTags, async ({ query, call }) => {
      const out = await service.tags(call, call.tenant, query.text ?? '', Math.min(query.count, MOST_TAGS))
      call.describeRead({ detail: { ...query, returned: out.length } })
      return out
    }),
  ]
}

const MOST_TAGS = 100
