import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback } from 'react'
import type { z } from 'zod'
import * as requests from '../../../shared/cases/access-requests.contract.ts'
import * as tasks from '../../../shared/cases/case-tasks.contract.ts'
import * as contract from '../../../shared/today/contract.ts'
import { call } from '../../client/api.ts'
import { useSession } from '../../client/session.tsx'
import { TODAY } from '../../client/station.ts'

export type Today = z.output<typeof contract.TodayModel>
export type Recording = Today['Recordings']['Items'][number]
export type OwnCase = Today['Cases']['Items'][number]
export type Checklist = NonNullable<Today['Checklist']>

export function useToday() {
  const { tenant } = useSession()
  return useQuery({
    queryKey: [...TODAY, tenant],
    queryFn: ({ signal }) => call(contract.getToday, { params: { tenantId: tenant }, signal }),
    staleTime: 0,
  })
}

/** Open tasks of the person, by the day they are due. */
export function useOwnTasks() {
  const { tenant } = useSession()
  return useQuery({
    queryKey: [...TODAY, tenant, 'tasks'],
    staleTime: 0,
    queryFn: async ({ signal }) => (await call(tasks.listOwnTasks, { params: { tenantId: tenant }, signal })).Items,
  }).data
}

/** Requests for access that the person may decide. */
export function useOpenRequests() {
  const { tenant } = useSession()
  return useQuery({
    queryKey: [...TODAY, tenant, 'access-requests'],
    staleTime: 0,
    queryFn: async ({ signal }) =>
      (await call(requests.listAccessRequests, { params: { tenantId: tenant }, query: { of: 'toDecide' }, signal }))
        .Items,
  }).data
}

/** Dismisses the checklist, or brings it back. */
export function useDismissChecklist(): (dismissed: boolean) => Promise<void> {
  const { tenant } = useSession()
  const queries = useQueryClient()
  return useCallback(
    async (dismissed) => {
      const Checklist = await call(contract.putSetupChecklist, {
        params: { tenantId: tenant },
        body: { Dismissed: dismissed },
      })
      queries.setQueryData<Today>([...TODAY, tenant], (now) => (now === undefined ? now : { ...now, Checklist }))
    },
    [tenant, queries],
  )
}
