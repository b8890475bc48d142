import { keepPreviousData, useQuery } from '@tanstack/react-query'
import * as documents from '../../../../shared/evidence/contract.ts'
import { call } from '../../../client/api.ts'
import { useSession } from '../../../client/session.tsx'
import { type ListSearch, queryOf } from './search.ts'

export interface FacetValue {
  readonly id: string
  /** As people call it; null: the value says it. */
  readonly name: string | null
  readonly count: number
}

type Facet = 'type' | 'status' | 'category' | 'device' | 'officer' | 'tag' | 'has'

/** How many there are of each value among what the list would show; asked while a filter is open or needs its names. */
export function useFacet(facet: Facet, search: ListSearch, enabled = true) {
  const { tenant } = useSession()
  const { sort: _sort, direction: _direction, ...query } = queryOf(search)
  const { data } = useQuery({
    queryKey: ['evidence-list', tenant, 'facet', facet, query],
    queryFn: ({ signal }) =>
      call(documents.listEvidenceFacet, { params: { tenantName: tenant, facet }, query, signal }),
    enabled,
    placeholderData: keepPreviousData,
    staleTime: 5_000,
  })
  const values: readonly FacetValue[] | null =
    data?.Values.map(({ Value, Name, Count }) => ({ id: Value, name: Name, count: Count })) ?? null
  return { values, atLeast: data?.AreAtLeast ?? false }
}
