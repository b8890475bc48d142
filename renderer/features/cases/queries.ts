/** What the case screens ask of the station. Every key of one case begins with it, so that one act refreshes all of it. */
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { z } from 'zod'
import type { RouteDefinition } from '../../../shared/kernel/route.ts'
import * as cases from '../../../shared/cases/contract.ts'
import * as departments from '../../../shared/cases/departments.contract.ts'
import type * as links from '../../../shared/cases/case-links.contract.ts'
import type * as lists from '../../../shared/cases/case-list.contract.ts'
import * as prefilled from '../../../shared/cases/prefilled-fields.contract.ts'
import type { Arguments } from '../../../shared/kernel/contract-client.ts'
import { call } from '../../client/api.ts'
import type { Ahead } from '../../client/page.ts'
import { useIsMember, useSession } from '../../client/session.tsx'
import { takeAnswer } from '../../client/take-answer.ts'

export type Case = z.output<typeof cases.CaseModel>
export type CaseItem = z.output<typeof lists.CaseListItem>
export type CaseEvidence = z.output<typeof links.EvidenceModel>
export { type Category, useCategories } from '../../client/categories.ts'
export type Department = z.output<typeof departments.DepartmentModel>
export type Prefilled = z.output<typeof prefilled.PrefilledFieldModel>
export type Policy = Case['AccessPolicies'][number]
export type Personnel = Case['PersonnelRelations'][number]

export const evidencesOf = (record: Case): readonly CaseEvidence[] => record.Evidences

const caseQuery = (tenant: string, caseId: string, version: string | null) =>
  queryOptions({
    queryKey: version === null ? ['case', caseId, 'record'] : ['case', caseId, 'version', version],
    // What was does not change.
    ...(version === null ? {} : { staleTime: Number.POSITIVE_INFINITY }),
    queryFn: ({ signal }) =>
      call(cases.getCase, {
        params: { tenantId: tenant, caseId },
        query: version === null ? {} : { concurrencyId: version },
        signal,
      }),
  })

/**
 * @param version of the past; null: as it is now
 * @param retryOnMount whether what was refused is asked for again by showing it; not where it was asked for ahead
 */
export const useCase = (caseId: string, version: string | null, retryOnMount = true) =>
  useQuery({ ...caseQuery(useSession().tenant, caseId, version), retryOnMount })

export const askAhead = ({ queries, tenant, params: { caseId = '' } }: Ahead): Promise<Case> =>
  queries.fetchQuery(caseQuery(tenant, caseId, null))

/** What is set up for the whole station changes seldom. */
const SELDOM = 60_000

export function useDepartments() {
  const { tenant } = useSession()
  const member = useIsMember()
  return useQuery({
    queryKey: ['departments', tenant],
    staleTime: SELDOM,
    enabled: member,
    queryFn: ({ signal }): Promise<readonly Department[]> =>
      call(departments.listDepartments, { params: { tenantId: tenant }, signal }),
  })
}

/** By the field that they are for; one that is offered twice gives the values of both. */
export function usePrefilled(): ReadonlyMap<string, readonly string[]> {
  const { tenant } = useSession()
  const member = useIsMember()
  const { data } = useQuery({
    queryKey: ['prefilled', tenant],
    staleTime: SELDOM,
    enabled: member,
    queryFn: ({ signal }): Promise<readonly Prefilled[]> =>
      call(prefilled.getPrefilledFields, { params: { tenantId: tenant }, signal }),
  })
  return useMemo(() => {
    const byTarget = new Map<string, string[]>()
    for (const { Target, Values } of data ?? [])
      byTarget.set(Target, [...new Set([...(byTarget.get(Target) ?? []), ...Values])])
    return byTarget
  }, [data])
}

/** Takes what an act answered as the case of now, and has the lists asked again. */
export function useTakeCase(): (record: Case) => void {
  const queries = useQueryClient()
  return (record) => {
    void queries.invalidateQueries({ queryKey: ['case-list'] })
    if (record.LifecycleState === 'Deleted') {
      // Nothing of it is shown from now on, its history neither.
      void queries.invalidateQueries({ queryKey: ['case', record.CaseId, 'record'] })
      return
    }
    const before = queries.getQueryData<Case>(['case', record.CaseId, 'record'])
    void takeAnswer<Case>(queries, ['case', record.CaseId, 'record'], () => record)
    if (before?.ConcurrencyId === record.ConcurrencyId) return
    void queries.invalidateQueries({ queryKey: ['case', record.CaseId, 'history'] })
    // With the tasks come the names of the people, and there may be others now.
    void queries.invalidateQueries({ queryKey: ['case', record.CaseId, 'tasks'] })
  }
}

/** Asks anew for everything about a case. */
export function useRefreshCase(caseId: string): () => void {
  const queries = useQueryClient()
  return () => {
    void queries.invalidateQueries({ queryKey: ['case', caseId] })
    void queries.invalidateQueries({ queryKey: ['case-list'] })
  }
}

/** A call about one case, with its answer taken as the case of now. */
export function useCaseAct(caseId: string) {
  const { tenant } = useSession()
  const take = useTakeCase()
  return async <R extends RouteDefinition>(
    route: R,
    given: Omit<Arguments<R, AbortSignal>, 'params'>,
  ): Promise<Case> => {
    const record = (await call(route, {
      ...given,
      params: { tenantId: tenant, caseId },
    } as unknown as Arguments<R, AbortSignal>)) as Case
    take(record)
    return record
  }
}
