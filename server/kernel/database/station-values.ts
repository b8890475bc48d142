/** What there is one of in a station, by name: the table `station`. Whether a name is covered by the ledger stands in row-coverage.ts. */
import type { Tx } from './database.ts'

/** Null: never set, or deleted. */
export async function stationValue(from: Tx, name: string): Promise<string | null> {
  const row = await from.selectFrom('station').select('value').where('name', '=', name).executeTakeFirst()
  return row?.value ?? null
}

export async function setStationValue(tx: Tx, name: string, value: string): Promise<void> {
  await tx
    .insertInto('station')
    .values({ name, value })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
    .execute()
}

export async function deleteStationValue(tx: Tx, name: string): Promise<void> {
  await tx.deleteFrom('station').where('name', '=', name).execute()
}
