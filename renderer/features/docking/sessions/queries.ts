/** What the history of the dock asks of the station. Every key begins with `dock`. */
import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { z } from 'zod'
import * as associations from '../../../../shared/devices/associations.contract.ts'
import * as contract from '../../../../shared/docking/contract.ts'
import { isOver } from './labels.ts'
import { call } from '../../../client/api.ts'
import { from, type Pages, useItemPages } from '../../../client/pages.ts'
import { useSession } from '../../../client/session.tsx'
import { queryOf, type SessionsSearch } from './search.ts'
import type { Session } from './session.ts'
export type { Session } from './session.ts'

export type Detail = z.output<typeof contract.DockSessionDetailModel>
export type DockFile = z.output<typeof contract.DockFileModel>
export type Association = z.output<typeof associations.DeviceAssociation>

/** While a camera is at work its figures move. */
const SOON_MS = 2_000
const LATER_MS = 15_000

export function useSessions(search: SessionsSearch, enabled: boolean): Pages<Session> {
  const { tenant } = useSession()
  return useItemPages({
    queryKey: ['dock', 'sessions', tenant, search],
    enabled,
    keepsPrevious: true,
    ask: (cursor, signal) =>
      call(contract.listDockSessions, {
        params: { tenantId: tenant },
        query: { ...queryOf(search), ...from(cursor) },
        signal,
      }),
    // Each look is an entry of the ledger: the list is asked again only while its first page is all that is shown.
    refetchEvery: (pages) => (pages === 1 ? LATER_MS : false),
  })
}

export function useDockSession(id: string, enabled: boolean) {
  const { tenant } = useSession()
  return useQuery({
    queryKey: ['dock', 'session', tenant, id],
    enabled,
    queryFn: ({ signal }) => call(contract.getDockSession, { params: { tenantId: tenant, dockSessionId: id }, signal }),
    refetchInterval: ({ state }) => (state.data !== undefined && !isOver(state.data.State) ? SOON_MS : false),
  })
}

/** @param version asked anew when it changes: as the session goes on, outcomes do */
export function useDockFiles(id: string, version: string): Pages<DockFile> {
  const { tenant } = useSession()
  return useItemPages({
    queryKey: ['dock', 'files', tenant, id, version],
    keepsPrevious: true,
    ask: (cursor, signal) =>
      call(contract.listDockFiles, {
        params: { tenantId: tenant, dockSessionId: id },
        query: { count: '200', ...from(cursor) },
        signal,
      }),
  })
}

export function useAssociations(deviceId: string | null) {
  const { tenant } = useSession()
  return useQuery({
    queryKey: ['dock', 'associations', tenant, deviceId],
    enabled: deviceId !== null,
    queryFn: ({ signal }) =>
      call(associations.listAssociations, { params: { tenantId: tenant, deviceId: deviceId ?? '' }, signal }),
  })
}

/** After an act: the page is asked again. */
export function useRefreshed(): <T>(act: Promise<T>) => Promise<T> {
  const queries = useQueryClient()
  return async (act) => {
    try {
      return await act
    } finally {
      await queries.invalidateQueries({ queryKey: ['dock'] })
    }
  }
}
