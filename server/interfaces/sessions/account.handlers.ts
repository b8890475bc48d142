import * as contract from '../../../shared/contract/account.ts'
import { type BoundRoute, json } from '../handlers.ts'
import type { AccountService } from './account.service.ts'

interface Deps {
  readonly account: AccountService
  /** Gives the tenant's name as registered. @throws Fault TenantNotFound */
  readonly tenant: (name: string) => string
}

/** One's own way of signing in (shared/contract/account.ts). */
export function accountRoutes({ account, tenant }: Deps): BoundRoute[] {
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
      await account.reset(call, tenant(params.tenantId), params.userId)
      return undefined
    }),
  ]
}
