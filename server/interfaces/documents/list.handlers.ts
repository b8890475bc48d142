import type { z } from 'zod'
import * as contract from '../../../shared/contract/evidence-list.ts'
import type { ListFilter } from '../../evidence/records/list.repository.ts'
import { tagKey } from '../../evidence/records/records.ts'
import { type BoundRoute, json } from '../handlers.ts'
import type { ListService } from './list.service.ts'

interface Deps {
  service: ListService
  /** Gives the tenant's name as registered. @throws Fault TenantNotFound */
  tenant: (name: string) => string
}

type Query = z.output<typeof contract.ListQuery>

export function listRoutes({ service, tenant }: Deps): BoundRoute[] {
  return [
    json(contract.listEvidence, async ({ params, query, call }) => {
      const out = await service.list(call, tenant(params.tenantName), filterOf(query), {
        sort: query.sort,
        direction: query.direction,
        count: query.count,
        ...(query.cursor === undefined ? {} : { cursor: query.cursor }),
        ...(query.offset === undefined ? {} : { offset: query.offset }),
      })
      call.seen({ detail: { ...asFiltered(query), returned: out.Items.length, total: out.Total } })
      return out
    }),
    json(contract.listTags, async ({ params, query, call }) => {
      const out = await service.tags(
        call,
        tenant(params.tenantName),
        query.text ?? '',
        Math.min(query.count, MOST_TAGS),
      )
      call.seen({ detail: { ...query, returned: out.length } })
      return out
    }),
  ]
}

const MOST_TAGS = 100

const filterOf = ({ text, tag, state, type, status, from, to, ...query }: Query): ListFilter => ({
  ...(text === undefined ? {} : { text }),
  ...(tag === undefined ? {} : { tagKeys: [...new Set(tag.map(tagKey))] }),
  ...(state === undefined ? {} : { state }),
  ...(type === undefined ? {} : { types: type }),
  ...(status === undefined ? {} : { statuses: status }),
  ...(from === undefined ? {} : { fromTicks: from.ticks }),
  ...(to === undefined ? {} : { toTicks: to.ticks }),
  // Ids beyond 2⁵³ cannot exist here; a rounded one must not find its neighbour.
  ...(query.case === undefined ? {} : { caseId: Number.isSafeInteger(Number(query.case)) ? Number(query.case) : 0 }),
  ...(query.unfinished === 'true' ? { unfinished: true } : {}),
  ...(query.deleted === 'true' ? { deleted: true } : {}),
})

/** As it was asked for. The cursor holds a name where the list is sorted by names, and names belong into no other entry. */
function asFiltered({ from, to, cursor, ...query }: Query): Record<string, unknown> {
  const given = { ...query, from: from?.text, to: to?.text, ...(cursor === undefined ? {} : { continued: true }) }
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined))
}
