import { INTERNAL } from '../../../../shared/kernel/principal.ts'
import type { Tx } from '../../../kernel/database/database.ts'

/**
 * The station as an author (decisions 3: `internal`, `0`). What is written beside evidence belongs to a row of the principals; the
 * station's is a service that nobody lists, that is in no group and policy, and that cannot sign in. Its key cannot be a service's: names
 * have no outer spaces.
 */
export async function ensureStationAuthor(tx: Tx, tenant: string, nowUtc: string): Promise<void> {
  await tx
    .insertInto('principals')
    .values({
      principal_id: Number(INTERNAL.id),
      tenant_id: tenant,
      kind: 'service',
      name: INTERNAL.name,
      name_key: ` ${INTERNAL.name}`,
      k_id: INTERNAL.kId,
      built_in: 1,
      enabled: 0,
      password_hash: null,
      base_url: null,
      deleted_utc: nowUtc,
      created_utc: nowUtc,
      created_by: JSON.stringify(INTERNAL.name),
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}
