/** A sign-in for one act: whoever signs in is signed out again whatever becomes of the act, and this page never takes on their session. */
import type { z } from 'zod'
import * as passkeys from '../../../../shared/identity/passkeys.contract.ts'
import * as contract from '../../../../shared/identity/sessions.contract.ts'
import { call } from '../../../client/api.ts'
import { bringPasskey } from '../../../client/passkeys.ts'

type Session = z.output<typeof contract.SessionModel>

export interface Proof {
  readonly noticeId: string
  /** Null: a passkey is brought. */
  readonly password: { readonly username: string; readonly password: string; readonly code: string | null } | null
  /** Whoever asked for a passkey went away: nothing is done with one that comes after that. */
  readonly signal: AbortSignal
}

/** A password that has to be changed first opens nothing here. */
export class PasswordDue extends Error {
  override readonly name = 'PasswordDue'
}

/** @throws Fault, PasskeyStopped, PasswordDue */
export async function actOnce<T>(proof: Proof, act: () => Promise<T>): Promise<T> {
  const { User } = await open(proof)
  try {
    // Asked here, because the refusal of the act would show another page in place of the wall.
    if (User?.PasswordDue === true) throw new PasswordDue('The password has to be changed first.')
    return await act()
  } finally {
    await leave()
  }
}

async function open({ noticeId: NoticeId, password, signal }: Proof): Promise<Session> {
  if (password !== null)
    return call(contract.signIn, {
      body: {
        Username: password.username,
        Password: password.password,
        NoticeId,
        ...(password.code === null ? {} : { Code: password.code }),
      },
    })
  const { Options } = await call(passkeys.beginPasskeySignIn, {})
  const Response = (await bringPasskey(Options, signal)) as z.input<typeof passkeys.PasskeyResponse>
  return call(passkeys.signInWithPasskey, { body: { NoticeId, Response } })
}

const TRIES = 3

/** A station that does not answer for a moment is asked again: nobody's session may stay at a wall. */
async function leave(): Promise<void> {
  for (let tries = 1; ; tries++)
    try {
      return void (await call(contract.signOut, {}))
    } catch (error) {
      if (tries === TRIES) throw error
      await new Promise((resolve) => setTimeout(resolve, tries * 500))
    }
}
