import { randomUUID } from 'node:crypto'
import { INTERNAL } from '../../../../shared/kernel/principal.ts'
import type { Call } from '../../../kernel/ledger/call.ts'
import type { Ledger } from '../../../kernel/ledger/ledger.ts'
import type { Database } from '../../../kernel/database/database.ts'
import type { PublicTenantKey, TenantKeys } from '../../../platform/secrets/tenant-keys.ts'
import { knownTenantKey, rememberTenantKey } from './keystore.store.ts'

/** The keys that uploads are encrypted for (decisions 6 and 12). */
export interface KeyStore {
  /** Made where there is none yet. */
  current(): Promise<PublicTenantKey>
  /** From now on another key is given out; the old one opens what was encrypted for it. */
  rotate(call: Call): Promise<{ readonly keyId: string; readonly replaced: string | null }>
  /** Destroys replaced keys that nothing can need any more. @returns how many */
  forget(): Promise<number>
}

interface Deps {
  readonly db: Database
  readonly ledger: Pick<Ledger, 'append'>
  readonly keys: TenantKeys
  /** Ids of the keys that open uploads name. */
  readonly named: () => Promise<ReadonlySet<string>>
}

const ownCall = (): Call => ({ actor: INTERNAL, source: 'station', correlationId: randomUUID() })
const keyObject = (kid: string) => ({ type: 'key', id: kid, name: 'tenant' })

export function createKeyStore({ db, ledger, keys, named }: Deps): KeyStore {
  /** The file comes first: what an end in between left unsaid is said as soon as the key is asked for. @returns the one before */
  const told = (call: Call, { kid }: PublicTenantKey): Promise<string | null> =>
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
      if ((await knownTenantKey(db.read)) !== key.kid) await told(ownCall(), key)
      return key
    },
    rotate: async (call) => {
      const before = keys.current()
      if (before !== null) await told(ownCall(), before)
      const key = await keys.rotate()
      return { keyId: key.kid, replaced: await told(call, key) }
    },
    forget: async () => {
      const gone = await keys.forget(await named())
      if (gone.length > 0)
        await db.transaction(async (tx) => {
          for (const kid of gone)
            await ledger.append(tx, ownCall(), { action: 'tenantKey.forgotten', object: keyObject(kid) })
        })
      return gone.length
    },
  }
}
