/** Who may administer what, as far as a page can know it; the station judges (decisions 3). */
import { useQuery } from '@tanstack/react-query'
import * as departments from '../../../shared/contract/departments.ts'
import { call } from '../../client/api.ts'
import { type Session, useSession } from '../../client/session.tsx'
import { SECTIONS, type Right, type Section } from './sections.ts'

/** What the session itself says; null where it does not say. */
function said({ User }: Session, right: Right): boolean | null {
  if (User === null) return false
  if (User.Administrator) return true
  if (right === 'people' || User.Guest) return false
  const policies: unknown = 'Policies' in User ? User.Policies : null
  return Array.isArray(policies) ? policies.includes(right) : null
}

/**
 * Asks nothing that could be refused, for each refusal is an entry of the ledger: the list of departments is for everybody, and tells who
 * may configure by what it holds.
 * @returns null where it cannot be known before it is tried
 */
export function useRights(): (right: Right) => boolean | null {
  const { session, tenant } = useSession()
  const open = session.State === 'open' && said(session, 'ManageConfiguration') === null
  const { data } = useQuery({
    queryKey: ['administration', 'right', tenant, session.User?.PrincipalId],
    enabled: open,
    staleTime: 60_000,
    queryFn: async ({ signal }) => {
      const all = await call(departments.listDepartments, { params: { tenantId: tenant }, signal })
      return all.length === 0 ? null : all.some(({ AccessPolicies }) => AccessPolicies !== null)
    },
  })
  return (right) => said(session, right) ?? (right === 'ManageConfiguration' ? (data ?? null) : null)
}

/** Those that are known to be open to this person. */
export function useSections(): readonly Section[] {
  const may = useRights()
  return SECTIONS.filter(({ right }) => may(right) === true)
}
