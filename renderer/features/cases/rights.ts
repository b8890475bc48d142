/** Who may do what with a case, as far as a page can know it; the station judges (decisions 3). */
import type { Level, SecurityPolicy } from '../../../shared/domain/permissions.ts'
import { type Session, useSession } from '../../client/session.tsx'
import type { Case, Policy } from './data.ts'

export const holds = ({ AccessorPermissions }: Pick<Case, 'AccessorPermissions'>, level: Level): boolean =>
  AccessorPermissions.includes(level)

/** null where the session does not say: then the station is asked, and its refusal shown in words. */
export function inPolicy({ User }: Session, policy: SecurityPolicy): boolean | null {
  if (User === null) return false
  if (User.Administrator) return true
  const said: unknown = 'Policies' in User ? User.Policies : null
  return Array.isArray(said) ? said.includes(policy) : null
}

/** Whether to offer what needs a policy: not where it is known that it would be refused. */
export function useMay(policy: SecurityPolicy): boolean {
  const { session } = useSession()
  return inPolicy(session, policy) !== false
}

const counts = ({ ExpirationDateUtc }: Policy): boolean =>
  ExpirationDateUtc === null || Date.parse(ExpirationDateUtc) > Date.now()

/** Whom to ask: people and groups with Manage, the first few by name. */
export function managersOf({ AccessPolicies }: Case, most = 3): readonly string[] {
  return AccessPolicies.filter((policy) => policy.Permissions === 'Manage' && counts(policy))
    .flatMap(({ Username }) => (Username === null ? [] : [Username]))
    .slice(0, most)
}

export const expired = (policy: Policy): boolean => !counts(policy)
