/** The list by windows: whatever part of it is on the screen is asked for, a page at a time, and kept. */
import { keepPreviousData, useQueries, useQuery } from '@tanstack/react-query'
import { useCallback, useMemo, useState } from 'react'
import type { z } from 'zod'
import * as documents from '../../../../shared/evidence/contract.ts'
import { call } from '../../../client/api.ts'
import { type ListSearch, queryOf } from './search.ts'

export type Item = z.output<typeof documents.EvidenceListItem>
export type Shift = NonNullable<z.output<(typeof documents.listEvidence)['responses'][200]>['Shifts']>[number]
interface Page {
  readonly Items: readonly Item[]
  readonly Total: number
  readonly TotalIsAtLeast: boolean
  readonly Shifts?: readonly Shift[] | undefined
}

/** A shift, and the row of the whole list with which it begins. */
export interface ShiftHead extends Shift {
  readonly at: number
}

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
  /** Where shifts begin, as far as pages were here; empty where they were not asked for. */
  readonly shifts: readonly ShiftHead[]
  readonly error: Error | null
  readonly retry: () => void
  readonly refreshing: boolean
}

/** @param inShifts whether the shifts of the rows are asked for */
export function useListWindow(tenant: string, search: ListSearch, inShifts = false): ListWindow {
  const [range, setRange] = useState<readonly [number, number]>([0, 0])
  const query = useMemo(() => queryOf(search), [search])
  const pages = useMemo(() => {
    const [first, last] = range
    return Array.from({ length: last - first + 1 }, (_none, index) => first + index)
  }, [range])
  const answers = useQueries({
    queries: pages.map((page) => ({
      queryKey: ['evidence-list', tenant, query, page, inShifts],
      queryFn: ({ signal }: { signal: AbortSignal }): Promise<Page> =>
        call(documents.listEvidence, {
          params: { tenantName: tenant },
          query: {
            ...query,
            count: String(PAGE),
            offset: String(page * PAGE),
            total: 'atLeast',
            ...(inShifts ? { shifts: 'true' as const } : {}),
          },
          signal,
        }),
      placeholderData: keepPreviousData,
      staleTime: 5_000,
    })),
  })
  const byPage = new Map(pages.map((page, index) => [page, answers[index]?.data] as const))
  const shifts = useShiftHeads(inShifts ? query : null, byPage)
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
    shifts,
    error: answers.find(({ error }) => error !== null)?.error ?? null,
    retry: () => {
      for (const answer of answers) void answer.refetch()
    },
    refreshing: answers.some(({ isFetching }) => isFetching),
  }
}

/**
 * The heads of all pages that were here: they stay when their page goes out of sight, or the rows below would jump. Whether a shift begins
 * with the first row of a page is told by the page before.
 */
function useShiftHeads(query: object | null, pages: ReadonlyMap<number, Page | undefined>): readonly ShiftHead[] {
  const [known] = useState(() => ({ of: '', pages: new Map<number, readonly Shift[]>(), heads: [] as ShiftHead[] }))
  const of = JSON.stringify(query)
  if (known.of !== of) Object.assign(known, { of, pages: new Map(), heads: [] })
  if (query === null) return known.heads
  let changed = false
  for (const [page, answer] of pages)
    if (answer?.Shifts !== undefined && known.pages.get(page) !== answer.Shifts) {
      known.pages.set(page, answer.Shifts)
      changed = true
    }
  if (changed) known.heads = headsOf(known.pages)
  return known.heads
}

export const headsOf = (pages: ReadonlyMap<number, readonly Shift[]>): ShiftHead[] =>
  [...pages.keys()]
    .toSorted((one, other) => one - other)
    .flatMap((page) =>
      (pages.get(page) ?? []).flatMap((shift) => {
        const before = pages.get(page - 1)?.at(-1)
        const goesOn = shift.First === 0 && page > 0 && (before === undefined || before.FromUtc === shift.FromUtc)
        return goesOn ? [] : [{ ...shift, at: page * PAGE + shift.First }]
      }),
    )
