/** What the review page asks of the station. */
import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback } from 'react'
import type { z } from 'zod'
import * as contract from '../../../../shared/contract/correlation.ts'
import { call } from '../../../client/api.ts'
import { type Pages, pagesOf } from '../../../client/pages.ts'
import { useSession } from '../../../client/session.tsx'

export type Question = z.output<typeof contract.ReviewModel>

const PAGE = 100

/** What the engine may not do by itself, oldest first. Nobody is told of new ones, so that it is asked again now and then. */
export function useQuestions(): Pages<Question> {
  const { tenant } = useSession()
  const answer = useInfiniteQuery({
    queryKey: ['correlation', 'questions', tenant],
    staleTime: 30_000,
    refetchInterval: 60_000,
    initialPageParam: null as string | null,
    queryFn: ({ signal, pageParam }) =>
      call(contract.listReviews, {
        params: { tenantId: tenant },
        query: { count: String(PAGE), ...(pageParam === null ? {} : { cursor: pageParam }) },
        signal,
      }),
    getNextPageParam: ({ Cursor }) => Cursor,
  })
  return pagesOf(answer)
}

/** How many there are, up to a page of them; asked once where it is shown beside other things. */
export function useQuestionCount(): { readonly count: number; readonly more: boolean } {
  const { tenant, session } = useSession()
  const { data } = useQuery({
    queryKey: ['correlation', 'count', tenant],
    enabled: session.User !== null,
    staleTime: 300_000,
    queryFn: ({ signal }) =>
      call(contract.listReviews, { params: { tenantId: tenant }, query: { count: String(PAGE) }, signal }),
  })
  return { count: data?.Items.length ?? 0, more: data?.Cursor != null }
}

/** Judged anew, as things are now. */
export function useExplanation({ CaseId, EvidenceId }: Question) {
  const { tenant } = useSession()
  return useQuery({
    queryKey: ['correlation', 'why', tenant, CaseId, EvidenceId],
    staleTime: 30_000,
    queryFn: ({ signal }) =>
      call(contract.explainCorrelation, {
        params: { tenantId: tenant, caseId: CaseId, evidenceId: EvidenceId },
        signal,
      }),
  })
}

/** A person's word: does what the station would, or says that it stays as it is. It is not asked again. */
export function useDecide(): (question: Question, reason: string, does: boolean) => Promise<void> {
  const { tenant } = useSession()
  const queries = useQueryClient()
  return useCallback(
    async ({ ReviewId }, reason, does) => {
      await call(does ? contract.acceptReview : contract.settleReview, {
        params: { tenantId: tenant, reviewId: ReviewId },
        body: { Reason: reason },
      })
      await queries.invalidateQueries({ queryKey: ['correlation'] })
      if (does) await queries.invalidateQueries()
    },
    [tenant, queries],
  )
}
