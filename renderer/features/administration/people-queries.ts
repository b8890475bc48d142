/** What the pages about people ask of the station. */
import { useQuery } from '@tanstack/react-query'
import type { z } from 'zod'
import * as groups from '../../../shared/identity/groups.contract.ts'
import * as services from '../../../shared/identity/services.contract.ts'
import * as users from '../../../shared/identity/users.contract.ts'
import { call } from '../../client/api.ts'
import { from, type Pages, useItemPages } from '../../client/pages.ts'
import { useSession } from '../../client/session.tsx'

export type UserItem = z.output<typeof users.UserListItem>
export type User = z.output<typeof users.UserModel>
export type GroupItem = z.output<typeof groups.GroupListItem>
export type Group = z.output<typeof groups.GroupModel>
export type ServiceItem = z.output<typeof services.ServiceListItem>
export type Service = z.output<typeof services.ServiceModel>

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
function useNamedPages<Row>(
  name: string,
  text: string,
  ask: (tenant: string, query: PageAsked, signal: AbortSignal) => Promise<PageOf<Row>>,
): Pages<Row> {
  const { tenant } = useSession()
  return useItemPages<Row, PageOf<Row>>({
    queryKey: ['administration', name, tenant, text],
    keepsPrevious: true,
    ask: (cursor, signal) => ask(tenant, { count: PAGE, ...(text === '' ? {} : { text }), ...from(cursor) }, signal),
  })
}

export const useUsers = (text: string): Pages<UserItem> =>
  useNamedPages('users', text, (tenantId, query, signal) =>
    call(users.listUsers, { params: { tenantId }, query, signal }),
  )

export const useGroups = (text: string): Pages<GroupItem> =>
  useNamedPages('groups', text, (tenantId, query, signal) =>
    call(groups.listGroups, { params: { tenantId }, query, signal }),
  )

export const useServices = (text: string): Pages<ServiceItem> =>
  useNamedPages('services', text, (tenantId, query, signal) =>
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
