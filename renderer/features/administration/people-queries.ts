/** What the pages about people ask of the station. */
import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { z } from 'zod'
import * as groups from '../../../shared/identity/groups.contract.ts'
import * as services from '../../../shared/identity/services.contract.ts'
import * as users from '../../../shared/identity/users.contract.ts'
import { call } from '../../client/api.ts'
import { useSession } from '../../client/session.tsx'
import type { Asked } from './queries.ts'

export type UserItem = z.output<typeof users.UserListItem>
export type User = z.output<typeof users.UserModel>
export type GroupItem = z.output<typeof groups.GroupListItem>
export type Group = z.output<typeof groups.GroupModel>
export type ServiceItem = z.output<typeof services.ServiceListItem>
export type Service = z.output<typeof services.ServiceModel>

export interface AskedPages<Row> extends Asked<Row> {
  readonly more: boolean
  readonly next: () => void
}

interface PageOf<Row> {
  readonly Items: readonly Row[]
  readonly Cursor: string | null
}
interface PageAsked {
  readonly text?: string
  readonly cursor?: string
  readonly count: string
}

const PAGE = '100'

/** A list, page after page as it comes in sight. */
function usePages<Row>(
  name: string,
  text: string,
  ask: (tenant: string, query: PageAsked, signal: AbortSignal) => Promise<PageOf<Row>>,
): AskedPages<Row> {
  const { tenant } = useSession()
  const { data, error, hasNextPage, isFetchingNextPage, fetchNextPage, refetch } = useInfiniteQuery({
    queryKey: ['administration', name, tenant, text],
    placeholderData: keepPreviousData,
    initialPageParam: null as string | null,
    queryFn: ({ signal, pageParam }) =>
      ask(
        tenant,
        { count: PAGE, ...(text === '' ? {} : { text }), ...(pageParam === null ? {} : { cursor: pageParam }) },
        signal,
      ),
    getNextPageParam: ({ Cursor }) => Cursor,
  })
  const rows = useMemo(() => data?.pages.flatMap(({ Items }) => Items) ?? null, [data])
  return {
    rows,
    error,
    retry: () => void refetch(),
    more: hasNextPage,
    next: () => {
      if (hasNextPage && !isFetchingNextPage) void fetchNextPage()
    },
  }
}

export const useUsers = (text: string): AskedPages<UserItem> =>
  usePages('users', text, (tenantId, query, signal) => call(users.listUsers, { params: { tenantId }, query, signal }))

export const useGroups = (text: string): AskedPages<GroupItem> =>
  usePages('groups', text, (tenantId, query, signal) =>
    call(groups.listGroups, { params: { tenantId }, query, signal }),
  )

export const useServices = (text: string): AskedPages<ServiceItem> =>
  usePages('services', text, (tenantId, query, signal) =>
    call(services.listServices, { params: { tenantId }, query, signal }),
  )

/** One of them whole; asked for as soon as it is open. */
export function useOne<One>(
  name: string,
  id: string | null,
  ask: (tenant: string, id: string, signal: AbortSignal) => Promise<One>,
) {
  const { tenant } = useSession()
  return useQuery({
    queryKey: ['administration', name, tenant, id],
    enabled: id !== null,
    queryFn: ({ signal }) => ask(tenant, id ?? '', signal),
  })
}

export const useUser = (id: string) =>
  useOne('user', id, (tenantId, userId, signal) => call(users.getUser, { params: { tenantId, userId }, signal }))

export const useGroup = (id: string) =>
  useOne('group', id, (tenantId, groupId, signal) => call(groups.getGroup, { params: { tenantId, groupId }, signal }))

export const useService = (id: string) =>
  useOne('service', id, (tenantId, serviceId, signal) =>
    call(services.getService, { params: { tenantId, serviceId }, signal }),
  )
