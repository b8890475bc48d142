/** The list by windows: whatever part of it is on the screen is asked for, a page at a time, and kept. */
import { keepPreviousData, useQueries, useQuery } from '@tanstack/react-query'
import { useCallback, useMemo, useState } from 'react'
import type { z } from 'zod'
import * as documents from '../../../../shared/evidence/contract.ts'
import { call } from '../../../client/api.ts'
import { type ListSearch, queryOf } from './search.ts'

export type Item = z.output<typeof documents.EvidenceListItem>
type Page = { readonly Items: readonly Item[]; readonly Total: number; readonly TotalIsAtLeast: boolean }

export const PAGE = 100

export interface ListWindow {
  /** Of all that match; null before the first answer. */
  readonly total: number | null
  /** There are more, and they are still being counted. */
  readonly counting: boolean
  /** Undefined while its page is on its way. */
  readonly rowAt: (index: number) => Item | undefined
  /** Rows that are here, in their order. */
  readonly loaded: readonly Item[]
  readonly show: (first: number, last: number) => void
  readonly error: Error | null
  readonly retry: () => void
  readonly refreshing: boolean
}

export function useListWindow(tenant: string, search: ListSearch): ListWindow {
  const [range, setRange] = useState<readonly [number, number]>([0, 0])
  const query = useMemo(() => queryOf(search), [search])
  const pages = useMemo(() => {
    const [first, last] = range
    return Array.from({ length: last - first + 1 }, (_none, index) => first + index)
  }, [range])
  const answers = useQueries({
    queries: pages.map((page) => ({
      queryKey: ['evidence-list', tenant, query, page],
      queryFn: ({ signal }: { signal: AbortSignal }): Promise<Page> =>
        call(documents.listEvidence, {
          params: { tenantName: tenant },
          query: { ...query, count: String(PAGE), offset: String(page * PAGE), total: 'atLeast' },
          signal,
        }),
      placeholderData: keepPreviousData,
      staleTime: 5_000,
    })),
  })
  const byPage = new Map(pages.map((page, index) => [page, answers[index]?.data] as const))
  const first = answers.find(({ data }) => data !== undefined)?.data
  const many = first?.TotalIsAtLeast === true
  // To count very many takes longer than a page may: they are counted beside it, and now and then instead of at every change.
  const whole = useQuery({
    queryKey: ['evidence-count', tenant, query],
    queryFn: async ({ signal }) =>
      (await call(documents.listEvidence, { params: { tenantName: tenant }, query: { ...query, count: '1' }, signal }))
        .Total,
    enabled: many,
    staleTime: 15_000,
    refetchInterval: 15_000,
  })
  const counted = many ? whole.data : undefined
  const total = first === undefined ? null : Math.max(first.Total, counted ?? 0)
  const show = useCallback((first: number, last: number) => {
    const next = [Math.floor(first / PAGE), Math.floor(Math.max(first, last) / PAGE)] as const
    setRange((now) => (now[0] === next[0] && now[1] === next[1] ? now : next))
  }, [])
  return {
    total,
    counting: many && counted === undefined,
    rowAt: (index) => byPage.get(Math.floor(index / PAGE))?.Items[index % PAGE],
    loaded: [...byPage.values()].flatMap((page) => page?.Items ?? []),
    show,
    error: answers.find(({ error }) => error !== null)?.error ?? null,
    retry: () => {
      for (const answer of answers) void answer.refetch()
    },
    refreshing: answers.some(({ isFetching }) => isFetching),
  }
}
