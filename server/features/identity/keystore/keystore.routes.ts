import { getTenantKey } from '../../../../shared/identity/keystore.contract.ts'
import { type BoundRoute, json } from '../../../http/handlers.ts'
import type { KeyStore } from './keystore.service.ts'

interface Deps {
  readonly keyStore: Pick<KeyStore, 'current'>
  /** Gives the tenant's name as registered. @throws Fault TenantNotFound */
  readonly tenant: (name: string) => string
}

export function keyStoreRoutes({ keyStore, tenant }: Deps): BoundRoute[] {
  return [
    json(getTenantKey, async ({ params, call }) => {
      tenant(params.tenantName)
      const key = await keyStore.current()
      call.seen({ id: key.kid, name: 'tenant' })
      return { ...key, use: 'enc' as const, alg: 'RSA-OAEP' as const }
    }),
  ]
}
