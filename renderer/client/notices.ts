/** What the station has to tell this person; the stream of changes says when there is more. */
import { type InfiniteData, type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { z } from 'zod'
import * as contract from '../../shared/notifications/contract.ts'
import { call } from './api.ts'
import { from, useItemPages } from './pages.ts'
import { useSession } from './session.tsx'

export type Notice = z.output<typeof contract.NoticeModel>

export const NOTICES = ['notices'] as const
const PAGE = '20'

export function useNotices() {
  const { tenant, session } = useSession()
  return useItemPages({
    queryKey: [...NOTICES, tenant],
    enabled: session.State === 'open',
    ask: (cursor, signal) =>
      call(contract.listNotices, { params: { tenantId: tenant }, query: { count: PAGE, ...from(cursor) }, signal }),
  })
}

interface Page {
  readonly Items: readonly Pick<Notice, 'NoticeId'>[]
  readonly Unseen: number
}

/** As the page knows it; undefined before the first answer. */
export function knownNotices(
  queries: QueryClient,
): { readonly unseen: number; readonly newest: string | null } | undefined {
  const page = queries.getQueriesData<InfiniteData<Page>>({ queryKey: NOTICES })[0]?.[1]?.pages[0]
  return page === undefined ? undefined : { unseen: page.Unseen, newest: page.Items[0]?.NoticeId ?? null }
}

export interface Seeing {
  readonly see: (ids: readonly string[]) => Promise<void>
  /** All that are as old as this one, or older: what came meanwhile was not looked at. */
  readonly seeUpTo: (id: string) => Promise<void>
}

export function useSeeNotices(): Seeing {
  const { tenant } = useSession()
  const queries = useQueryClient()
  return useMemo(() => {
    const mark = async (body: { NoticeIds: string[] } | { UpTo: string }): Promise<void> => {
      await call(contract.seeNotices, { params: { tenantId: tenant }, body })
      await queries.invalidateQueries({ queryKey: NOTICES })
    }
    return { see: (ids) => mark({ NoticeIds: [...ids] }), seeUpTo: (id) => mark({ UpTo: id }) }
  }, [tenant, queries])
}
