/** What the frame of every page asks of the engine too. */
import type { z } from 'zod'
import { listReviews, type ReviewModel } from '../../../shared/correlation/contract.ts'
import { call } from '../../client/api.ts'
import { from, type Pages, useItemPages } from '../../client/pages.ts'
import { useSession } from '../../client/session.tsx'

export type Review = z.output<typeof ReviewModel>

/** Beside the live events: what the engine does not ask any more tells nobody. */
const AGAIN = 5 * 60_000

export function useReviews(enabled = true): Pages<Review> {
  const { tenant } = useSession()
  return useItemPages({
    queryKey: ['reviews', tenant],
    enabled,
    refetchEvery: () => AGAIN,
    ask: (cursor, signal) =>
      call(listReviews, {
        params: { tenantId: tenant },
        query: from(cursor),
        signal,
      }),
  })
}
