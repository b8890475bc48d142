/** Disabling and enabling users and services (decisions 3 and 9), with one rule for both. */
import { Fault, fault } from '../../../../shared/kernel/errors.ts'
import type { Call } from '../../../kernel/ledger/call.ts'
import type { Ledger } from '../../../kernel/ledger/ledger.ts'
import type { Database, Tx } from '../../../kernel/database/database.ts'
import type { Clock } from '../../../platform/clock/clock.ts'
import { endPrograms } from '../allowed-programs.ts'
import { type CasesLosing, requireAdministratorAfter } from './guards.ts'
import { objectOf } from './principals.models.ts'
import { type Kind, principalById, type PrincipalView } from './principals.store.ts'
import { endSessions, setEnabled } from './users.store.ts'

export interface AccountStateDeps {
  readonly db: Database
  readonly ledger: Pick<Ledger, 'append'>
  readonly clock: Clock
  readonly casesLosing: CasesLosing
  /** Hands cases without another manager to Account Administrators; server/features/cases/orphaned-cases.ts supplies it. */
  readonly handOverCases: (tx: Tx, call: Call, tenant: string, disabled: number) => Promise<number>
}

const NOT_FOUND = { user: 'UserNotFound', group: 'GroupNotFound', service: 'ServiceNotFound' } as const

/** @throws Fault UserNotFound, GroupNotFound or ServiceNotFound */
export async function requirePrincipal(from: Tx, tenant: string, kind: Kind, id: string): Promise<PrincipalView> {
  const row = await principalById(from, tenant, Number(id))
  // Ids beyond 2⁵³ cannot exist here; a rounded id must not find another principal.
  if (row === undefined || row.kind !== kind || String(row.principal_id) !== id)
    throw fault(NOT_FOUND[kind], `There is no ${kind} ${id}.`)
  return row
}

/** A change without an effect is recorded as a read. */
export const appendRead = (ledger: AccountStateDeps['ledger'], tx: Tx, call: Call, row: PrincipalView) =>
  ledger.append(tx, call, { action: 'user.read', object: objectOf(row) })

/**
 * Disables an account, in the caller's transaction. Tokens are checked at each call and stop working. Sessions are ended here, so that
 * none becomes valid again when the user is enabled. Cases without another manager go to Account Administrators.
 * @returns how many cases were handed over. @throws Fault LastAdministrator
 */
export async function disable(deps: AccountStateDeps, tx: Tx, call: Call, row: PrincipalView): Promise<number> {
  const { ledger } = deps
  if (row.enabled === 0) {
    await appendRead(ledger, tx, call, row)
    return 0
  }
  const { principal_id: id, tenant_id: tenant } = row
  const handedOver = await deps.handOverCases(tx, call, tenant, id)
  await endPrograms(deps, tx, call, row, 'disabled')
  await requireAdministratorAfter(tx, tenant, () => setEnabled(tx, id, false))
  await ledger.append(tx, call, {
    action: row.kind === 'user' ? 'user.disabled' : 'service.disabled',
    object: objectOf(row),
    detail: { before: { enabled: true }, after: { enabled: false }, ...(handedOver === 0 ? {} : { handedOver }) },
  })
  await endSessionsOf(deps, tx, call, row, { reason: 'disabled' })
  return handedOver
}

/** Enables an account, in the caller's transaction. */
export async function enable({ ledger }: Pick<AccountStateDeps, 'ledger'>, tx: Tx, call: Call, row: PrincipalView) {
  if (row.enabled === 1) {
    await appendRead(ledger, tx, call, row)
    return
  }
  await setEnabled(tx, row.principal_id, true)
  await ledger.append(tx, call, {
    action: row.kind === 'user' ? 'user.enabled' : 'service.enabled',
    object: objectOf(row),
    detail: { before: { enabled: false }, after: { enabled: true } },
  })
}

/** Ends sessions, each with a ledger entry about its person. @returns how many were ended. */
export async function endSessionsOf(
  { ledger, clock }: Pick<AccountStateDeps, 'ledger' | 'clock'>,
  tx: Tx,
  call: Call,
  row: PrincipalView,
  { reason, session }: { reason: 'disabled' | 'contained' | 'password' | 'administrator'; session?: number },
): Promise<number> {
  const which = { now: clock.now(), ...(session === undefined ? {} : { session }) }
  const ended = await endSessions(tx, row.principal_id, which)
  for (const id of ended)
    await ledger.append(tx, call, {
      action: 'session.ended',
      object: objectOf(row),
      reason,
      detail: { session: String(id) },
    })
  return ended.length
}

/** Gives the paths of problems the member names of this interface. */
export async function withPascalPaths<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    if (!(error instanceof Fault) || (error.code !== 'InvalidModel' && error.code !== 'NameTaken')) throw error
    const details = error.details.map(({ Path, Message }) => ({
      Path: `${Path.slice(0, 1).toUpperCase()}${Path.slice(1)}`,
      Message,
    }))
    throw new Fault(error.code, error.message, { details, cause: error })
  }
}
