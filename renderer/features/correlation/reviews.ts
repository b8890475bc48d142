/** What the frame of every page asks of the engine too. */
import { useInfiniteQuery } from '@tanstack/react-query'
import type { z } from 'zod'
import { listReviews, type ReviewModel } from '../../../shared/correlation/contract.ts'
import { call } from '../../client/api.ts'
import { type Pages, pagesOf } from '../../client/pages.ts'
import { useSession } from '../../client/session.tsx'

export type Review = z.output<typeof ReviewModel>

/** Beside the live events: what the engine does not ask any more tells nobody. */
const AGAIN = 5 * 60_000

export function useReviews(enabled = true): Pages<Review> {
  const { tenant } = useSession()
  const answer = useInfiniteQuery({
    queryKey: ['reviews', tenant],
    enabled,
    refetchInterval: AGAIN,
    initialPageParam: null as string | null,
    queryFn: ({ signal, pageParam }) =>
      call(listReviews, {
        params: { tenantId: tenant },
        query: pageParam === null ? {} : { cursor: pageParam },
        signal,
      }),
    getNextPageParam: ({ Cursor }) => Cursor,
  })
  return pagesOf(answer)
}
