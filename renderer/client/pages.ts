/** Lists that come a page at a time, as the parts of lists take them. */
export interface Pages<Row> {
  /** null before the first answer. */
  readonly rows: readonly Row[] | null
  readonly more: boolean
  readonly onMore: () => void
  readonly error: Error | null
  readonly retry: () => void
}

interface Answer<Row> {
  readonly data: { readonly pages: readonly { readonly Items: readonly Row[] }[] } | undefined
  readonly error: Error | null
  readonly hasNextPage: boolean
  readonly isFetchingNextPage: boolean
  readonly fetchNextPage: () => unknown
  readonly refetch: () => unknown
}

export const pagesOf = <Row>(answer: Answer<Row>): Pages<Row> => ({
  rows: answer.data?.pages.flatMap(({ Items }) => Items) ?? null,
  more: answer.hasNextPage,
  onMore: () => {
    if (!answer.isFetchingNextPage) void answer.fetchNextPage()
  },
  error: answer.error,
  retry: () => void answer.refetch(),
})

/** Rows that are known to come and are not here yet. */
const AHEAD = 10

export function windowOf<Row>({ rows, more, onMore }: Pages<Row>) {
  const length = rows?.length ?? 0
  return {
    total: rows === null ? null : length + (more ? AHEAD : 0),
    rowAt: (index: number): Row | undefined => rows?.[index],
    onWindow: (_first: number, last: number): void => {
      if (more && last >= length) onMore()
    },
    busy: rows === null,
  }
}
