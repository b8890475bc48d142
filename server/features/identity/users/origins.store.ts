import type { Tx } from '../../../kernel/database/database.ts'

export async function originsOf(from: Tx, principalId: number): Promise<string[]> {
  const rows = await from
    .selectFrom('service_origins')
    .select('origin')
    .where('principal_id', '=', principalId)
    .orderBy('origin')
    .execute()
  return rows.map(({ origin }) => origin)
}

export async function replaceOrigins(tx: Tx, principalId: number, origins: readonly string[]): Promise<void> {
  await tx.deleteFrom('service_origins').where('principal_id', '=', principalId).execute()
  if (origins.length === 0) return
  await tx
    .insertInto('service_origins')
    .values(origins.map((origin) => ({ principal_id: principalId, origin })))
    .execute()
}
