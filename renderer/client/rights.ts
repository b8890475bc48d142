/** Which policies somebody is in, as far as a page can know it; the station judges (decisions 3). */
import type { SecurityPolicy } from '../../shared/kernel/permissions.ts'
import { type Session, useSession } from './session.tsx'

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

/** Somebody of the station; guests see what is shared with them alone. */
export const isMember = ({ User }: Session): boolean => User !== null && !User.Guest
