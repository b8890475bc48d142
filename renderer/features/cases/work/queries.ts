/** What the screens of tasks and requests ask of the station. Keys begin with the case, so that a live event of it asks anew. */
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback } from 'react'
import type { z } from 'zod'
import * as requests from '../../../../shared/cases/access-requests.contract.ts'
import * as tasks from '../../../../shared/cases/case-tasks.contract.ts'
import { call } from '../../../client/api.ts'
import { useSession } from '../../../client/session.tsx'
import { TODAY } from '../../../client/station.ts'

export type Task = z.output<typeof tasks.TaskModel>
export type AccessRequest = z.output<typeof requests.AccessRequestModel>
export type Person = z.output<typeof tasks.TaskPerson>

/** The tasks on a case, and what the people are called whom it names. */
export function useWork(caseId: string) {
  const { tenant } = useSession()
  return useQuery({
    queryKey: ['case', caseId, 'tasks'],
    queryFn: ({ signal }) => call(tasks.listCaseTasks, { params: { tenantId: tenant, caseId }, signal }),
  })
}

/** Asks anew after a task or a request of the case changed. */
export function useRefreshWork(caseId: string): () => Promise<void> {
  const queries = useQueryClient()
  return useCallback(async () => {
    await Promise.all([
      queries.invalidateQueries({ queryKey: ['case', caseId] }),
      queries.invalidateQueries({ queryKey: TODAY }),
    ])
  }, [queries, caseId])
}

/** @param of whose requests; @param enabled whether this person may have any */
export function useAccessRequests(of: 'own' | 'toDecide', caseId: string, enabled: boolean) {
  const { tenant } = useSession()
  return useQuery({
    queryKey: ['case', caseId, 'access-requests', of],
    enabled,
    queryFn: async ({ signal }): Promise<readonly AccessRequest[]> =>
      (await call(requests.listAccessRequests, { params: { tenantId: tenant }, query: { of, caseId }, signal })).Items,
  })
}
