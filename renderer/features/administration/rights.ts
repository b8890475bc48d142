/** Who may administer what, as the session tells it; the station judges (decisions 3). */
import { inPolicy, isMember } from '../../client/rights.ts'
import { type Session, useSession } from '../../client/session.tsx'
import { SECTIONS, type Right, type Section } from './sections.ts'

export const mayOpen = (session: Session, right: Right): boolean =>
  session.User?.Administrator === true || (isMember(session) && right !== 'people' && inPolicy(session, right))

export function useRights(): (right: Right) => boolean {
  const { session } = useSession()
  return (right) => mayOpen(session, right)
}

/** Whether a person is offered a page: by right, and where the station has what it shows. */
export const isOfferedTo = (session: Session, section: Section): boolean =>
  mayOpen(session, section.right) && (!('severalNodes' in section) || session.Station.SeveralNodes)

/** Those that are open to this person. */
export function useSections(): readonly Section[] {
  const { session } = useSession()
  return SECTIONS.filter((section) => isOfferedTo(session, section))
}
