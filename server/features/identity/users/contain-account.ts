/**
 * Contains a compromised account: all its sessions, programs and sign-in methods end, in the caller's transaction, and stay ended when the
 * account is enabled again. Its policies and records do not change.
 */
import type { Call } from '../../../kernel/ledger/call.ts'
import type { Tx } from '../../../kernel/database/database.ts'
import { endPrograms } from '../allowed-programs.ts'
import type { SignInFailures } from './sign-in-failures.ts'
import { objectOf } from './principals.models.ts'
import type { PrincipalView } from './principals.store.ts'
import { disable, endSessionsOf, type AccountStateDeps } from './account-state.ts'
import { removePassword } from './users.store.ts'

/** Removal of sign-in methods other than the password by administrators; server/features/identity/sessions supplies it. */
export interface SignInMethods {
  /** @returns the removed passkeys */
  readonly removePasskeys: (tx: Tx, principalId: number) => Promise<{ readonly passkey_id: number }[]>
  /** Removes the recovery codes too, and a second step that was never confirmed. @returns whether a confirmed one was removed */
  readonly removeSecondStep: (tx: Tx, principalId: number) => Promise<boolean>
}

export interface ContainmentDeps extends AccountStateDeps {
  readonly failures: Pick<SignInFailures, 'forgetSources'>
  readonly signInMethods: SignInMethods
  /** @returns how many unfinished uploads the account had; server/features/uploads/blobs/upload-addresses.ts supplies it */
  readonly endUploadAddresses: (tx: Tx, principalId: number, now: number) => Promise<number>
}

/** What was ended, as the ledger entry records it. */
export interface Contained {
  readonly disabled: boolean
  readonly sessions: number
  readonly programs: number
  readonly passkeys: number
  readonly secondStep: boolean
  readonly password: boolean
  readonly uploads: number
  readonly handedOver: number
}

/** @throws Fault LastAdministrator */
export async function contain(
  deps: ContainmentDeps,
  tx: Tx,
  call: Call,
  row: PrincipalView,
  reason: string,
): Promise<Contained> {
  const { ledger, clock, signInMethods } = deps
  const { principal_id: id } = row
  const object = objectOf(row)
  const programs = await endPrograms(deps, tx, call, row, 'contained')
  const sessions = await endSessionsOf(deps, tx, call, row, { reason: 'contained' })
  const handedOver = row.enabled === 1 ? await disable(deps, tx, call, row) : 0
  const passkeys = await signInMethods.removePasskeys(tx, id)
  // The same entries as for a reset by an administrator: account control is derived from them (decisions 6).
  if (passkeys.length > 0)
    await ledger.append(tx, call, {
      action: 'passkey.reset',
      object,
      reason: 'contained',
      detail: { passkeys: passkeys.map((row) => String(row.passkey_id)) },
    })
  const secondStep = await signInMethods.removeSecondStep(tx, id)
  if (secondStep) await ledger.append(tx, call, { action: 'secondStep.reset', object, reason: 'contained' })
  // Without the second step the password alone would open the account, and an attacker may know it.
  const password = await removePassword(tx, id)
  await deps.failures.forgetSources(tx, id)
  const uploads = await deps.endUploadAddresses(tx, id, clock.now())
  const ended = {
    disabled: row.enabled === 1,
    sessions,
    programs,
    passkeys: passkeys.length,
    secondStep,
    password,
    uploads,
    handedOver,
  }
  await ledger.append(tx, call, { action: 'user.contained', object, reason, detail: { ...ended } })
  return ended
}
