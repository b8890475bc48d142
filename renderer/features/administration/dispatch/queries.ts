/** What the page of dispatch asks of the station. Every key begins with `administration, cad`: it is asked again when something came. */
import { keepPreviousData, useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { z } from 'zod'
import * as mapping from '../../../../shared/dispatch/cad.contract.ts'
import * as contract from '../../../../shared/dispatch/cad-messages.contract.ts'
import { call } from '../../../client/api.ts'
import { type Pages, pagesOf } from '../../../client/pages.ts'
import { useSession } from '../../../client/session.tsx'

export type Overview = z.output<typeof contract.CadOverview>
export type Service = Overview['services'][number]
export type Message = z.output<typeof contract.CadMessage>
export type State = Message['state']
export type Mapping = z.output<typeof mapping.CadMappingModel>
export type Receipt = z.output<typeof contract.CadReceipt>

const key = (...parts: readonly unknown[]) => ['administration', 'cad', ...parts]

export function useOverview() {
  const { tenant } = useSession()
  return useQuery({
    queryKey: key('overview', tenant),
    queryFn: ({ signal }) => call(contract.getOverview, { params: { tenantId: tenant }, signal }),
  })
}

export function useMessages(state: State | null): Pages<Message> {
  const { tenant } = useSession()
  const answer = useInfiniteQuery({
    queryKey: key('messages', tenant, state),
    initialPageParam: null as string | null,
    queryFn: async ({ signal, pageParam }) => {
      const { items, cursor } = await call(contract.listMessages, {
        params: { tenantId: tenant },
        query: { ...(state === null ? {} : { state }), ...(pageParam === null ? {} : { cursor: pageParam }) },
        signal,
      })
      return { Items: items, cursor }
    },
    getNextPageParam: ({ cursor }) => cursor,
  })
  return pagesOf(answer)
}

/**
 * With what came, a part at a time: the first part tells about the message. When something comes from dispatch the parts are read again, and
 * that takes the place of a part under way: it is asked for once more.
 */
export function useMessage(messageId: string | null) {
  const { tenant } = useSession()
  const [wanted, setWanted] = useState({ of: messageId, parts: 1 })
  const answer = useInfiniteQuery({
    queryKey: key('message', tenant, messageId),
    enabled: messageId !== null,
    initialPageParam: 0,
    queryFn: ({ signal, pageParam }) =>
      call(contract.getMessage, {
        params: { tenantId: tenant, messageId: messageId ?? '' },
        query: { offset: String(pageParam) },
        signal,
      }),
    getNextPageParam: ({ body, bodyCharacters }, _all, offset) =>
      offset + body.length < bodyCharacters && body !== '' ? offset + body.length : null,
  })
  const { data, error, refetch, hasNextPage, isFetching, isFetchingNextPage, isFetchNextPageError, fetchNextPage } =
    answer
  const parts = data?.pages.length ?? 0
  const isMissing = wanted.of === messageId && parts < wanted.parts && hasNextPage && !isFetchNextPageError
  useEffect(() => {
    if (isMissing && !isFetching) void fetchNextPage()
  }, [isMissing, isFetching, fetchNextPage])
  const more = (): void => {
    setWanted({ of: messageId, parts: parts + 1 })
    void fetchNextPage()
  }
  return { data, error, refetch, hasNextPage, isFetchingNextPage, more }
}

const NEWEST = 10
/** To try a mapping on. */
export function useNewest() {
  const { tenant } = useSession()
  return useQuery({
    queryKey: key('newest', tenant),
    queryFn: async ({ signal }) =>
      (
        await call(contract.listMessages, {
          params: { tenantId: tenant },
          query: { count: String(NEWEST) },
          signal,
        })
      ).items,
  })
}

export function useMapping() {
  const { tenant } = useSession()
  return useQuery({
    queryKey: key('mapping', tenant),
    queryFn: ({ signal }) => call(mapping.getMapping, { params: { tenantId: tenant }, signal }),
  })
}

export function useMappingHistory() {
  const { tenant } = useSession()
  return useQuery({
    queryKey: key('mapping-history', tenant),
    queryFn: ({ signal }) => call(mapping.getMappingHistory, { params: { tenantId: tenant }, signal }),
  })
}

/** @param proposed null: it cannot be asked yet */
export function usePreview(proposed: Mapping | null, messageIds: readonly string[]) {
  const { tenant } = useSession()
  return useQuery({
    queryKey: key('preview', tenant, proposed, messageIds),
    enabled: proposed !== null && messageIds.length > 0,
    placeholderData: keepPreviousData,
    staleTime: 60_000,
    queryFn: ({ signal }) =>
      call(mapping.previewMapping, {
        params: { tenantId: tenant },
        body: { mapping: proposed as Mapping, messageIds: [...messageIds] },
        signal,
      }),
  })
}

export function useRefreshCad(): () => void {
  const queries = useQueryClient()
  return () => void queries.invalidateQueries({ queryKey: key() })
}
