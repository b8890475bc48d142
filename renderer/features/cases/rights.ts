/** Who may do what with a case, as far as a page can know it; the station judges (decisions 3). */
import type { Level } from '../../../shared/kernel/permissions.ts'
import type { Case, Policy } from './queries.ts'

export { inPolicy, useMay } from '../../client/rights.ts'

export const holds = ({ AccessorPermissions }: Pick<Case, 'AccessorPermissions'>, level: Level): boolean =>
  AccessorPermissions.includes(level)

const counts = ({ ExpirationDateUtc }: Policy): boolean =>
  ExpirationDateUtc === null || Date.parse(ExpirationDateUtc) > Date.now()

/** Whom to ask: people and groups with Manage, the first few. */
export function managersOf({ AccessPolicies }: Case, most = 3): readonly Policy[] {
  return AccessPolicies.filter(
    (policy) => policy.Permissions === 'Manage' && counts(policy) && policy.Username !== null,
  ).slice(0, most)
}

export const expired = (policy: Policy): boolean => !counts(policy)
