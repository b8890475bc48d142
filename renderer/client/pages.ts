/** Lists that the station answers a page at a time. */
import { hashKey, keepPreviousData, type QueryKey, useInfiniteQuery } from '@tanstack/react-query'
import { useCallback, useEffect, useMemo, useState } from 'react'

export interface Pages<Row> {
  /** null before the first answer. */
  readonly rows: readonly Row[] | null
  readonly more: boolean
  /** The next page was asked for and is not here yet. */
  readonly busy: boolean
  readonly onMore: () => void
  readonly error: Error | null
  readonly retry: () => void
}

export interface PagedAnswer<Page, Row> extends Pages<Row> {
  /** null before the first answer. */
  readonly pages: readonly Page[] | null
  /** Some page is being asked for, or asked for again. */
  readonly isFetching: boolean
}

interface PagedQuery<Page> {
  readonly queryKey: QueryKey
  /** @param cursor where the page begins; null: the first page */
  readonly ask: (cursor: string | null, signal: AbortSignal) => Promise<Page>
  readonly enabled?: boolean
  readonly staleTime?: number
  /** Milliseconds; false: not by itself. Told how many pages are shown. */
  readonly refetchEvery?: (pages: number) => number | false
  /** While another list of the kind is asked for, the rows of the one before stay. */
  readonly keepsPrevious?: boolean
}

interface PageParts<Page, Row> {
  readonly rowsOf: (page: Page) => readonly Row[]
  /** Where the page after the last one begins; null: there is none. */
  readonly cursorOf: (last: Page, all: readonly Page[]) => string | null
}

/** As most routes answer. */
interface ItemPage<Row> {
  readonly Items: readonly Row[]
  readonly Cursor: string | null
}

/** The place where a page begins as the member of a query that most routes take; nothing for the first page. */
export const from = (cursor: string | null): { readonly cursor?: string } => (cursor === null ? {} : { cursor })

export const cursorIn = ({ Cursor }: { readonly Cursor: string | null }): string | null => Cursor
const itemsIn = <Row>({ Items }: ItemPage<Row>): readonly Row[] => Items

/** A list whose pages hold `Items` and the `Cursor` of the next one. */
export const useItemPages = <Row, Page extends ItemPage<Row>>(
  query: PagedQuery<Page & ItemPage<Row>>,
): PagedAnswer<Page, Row> => usePages(query, { rowsOf: itemsIn<Row>, cursorOf: cursorIn })

/** What the cache keeps of a list. */
interface Kept {
  readonly state: { readonly data?: { readonly pages: readonly unknown[] } | undefined }
}

/**
 * A list, page after page. An event of the station has the pages that are here read again, and that gives up a page under way: the page that was
 * asked for is then asked for once more.
 * @param parts functions that stay the same from one rendering to the next
 */
export function usePages<Page, Row>(query: PagedQuery<Page>, parts: PageParts<Page, Row>): PagedAnswer<Page, Row> {
  const { queryKey, ask, enabled = true, staleTime = 0, refetchEvery, keepsPrevious = false } = query
  const { rowsOf, cursorOf } = parts
  const { data, error, hasNextPage, isFetching, isFetchingNextPage, isFetchNextPageError, fetchNextPage, refetch } =
    useInfiniteQuery({
      queryKey,
      enabled,
      staleTime,
      initialPageParam: null as string | null,
      queryFn: ({ signal, pageParam }) => ask(pageParam, signal),
      getNextPageParam: (last: Page, all: readonly Page[]) => cursorOf(last, all),
      ...(keepsPrevious ? { placeholderData: keepPreviousData } : {}),
      ...(refetchEvery === undefined
        ? {}
        : { refetchInterval: ({ state }: Kept) => refetchEvery(state.data?.pages.length ?? 0) }),
    })
  const pages = data?.pages ?? null
  const key = hashKey(queryKey)
  const [wanted, setWanted] = useState({ key, count: 0 })
  const count = pages?.length ?? 0
  const isMissing = wanted.key === key && count < wanted.count && hasNextPage && !isFetchNextPageError
  useEffect(() => {
    if (isMissing && !isFetching) void fetchNextPage()
  }, [isMissing, isFetching, fetchNextPage])
  const onMore = useCallback(() => {
    if (!hasNextPage) return
    setWanted((before) => (before.key === key && before.count === count + 1 ? before : { key, count: count + 1 }))
    if (!isFetching) void fetchNextPage()
  }, [key, count, hasNextPage, isFetching, fetchNextPage])
  return {
    pages,
    rows: useMemo(() => pages?.flatMap((page) => rowsOf(page)) ?? null, [pages, rowsOf]),
    more: hasNextPage,
    busy: isFetchingNextPage || isMissing,
    onMore,
    error,
    retry: () => void refetch(),
    isFetching,
  }
}

/** Rows that are known to come and are not here yet. */
const AHEAD = 10

export interface Window<Row> {
  /** With room for what comes; null before the first answer. */
  readonly total: number | null
  readonly rowAt: (index: number) => Row | undefined
  readonly onWindow: (first: number, last: number) => void
  readonly busy: boolean
}

type Shown<Row> = Pick<Pages<Row>, 'rows'> & Partial<Pick<Pages<Row>, 'more' | 'onMore'>>

/** A list as a table shows it that asks for pages as they come in sight. */
export function windowOf<Row>({ rows, more = false, onMore }: Shown<Row>): Window<Row> {
  const length = rows?.length ?? 0
  return {
    total: rows === null ? null : length + (more ? AHEAD : 0),
    rowAt: (index) => rows?.[index],
    onWindow: (_first, last) => {
      if (more && last >= length) onMore?.()
    },
    busy: rows === null,
  }
}
