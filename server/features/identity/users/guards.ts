/** Guards for disabling a principal or changing a group (decisions 3): each case keeps a manager, and the station an administrator. */
import { fault } from '../../../../shared/kernel/errors.ts'
import { timeOf } from '../../../../shared/kernel/time.ts'
import type { Call } from '../../../kernel/ledger/call.ts'
import type { Tx } from '../../../kernel/database/database.ts'
import type { Clock } from '../../../platform/clock/clock.ts'
import { countAdministrators } from './principals.store.ts'

/** Implemented in server/features/cases/last-manage.store.ts; app.ts supplies it. */
export type CasesLosing = (
  tx: Tx,
  tenant: string,
  loss: { readonly disabled: number } | { readonly group: number; readonly members: readonly number[] },
  asked: { readonly viewer: number | null; readonly nowTicks: bigint },
) => Promise<{
  readonly count: number
  readonly first: readonly { readonly caseId: string; readonly title: string | null }[]
}>

/**
 * Call it before the change, in its transaction.
 * @throws Fault CannotRemoveLastAccessPolicyWithFullPermissions, with the first cases, and the titles of those that the caller can view
 */
export async function requireManagers(
  { casesLosing, clock }: { readonly casesLosing: CasesLosing; readonly clock: Clock },
  tx: Tx,
  call: Call,
  tenant: string,
  loss: Parameters<CasesLosing>[2],
): Promise<void> {
  const { actor } = call
  const viewer = actor.kind === 'user' || actor.kind === 'service' ? Number(actor.id) : null
  const { count, first } = await casesLosing(tx, tenant, loss, { viewer, nowTicks: timeOf(clock.now()).ticks })
  if (count === 0) return
  const named = first.map(({ caseId, title }) => (title === null ? caseId : `${caseId} "${title}"`)).join(', ')
  const more = count > first.length ? `, and ${count - first.length} more` : ''
  throw fault(
    'CannotRemoveLastAccessPolicyWithFullPermissions',
    `${count === 1 ? 'One case' : `${count} cases`} would be left with nobody who can manage ${count === 1 ? 'it' : 'them'}: ${named}${more}. Give somebody else Manage there first.`,
    first.map(({ caseId, title }) => ({ Path: `case/${caseId}`, Message: title ?? 'A case that you cannot view.' })),
  )
}

/**
 * Runs a change that may remove an administrator, in its transaction. A station without an administrator, such as one set up from the
 * command line, is not restricted. @throws Fault LastAdministrator
 */
export async function requireAdministratorAfter<T>(tx: Tx, tenant: string, change: () => Promise<T>): Promise<T> {
  const before = await countAdministrators(tx, tenant)
  const out = await change()
  if (before > 0 && (await countAdministrators(tx, tenant)) === 0)
    throw fault(
      'LastAdministrator',
      'This is the last enabled user among Account Administrators. Add another one first.',
    )
  return out
}
