import * as contract from '../../../../shared/identity/account.contract.ts'
import * as own from '../../../../shared/identity/own-access.contract.ts'
import * as passkey from '../../../../shared/identity/passkeys.contract.ts'
import { type BoundRoute, json } from '../../../http/handlers.ts'
import type { AccountService } from './account.service.ts'
import type { OwnAccess } from './own-access.service.ts'
import type { PasskeysService } from './passkeys.service.ts'

interface Deps {
  readonly account: AccountService
  readonly passkeys: PasskeysService
  readonly ownAccess: OwnAccess
}

/** Sign-in methods of the caller (shared/identity: account, passkeys, own-access), and their removal by administrators. */
export function accountRoutes({ account, passkeys, ownAccess }: Deps): BoundRoute[] {
  return [
    json(contract.getAccount, async ({ call }) => account.read(call.principal)),
    json(contract.beginSecondStep, async ({ call, body }) => account.begin(call, call.principal, body.Password)),
    json(contract.confirmSecondStep, async ({ call, body }) => ({
      RecoveryCodes: await account.confirm(call, call.principal, body.Code),
    })),
    json(contract.renewRecoveryCodes, async ({ call, body }) => ({
      RecoveryCodes: await account.renewCodes(call, call.principal, body),
    })),
    json(contract.removeSecondStep, async ({ call, body }) => {
      await account.remove(call, call.principal, body)
      return undefined
    }),
    json(contract.resetSecondStep, async ({ call, params }) => {
      await account.reset(call, call.tenant, params.userId)
      return undefined
    }),
    ...passkeyRoutes({ passkeys }),
    json(own.changePassword, async ({ call, body }) => {
      await ownAccess.changePassword(call, call.principal, body)
      return undefined
    }),
    json(own.listOwnSessions, async ({ call }) => ownAccess.sessions(call.principal)),
    json(own.endOtherSessions, async ({ call }) => {
      await ownAccess.endSessions(call, call.principal)
      return undefined
    }),
    json(own.endOwnSession, async ({ call, params }) => {
      await ownAccess.endSessions(call, call.principal, params.sessionId)
      return undefined
    }),
  ]
}

function passkeyRoutes({ passkeys }: Pick<Deps, 'passkeys'>): BoundRoute[] {
  return [
    json(passkey.listPasskeys, async ({ call, origin }) => passkeys.list(call.principal, origin)),
    json(passkey.beginPasskey, async ({ call, origin, body }) => ({
      Options: await passkeys.begin(call, call.principal, origin, body),
    })),
    json(passkey.registerPasskey, async ({ call, origin, body }) =>
      passkeys.register(call, call.principal, origin, body),
    ),
    json(passkey.removePasskey, async ({ call, params, body }) => {
      await passkeys.remove(call, call.principal, params.passkeyId, body)
      return undefined
    }),
    json(passkey.resetPasskeys, async ({ call, params }) => {
      await passkeys.reset(call, call.tenant, params.userId)
      return undefined
    }),
  ]
}
