import { getTenantKey } from '../../../../shared/identity/keystore.contract.ts'
import { type BoundRoute, json } from '../../../http/handlers.ts'
import type { KeyStore } from './keystore.service.ts'

interface Deps {
  readonly keyStore: Pick<KeyStore, 'current'>
}

export function keyStoreRoutes({ keyStore }: Deps): BoundRoute[] {
  return [
    json(getTenantKey, async ({ call }) => {
      const key = await keyStore.current()
      call.describeRead({ id: key.kid, name: 'tenant' })
      return { ...key, use: 'enc' as const, alg: 'RSA-OAEP' as const }
    }),
  ]
}
