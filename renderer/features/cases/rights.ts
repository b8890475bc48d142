/** Who may do what with a case, as far as a page can know it; the station judges (decisions 3). */
import type { Level, SecurityPolicy } from '../../../shared/domain/permissions.ts'
import { type Session, useSession } from '../../client/session.tsx'
import type { Case, Policy } from './data.ts'

export const holds = ({ AccessorPermissions }: Pick<Case, 'AccessorPermissions'>, level: Level): boolean =>
  AccessorPermissions.includes(level)

export function inPolicy({ User }: Session, policy: SecurityPolicy): boolean {
  if (User === null) return false
  if (User.Administrator) return true
  return User.Policies.includes(policy)
}

/** Whether to offer what needs a policy: not where it is known that it would be refused. */
export function useMay(policy: SecurityPolicy): boolean {
  const { session } = useSession()
  return inPolicy(session, policy)
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
