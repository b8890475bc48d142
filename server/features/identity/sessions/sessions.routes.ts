import * as passkeys from '../../../../shared/identity/passkeys.contract.ts'
import * as contract from '../../../../shared/identity/sessions.contract.ts'
import type { ShownKey } from '../../../kernel/ledger/signed-note.ts'
import { answer, type BoundRoute, json } from '../../../http/handlers.ts'
import { clearCookie, setCookie } from './cookie.ts'
import type { SessionsService, SignedIn } from './sessions.service.ts'

/** Sign-in and sessions (shared/identity/sessions.contract.ts). The authorisation has identified the caller by the cookie. */
export function sessionRoutes(sessions: SessionsService, stationKey: () => ShownKey): BoundRoute[] {
  const withCookie = <const S extends number>(status: S, { token, session }: SignedIn, origin: string) =>
    answer(status, session, { 'Set-Cookie': setCookie(token, origin) })
  return [
    json(contract.getSession, async ({ call }) => sessions.describe(call.principal, call.correlationId)),
    json(contract.signIn, async ({ call, body, origin }) =>
      withCookie(200, await sessions.signIn(call, body, call.principal), origin),
    ),
    json(passkeys.beginPasskeySignIn, async ({ call, origin }) => ({ Options: sessions.beginPasskey(call, origin) })),
    json(passkeys.signInWithPasskey, async ({ call, body: { NoticeId, Response: response }, origin }) =>
      withCookie(200, await sessions.signInWithPasskey(call, { NoticeId, response, origin }, call.principal), origin),
    ),
    json(contract.lockSession, async ({ call }) => sessions.lock(call, call.principal)),
    json(contract.unlockSession, async ({ call, body, origin }) =>
      withCookie(200, await sessions.unlock(call, call.principal, body.Password), origin),
    ),
    json(contract.sessionActivity, async ({ call }) => sessions.activity(call, call.principal)),
    json(contract.signOut, async ({ call, origin }) => {
      await sessions.signOut(call, call.principal)
      return answer(204, undefined, { 'Set-Cookie': clearCookie(origin) })
    }),
    json(contract.setUp, async ({ call, body, origin }) => {
      const { token, session } = await sessions.setUp(call, body, call.principal)
      const { key: Key, fingerprint: Fingerprint } = stationKey()
      const done = { ...session, StationKey: { Key, Fingerprint } }
      return answer(201, done, { 'Set-Cookie': setCookie(token, origin) })
    }),
  ]
}
