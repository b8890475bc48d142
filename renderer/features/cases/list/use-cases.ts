/** A list of cases, page after page as it comes in sight. */
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { useCallback, useMemo } from 'react'
import * as lists from '../../../../shared/cases/case-list.contract.ts'
import { call } from '../../../client/api.ts'
import { useSession } from '../../../client/session.tsx'
import type { CaseItem } from '../queries.ts'
import type { CaseQuery } from './search.ts'

const PAGE = '100'
/** Rows that are not here yet and are known to come. */
const AHEAD = 10

export interface CaseRows {
  /** null before the first answer. */
  readonly items: readonly CaseItem[] | null
  /** More of them are at the station. */
  readonly more: boolean
  /** For the table: with room for what comes; null before the first answer. */
  readonly total: number | null
  readonly rowAt: (index: number) => CaseItem | undefined
  readonly show: (first: number, last: number) => void
  readonly next: () => void
  readonly error: Error | null
  readonly retry: () => void
}

export function useCases(query: CaseQuery, enabled = true): CaseRows {
  const { tenant } = useSession()
  const answer = useInfiniteQuery({
    queryKey: ['case-list', tenant, query],
    enabled,
    placeholderData: keepPreviousData,
    staleTime: 5_000,
    initialPageParam: null as string | null,
    queryFn: ({ signal, pageParam }) =>
      call(lists.listCases, {
        params: { tenantId: tenant },
        query: { ...query, count: PAGE, ...(pageParam === null ? {} : { cursor: pageParam }) },
        signal,
      }),
    getNextPageParam: ({ Cursor }) => Cursor,
  })
  const { data, hasNextPage, isFetchingNextPage, fetchNextPage, error, refetch } = answer
  const items = useMemo(() => data?.pages.flatMap(({ Items }) => Items) ?? null, [data])
  const length = items?.length ?? 0
  const next = useCallback(() => {
    if (hasNextPage && !isFetchingNextPage) void fetchNextPage()
  }, [hasNextPage, isFetchingNextPage, fetchNextPage])
  const show = useCallback(
    (_first: number, last: number) => {
      if (last >= length) next()
    },
    [length, next],
  )
  return {
    items,
    more: hasNextPage,
    total: items === null ? null : length + (hasNextPage ? AHEAD : 0),
    rowAt: (index) => items?.[index],
    show,
    next,
    error,
    retry: () => void refetch(),
  }
}
