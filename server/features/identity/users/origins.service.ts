import type { Ledger } from '../../../kernel/ledger/ledger.ts'
import type { Database } from '../../../kernel/database/database.ts'
import type { Call } from '../../../kernel/ledger/call.ts'
import { originsOf, replaceOrigins } from './origins.store.ts'
import { objectOf } from './principals.models.ts'
import { requirePrincipal } from './account-state.ts'

/** The origins of web pages that may use the API key of an integration (decisions 8). */
export interface Origins {
  /** @throws Fault ServiceNotFound, as `replace` */
  read(tenant: string, id: string): Promise<{ Origins: string[]; name: string }>
  replace(call: Call, tenant: string, id: string, origins: readonly string[]): Promise<{ Origins: string[] }>
}

export function createOrigins({
  db,
  ledger,
}: {
  readonly db: Database
  readonly ledger: Pick<Ledger, 'append'>
}): Origins {
  return {
    read: async (tenant, id) => {
      const row = await requirePrincipal(db.read, tenant, 'service', id)
      return { Origins: await originsOf(db.read, row.principal_id), name: row.name }
    },
    replace: (call, tenant, id, origins) =>
      db.transaction(async (tx) => {
        const row = await requirePrincipal(tx, tenant, 'service', id)
        const before = await originsOf(tx, row.principal_id)
        const after = [...new Set(origins)].sort()
        await replaceOrigins(tx, row.principal_id, after)
        await ledger.append(tx, call, {
          action: 'service.originsChanged',
          object: objectOf(row),
          detail: { before, after },
        })
        return { Origins: after }
      }),
  }
}
