import type { z } from 'zod'
import type { ListQuery } from '../../../shared/evidence/list.contract.ts'
import type { ListFilter } from '../../kernel/evidence/list.store.ts'
import type { SpanOf } from './list.periods.ts'
import { tagKey } from '../../kernel/evidence/records.ts'

/** Of a page, or of the whole list, which has neither place nor count. */
type Whole = 'sort' | 'direction' | 'cursor' | 'offset' | 'count' | 'total' | 'sums' | 'shifts'
type Query = Omit<z.output<typeof ListQuery>, Whole> & Partial<Pick<z.output<typeof ListQuery>, Whole>>

export const filterOf = ({ text, tag, state, type, status, from, to, ...query }: Query): ListFilter => ({
  ...(text === undefined ? {} : { text }),
  ...(tag === undefined ? {} : { tagKeys: [...new Set(tag.map(tagKey))] }),
  ...(state === undefined ? {} : { state }),
  ...(type === undefined ? {} : { types: type }),
  ...(status === undefined ? {} : { statuses: status }),
  ...(from === undefined ? {} : { fromTicks: from.ticks }),
  ...(to === undefined ? {} : { toTicks: to.ticks }),
  ...(query.case === undefined ? {} : { caseId: idOf(query.case) }),
  ...(query.officer === undefined ? {} : { officers: query.officer.map(idOf) }),
  ...(query.device === undefined ? {} : { devices: query.device }),
  ...(query.category === undefined ? {} : { categories: query.category }),
  ...(query.protected === 'true' ? { protected: true } : {}),
  ...(query.notes === 'true' ? { notes: true } : {}),
  ...(query.marks === 'true' ? { marks: true } : {}),
  ...(query.noCase === 'true' ? { inNoCase: true } : {}),
  ...(query.minLength === undefined ? {} : { leastLength: query.minLength }),
  ...(query.maxLength === undefined ? {} : { mostLength: query.maxLength }),
  ...(query.unfinished === 'true' ? { unfinished: true } : {}),
  ...(query.deleted === 'true' ? { deleted: true } : {}),
})

/** With the time that a period stands for now. */
export async function filterAt(query: Query, tenant: string, spanOf: SpanOf): Promise<ListFilter> {
  const { period } = query
  return period === undefined ? filterOf(query) : { ...filterOf(query), ...(await spanOf(tenant, period)) }
}

/** Ids beyond 2⁵³ cannot exist here; a rounded one must not find its neighbour. */
const idOf = (text: string): number => (Number.isSafeInteger(Number(text)) ? Number(text) : 0)

/** As it was asked for. The cursor holds a name where the list is sorted by names, and names belong into no other entry. */
export function asFiltered({
  from,
  to,
  cursor,
  total: _counted,
  shifts: _headed,
  ...query
}: Query): Record<string, unknown> {
  const given = { ...query, from: from?.text, to: to?.text, ...(cursor === undefined ? {} : { continued: true }) }
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined))
}
