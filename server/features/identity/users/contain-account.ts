/**
 * Containing an account that somebody else may use: everything by which it is used ends, in the caller's transaction, and stays ended when the
 * account is enabled again. What it kept, its policies and its records stay as they are.
 */
import type { Call } from '../../../kernel/ledger/call.ts'
import type { Tx } from '../../../kernel/database/database.ts'
import { endPrograms } from '../allowed-programs.ts'
import type { SignInFailures } from './sign-in-failures.ts'
import { objectOf } from './principals.models.ts'
import type { PrincipalView } from './principals.store.ts'
import { disable, endSessionsOf, type StandingDeps } from './account-state.ts'
import { removePassword } from './users.store.ts'

/** How a person signs in beside the password, as far as administrators take it away; server/features/identity/sessions has it. */
export interface SignInMethods {
  /** @returns those that were removed */
  readonly removePasskeys: (tx: Tx, principalId: number) => Promise<{ readonly passkey_id: number }[]>
  /** With its recovery codes, also where it was begun and never confirmed. @returns whether a confirmed one was removed */
  readonly removeSecondStep: (tx: Tx, principalId: number) => Promise<boolean>
}

export interface ContainmentDeps extends StandingDeps {
  readonly failures: Pick<SignInFailures, 'forgetSources'>
  readonly signInMethods: SignInMethods
  /** @returns how many files the account had begun to upload; server/features/uploads/blobs/upload-addresses.ts has it */
  readonly endUploadAddresses: (tx: Tx, principalId: number, now: number) => Promise<number>
}

/** What was ended; all of it stands in the entry. */
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
  // The same entries as where an administrator resets them: by these is judged whose the account is (decisions 6).
  if (passkeys.length > 0)
    await ledger.append(tx, call, {
      action: 'passkey.reset',
      object,
      reason: 'contained',
      detail: { passkeys: passkeys.map(({ passkey_id: one }) => String(one)) },
    })
  const secondStep = await signInMethods.removeSecondStep(tx, id)
  if (secondStep) await ledger.append(tx, call, { action: 'secondStep.reset', object, reason: 'contained' })
  // With the second step gone the password alone would open the account again: whoever took it over has that too.
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
