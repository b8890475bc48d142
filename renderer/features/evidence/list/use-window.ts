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

/** A shift over its rows. */
export interface ShownShift extends ShiftHead {
  /** The row that is shown first under it, or first after it where it is folded. */
  readonly shownAt: number
  readonly folded: boolean
}

export const PAGE = 100

export interface ListWindow {
  /** Of all that match; null before the first answer. */
  readonly total: number | null
  /** So many of them are shown: all but those of folded shifts. */
  readonly shown: number | null
  /** There are more, and they are still being counted. */
  readonly counting: boolean
  /** Undefined while its page is on its way. */
  readonly rowAt: (index: number) => Item | undefined
  /** Rows that are here, in their order. */
  readonly loaded: readonly Item[]
  readonly show: (first: number, last: number) => void
  /** Where shifts begin, as far as pages were here; empty where they were not asked for. */
  readonly shifts: readonly ShownShift[]
  readonly error: Error | null
  readonly retry: () => void
  readonly refreshing: boolean
}

const NONE: ReadonlySet<string> = new Set()

interface InShifts {
  /** Whether the shifts of the rows are asked for. */
  readonly inShifts: boolean
  /** Beginnings of the shifts whose rows are not shown. */
  readonly folded: ReadonlySet<string>
}

export function useListWindow(
  tenant: string,
  search: ListSearch,
  { inShifts, folded }: InShifts = { inShifts: false, folded: NONE },
): ListWindow {
  const [pages, setPages] = useState<readonly number[]>([0])
  const query = useMemo(() => queryOf(search), [search])
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
  const heads = useShiftHeads(inShifts ? query : null, byPage)
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
  const total = useLastKnown(query, first === undefined ? null : Math.max(first.Total, counted ?? 0))
  const { shifts, folds } = useMemo(() => foldedShifts(heads, folded, total ?? 0), [heads, folded, total])
  const show = useCallback(
    (first: number, last: number) => {
      const next = pagesOf(folds, first, Math.max(first, last))
      setPages((now) => (now.join() === next.join() ? now : next))
    },
    [folds],
  )
  return {
    total,
    shown: total === null ? null : total - folds.reduce((sum, { rows }) => sum + rows, 0),
    counting: many && counted === undefined,
    rowAt: (index) => {
      const at = placeOf(folds, index)
      return byPage.get(Math.floor(at / PAGE))?.Items[at % PAGE]
    },
    loaded: [...byPage].flatMap(([page, answer]) =>
      (answer?.Items ?? []).filter((_item, index) => !isFolded(folds, page * PAGE + index)),
    ),
    show,
    shifts,
    error: answers.find(({ error }) => error !== null)?.error ?? null,
    retry: () => {
      for (const answer of answers) void answer.refetch()
    },
    refreshing: answers.some(({ isFetching }) => isFetching),
  }
}

/** After a far jump no page is here for a moment: the list stays as long as it was, or its rows and folded shifts would lose their places. */
function useLastKnown(query: object, total: number | null): number | null {
  const [known] = useState(() => ({ of: '', total: null as number | null }))
  const of = JSON.stringify(query)
  if (known.of !== of) Object.assign(known, { of, total: null })
  if (total !== null) known.total = total
  return known.total
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

export function headsOf(pages: ReadonlyMap<number, readonly Shift[]>): ShiftHead[] {
  const heads: ShiftHead[] = []
  for (const page of [...pages.keys()].toSorted((one, other) => one - other))
    for (const shift of pages.get(page) ?? []) {
      const at = page * PAGE + shift.First
      const last = heads.at(-1)
      const before = pages.get(page - 1)?.at(-1)?.FromUtc ?? (endOf(last) === at ? last?.FromUtc : undefined)
      const goesOn = shift.First === 0 && page > 0 && (before === undefined || before === shift.FromUtc)
      if (!goesOn && last?.FromUtc !== shift.FromUtc) heads.push({ ...shift, at })
    }
  return heads
}

const endOf = (head: ShiftHead | undefined): number | undefined => head && head.at + head.Count

/** Rows of the list that are not shown. */
export interface Fold {
  readonly at: number
  readonly rows: number
}

/** What stands over the rows, and what is folded away under it. One head over all rows would part nothing. */
export function foldedShifts(
  heads: readonly ShiftHead[],
  folded: ReadonlySet<string>,
  total: number,
): { readonly shifts: readonly ShownShift[]; readonly folds: readonly Fold[] } {
  const [only] = heads
  if (only === undefined || (heads.length === 1 && only.at === 0 && only.Count >= total))
    return { shifts: [], folds: [] }
  const shifts: ShownShift[] = []
  const folds: Fold[] = []
  let hidden = 0
  for (const [index, head] of heads.entries()) {
    const isShut = folded.has(head.FromUtc)
    shifts.push({ ...head, shownAt: head.at - hidden, folded: isShut })
    const rows = Math.min(head.at + head.Count, heads[index + 1]?.at ?? total, total) - head.at
    if (!isShut || rows <= 0) continue
    folds.push({ at: head.at, rows })
    hidden += rows
  }
  return { shifts, folds }
}

/** The place in the whole list of a row that is shown. */
export function placeOf(folds: readonly Fold[], shown: number): number {
  let at = shown
  for (const fold of folds) {
    if (fold.at > at) break
    at += fold.rows
  }
  return at
}

const isFolded = (folds: readonly Fold[], place: number): boolean =>
  folds.some(({ at, rows }) => place >= at && place < at + rows)

/** The pages of rows and heads that are shown: those of folded rows alone are not asked for. */
export function pagesOf(folds: readonly Fold[], first: number, last: number): readonly number[] {
  const places = Array.from({ length: last - first + 1 }, (_none, index) => placeOf(folds, first + index))
  // How many rows a folded head hides changes while somebody looks at it.
  const [from = 0, to = 0] = [places[0], places.at(-1)]
  const heads = folds.filter(({ at, rows }) => at + rows >= from && at <= to + 1).map(({ at }) => at)
  const pages = new Set([...places, ...heads].map((place) => Math.floor(place / PAGE)))
  return [...pages].toSorted((one, other) => one - other)
}
