/** What the station has to tell this person; the stream of changes says when there is more. */
import { type InfiniteData, type QueryClient, useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback } from 'react'
import type { z } from 'zod'
import * as contract from '../../shared/contract/notices.ts'
import { call } from './api.ts'
import { useSession } from './session.tsx'

export type Notice = z.output<typeof contract.NoticeModel>

export const NOTICES = ['notices'] as const
const PAGE = '20'

export function useNotices() {
  const { tenant, session } = useSession()
  return useInfiniteQuery({
    queryKey: [...NOTICES, tenant],
    enabled: session.State === 'open',
    initialPageParam: null as string | null,
    queryFn: ({ signal, pageParam }) =>
      call(contract.listNotices, {
        params: { tenantId: tenant },
        query: { count: PAGE, ...(pageParam === null ? {} : { cursor: pageParam }) },
        signal,
      }),
    getNextPageParam: ({ Cursor }) => Cursor,
  })
}

/** As the page knows it; undefined before the first answer. */
export const knownUnseen = (queries: QueryClient): number | undefined =>
  queries.getQueriesData<InfiniteData<{ readonly Unseen: number }>>({ queryKey: NOTICES })[0]?.[1]?.pages[0]?.Unseen

export function useSeeNotices(): (ids: readonly string[]) => Promise<void> {
  const { tenant } = useSession()
  const queries = useQueryClient()
  return useCallback(
    async (ids) => {
      await call(contract.seeNotices, { params: { tenantId: tenant }, body: { NoticeIds: [...ids] } })
      await queries.invalidateQueries({ queryKey: NOTICES })
    },
    [tenant, queries],
  )
}
