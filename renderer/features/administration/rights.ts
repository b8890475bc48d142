/** Who may administer what, as the session tells it; the station judges (decisions 3). */
import { inPolicy } from '../../client/rights.ts'
import { useSession } from '../../client/session.tsx'
import { SECTIONS, type Right, type Section } from './sections.ts'

export function useRights(): (right: Right) => boolean {
  const { session } = useSession()
  const { User } = session
  return (right) =>
    User?.Administrator === true || (User?.Guest === false && right !== 'people' && inPolicy(session, right))
}

/** Those that are open to this person. */
export function useSections(): readonly Section[] {
  const may = useRights()
  return SECTIONS.filter(({ right }) => may(right))
}
