import { getTenantKey } from '../../../../shared/identity/keystore.contract.ts'
import { type BoundRoute, json } from '../../../http/handlers.ts'
import type { Feature, Kernel } from '../../../kernel/kernel.ts'
import { createKeyStore, type KeyStore } from './keystore.service.ts'

interface Needs {
  /** Ids of the keys that open uploads name. */
  readonly keysInUse: () => Promise<ReadonlySet<string>>
}

/** The keys that uploads are encrypted for. */
export function keyStoreFeature(kernel: Kernel, { keysInUse }: Needs): Feature & Pick<KeyStore, 'rotate'> {
  const keyStore = createKeyStore({ ...kernel, keys: kernel.keys.tenant, keysInUse })
  return {
    rotate: keyStore.rotate,
    routes: keyStoreRoutes({ keyStore }),
    tasks: [{ name: 'keys of encrypted uploads', runsOn: 'one node', everyMs: 3_600_000, run: keyStore.forget }],
  }
}

interface Deps {
  readonly keyStore: Pick<KeyStore, 'current'>
}

function keyStoreRoutes({ keyStore }: Deps): BoundRoute[] {
  return [
    json(getTenantKey, async ({ call }) => {
      const key = await keyStore.current()
      call.describeRead({ id: key.kid, name: 'tenant' })
      return { ...key, use: 'enc' as const, alg: 'RSA-OAEP' as const }
    }),
  ]
}
