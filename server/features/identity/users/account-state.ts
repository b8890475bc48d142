/** Users and services disabled and enabled again (decisions 3 and 9): one rule for both. */
import { Fault, fault } from '../../../../shared/kernel/errors.ts'
import type { Call } from '../../../kernel/ledger/call.ts'
import type { Ledger } from '../../../kernel/ledger/ledger.ts'
import type { Database, Tx } from '../../../kernel/database/database.ts'
import type { Clock } from '../../../platform/clock/clock.ts'
import { endPrograms } from '../allowed-programs.ts'
import { type CasesLosing, keepingAnAdministrator } from './guards.ts'
import { objectOf } from './principals.models.ts'
import { type Kind, principalById, type PrincipalView } from './principals.store.ts'
import { endSessions, setEnabled } from './users.store.ts'

export interface StandingDeps {
  readonly db: Database
  readonly ledger: Pick<Ledger, 'append'>
  readonly clock: Clock
  readonly casesLosing: CasesLosing
  /** Cases that nobody else manages go to Account Administrators; server/features/cases/orphaned-cases.ts has it. */
  readonly handOverCases: (tx: Tx, call: Call, tenant: string, disabled: number) => Promise<number>
}

const NOT_FOUND = { user: 'UserNotFound', group: 'GroupNotFound', service: 'ServiceNotFound' } as const

/** @throws Fault UserNotFound, GroupNotFound or ServiceNotFound */
export async function neededPrincipal(from: Tx, tenant: string, kind: Kind, id: string): Promise<PrincipalView> {
  const row = await principalById(from, tenant, Number(id))
  // Ids beyond 2⁵³ cannot exist here; a rounded one must not find its neighbour.
  if (row === undefined || row.kind !== kind || String(row.principal_id) !== id)
    throw fault(NOT_FOUND[kind], `There is no ${kind} ${id}.`)
  return row
}

/** A change that changes nothing is a look. */
export const appendRead = (ledger: StandingDeps['ledger'], tx: Tx, call: Call, row: PrincipalView) =>
  ledger.append(tx, call, { action: 'user.read', object: objectOf(row) })

/**
 * Disables, in the caller's transaction. Tokens are judged at each call and stop by themselves; sessions are ended here, so that none
 * comes to life again when the user is enabled. Cases that nobody else manages go to Account Administrators.
 * @returns how many cases went there. @throws Fault LastAdministrator
 */
export async function disable(deps: StandingDeps, tx: Tx, call: Call, row: PrincipalView): Promise<number> {
  const { ledger } = deps
  if (row.enabled === 0) {
    await appendRead(ledger, tx, call, row)
    return 0
  }
  const { principal_id: id, tenant_id: tenant } = row
  const handedOver = await deps.handOverCases(tx, call, tenant, id)
  await endPrograms(deps, tx, call, row, 'disabled')
  await keepingAnAdministrator(tx, tenant, () => setEnabled(tx, id, false))
  await ledger.append(tx, call, {
    action: row.kind === 'user' ? 'user.disabled' : 'service.disabled',
    object: objectOf(row),
    detail: { before: { enabled: true }, after: { enabled: false }, ...(handedOver === 0 ? {} : { handedOver }) },
  })
  await endSessionsOf(deps, tx, call, row, { reason: 'disabled' })
  return handedOver
}

/** Enables, in the caller's transaction. */
export async function enable({ ledger }: Pick<StandingDeps, 'ledger'>, tx: Tx, call: Call, row: PrincipalView) {
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

/** Each ended session is an entry about its person. @returns how many were ended. */
export async function endSessionsOf(
  { ledger, clock }: Pick<StandingDeps, 'ledger' | 'clock'>,
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

/** Problems of the accounts' own rules are told under the members' names of this interface. */
export async function inPascal<T>(work: Promise<T>): Promise<T> {
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
