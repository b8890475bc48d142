import { createHash } from 'node:crypto'
import type { Principal } from '../../../shared/kernel/principal.ts'
import type { Database } from '../../kernel/database/database.ts'
import { type Clock, isoMillis } from '../../platform/clock/clock.ts'
import { allowsOrigin, serviceWithKey, usedKey } from './cad.store.ts'

/** API keys open CAD push and nothing else (decisions 8). Only their hash is kept, and it is all that is looked for. */
export interface ApiKeys {
  /** Null: no such key, or it counts no more. */
  principalOf(apiKey: string): Promise<(Principal & { readonly guest: boolean }) | null>
  /** Whether pages of this origin may use the key. */
  mayShare(apiKey: string, origin: string): Promise<boolean>
  /** A task: writes down when keys were used last. Not with each call, for that would be one more write for every read. */
  noteUse(): Promise<void>
}

/** Longer ones are none of ours; they are not even hashed. */
const MOST_CHARACTERS = 256

interface Deps {
  readonly db: Database
  readonly clock: Clock
  readonly mayWrite: () => boolean
}

export function createApiKeys({ db, clock, mayWrite }: Deps): ApiKeys {
  const used = new Map<number, string>()
  const found = async (apiKey: string) =>
    apiKey === '' || apiKey.length > MOST_CHARACTERS
      ? undefined
      : serviceWithKey(db.read, createHash('sha256').update(apiKey).digest('hex'), isoMillis(clock.now()))
  return {
    principalOf: async (apiKey) => {
      const row = await found(apiKey)
      if (row === undefined) return null
      used.set(row.api_key_id, isoMillis(clock.now()))
      return { kind: 'service', id: String(row.principal_id), name: row.name, kId: row.k_id, guest: false }
    },
    mayShare: async (apiKey, origin) => {
      const row = await found(apiKey)
      return row !== undefined && (await allowsOrigin(db.read, row.principal_id, origin))
    },
    noteUse: async () => {
      if (used.size === 0 || !mayWrite()) return
      const some = [...used]
      used.clear()
      await db.transaction(async (tx) => {
        for (const [id, at] of some) await usedKey(tx, id, at)
      })
    },
  }
}
