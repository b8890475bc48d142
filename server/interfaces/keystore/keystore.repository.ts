import type { Tx } from '../../db/database.ts'

const CURRENT = 'tenant-key'

/** Id of the key that the ledger last heard of; null before the first. */
export async function knownTenantKey(from: Tx): Promise<string | null> {
  const row = await from.selectFrom('station').select('value').where('name', '=', CURRENT).executeTakeFirst()
  return row?.value ?? null
}

export async function rememberTenantKey(tx: Tx, kid: string): Promise<void> {
  await tx
    .insertInto('station')
    .values({ name: CURRENT, value: kid })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value: kid }))
    .execute()
}
