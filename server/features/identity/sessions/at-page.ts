import { Fault } from '../../../../shared/kernel/errors.ts'
import type { Principal } from '../../../../shared/kernel/principal.ts'
import { noSession } from './session-lifecycle.ts'

/** The caller, as a person with a session. @throws Fault Forbidden for a program: it may not touch how its person signs in. */
export function atPage(principal: Principal | null): Principal & { readonly sessionId: number } {
  if (principal === null) throw noSession()
  if (!('sessionId' in principal) || typeof principal.sessionId !== 'number')
    throw new Fault('Forbidden', 'Only a person at a page of the station does this.', { reason: 'NotAtAPage' })
  return { ...principal, sessionId: principal.sessionId }
}
