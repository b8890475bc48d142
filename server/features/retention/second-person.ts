import { controllersOf, controllersSince, controlStates } from '../../../shared/identity/account-control.ts'
import type { Principal } from '../../../shared/kernel/principal.ts'
import type { Tx } from '../../kernel/database/database.ts'
import type { PrincipalThen } from '../../kernel/evidence/model.ts'
import type { Clock } from '../../platform/clock/clock.ts'
import { accountEvents } from './disposition/account-control.store.ts'

/** `ControlsOther`: one of the two created or reset the account of the other, and it is not settled since (decisions 6). */
type NotSecond = 'NotAPerson' | 'Requested' | 'ControlsOther'

/**
 * Why a caller does not count as a second person beside somebody who asked for something (decisions 40). A third person who controls both accounts is no reason here,
 * as it is for destructions: a station on which one administrator made all accounts could approve nothing.
 * @param first who asked, and the time since when, in milliseconds since 1970
 * @returns null: they do
 */
export async function whyNotSecondPerson(
  from: Tx,
  clock: Clock,
  caller: Principal,
  { who, since }: { readonly who: PrincipalThen; readonly since: number },
): Promise<NotSecond | null> {
  if (caller.kind !== 'user') return 'NotAPerson'
  const first = who.PrincipalId
  if (caller.id === first) return 'Requested'
  const events = await accountEvents(from, [caller.id, first])
  const ofFirst = controllersSince(events, first, { since, now: clock.now() })
  return ofFirst.has(caller.id) || controllersOf(controlStates(events), caller.id).has(first) ? 'ControlsOther' : null
}
