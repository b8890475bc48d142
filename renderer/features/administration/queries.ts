/** What the administration asks of the station. Every key begins with `administration`. */
import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { z } from 'zod'
import * as categories from '../../../shared/cases/categories.contract.ts'
import * as departments from '../../../shared/cases/departments.contract.ts'
import { call } from '../../client/api.ts'
import { useSession } from '../../client/session.tsx'

export type Category = z.output<typeof categories.CategoryModel>
export type Department = z.output<typeof departments.DepartmentModel>

export interface Asked<Row> {
  /** null before the first answer. */
  readonly rows: readonly Row[] | null
  readonly error: Error | null
  readonly retry: () => void
}

/** A list that comes whole. */
export function useList<Row>(
  name: string,
  ask: (tenant: string, signal: AbortSignal) => Promise<readonly Row[]>,
): Asked<Row> {
  const { tenant } = useSession()
  const { data, error, refetch } = useQuery({
    queryKey: ['administration', name, tenant],
    queryFn: ({ signal }) => ask(tenant, signal),
  })
  return { rows: data ?? null, error, retry: () => void refetch() }
}

export const useCategories = (): Asked<Category> =>
  useList('categories', (tenantId, signal) => call(categories.listCategories, { params: { tenantId }, signal }))

export const useDepartments = (): Asked<Department> =>
  useList('departments', (tenantId, signal) => call(departments.listDepartments, { params: { tenantId }, signal }))

/** After an act: what is on screen here is asked again, and what other screens keep of the same. */
export function useRefresh(): (...names: readonly string[]) => void {
  const queries = useQueryClient()
  return (...names) => {
    void queries.invalidateQueries({ queryKey: ['administration'] })
    for (const name of names) void queries.invalidateQueries({ queryKey: [name] })
  }
}
