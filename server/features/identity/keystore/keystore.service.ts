import { randomUUID } from 'node:crypto'
import { INTERNAL } from '../../../../shared/kernel/principal.ts'
import type { Call } from '../../../kernel/ledger/call.ts'
import type { Ledger } from '../../../kernel/ledger/ledger.ts'
import type { Database } from '../../../kernel/database/database.ts'
import type { PublicTenantKey, TenantKeys } from '../../../platform/secrets/tenant-keys.ts'
import { knownTenantKey, rememberTenantKey } from './keystore.store.ts'

/** The keys that uploads are encrypted for (decisions 6 and 12). */
export interface KeyStore {
  /** The current key, created if there is none. */
  current(): Promise<PublicTenantKey>
  /** Replaces the key that is given out. The old one still opens uploads that were encrypted for it. */
  rotate(call: Call): Promise<{ readonly keyId: string; readonly replaced: string | null }>
  /** Destroys replaced keys that no open upload can need. @returns how many */
  forget(): Promise<number>
}

interface Deps {
  readonly db: Database
  readonly ledger: Pick<Ledger, 'append'>
  readonly keys: TenantKeys
  /** Ids of the keys that open uploads name. */
  readonly keysInUse: () => Promise<ReadonlySet<string>>
}

const ownCall = (): Call => ({ actor: INTERNAL, source: 'station', correlationId: randomUUID() })
const keyObject = (kid: string) => ({ type: 'key', id: kid, name: 'tenant' })

export function createKeyStore({ db, ledger, keys, keysInUse }: Deps): KeyStore {
  /**
   * Records the current key in the ledger. The key file is written first; after a crash in between the entry follows with the next request
   * for the key. @returns the id of the previous key
   */
  const recordKey = (call: Call, { kid }: PublicTenantKey): Promise<string | null> =>
    db.transaction(async (tx) => {
      const before = await knownTenantKey(tx)
      if (before === kid) return before
      await rememberTenantKey(tx, kid)
      await ledger.append(tx, call, {
        action: before === null ? 'tenantKey.created' : 'tenantKey.rotated',
        object: keyObject(kid),
        detail: { replaced: before },
      })
      return before
    })

  return {
    current: async () => {
      const key = await keys.ensure()
      if ((await knownTenantKey(db.read)) !== key.kid) await recordKey(ownCall(), key)
      return key
    },
    rotate: async (call) => {
      const before = keys.current()
      if (before !== null) await recordKey(ownCall(), before)
      const key = await keys.rotate()
      return { keyId: key.kid, replaced: await recordKey(call, key) }
    },
    forget: async () => {
      const forgotten = await keys.forget(await keysInUse())
      if (forgotten.length > 0)
        await db.transaction(async (tx) => {
          for (const kid of forgotten)
            await ledger.append(tx, ownCall(), { action: 'tenantKey.forgotten', object: keyObject(kid) })
        })
      return forgotten.length
    },
  }
}
