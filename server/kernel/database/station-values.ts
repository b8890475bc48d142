/** Single values of the station by name: the table `station`. row-coverage.ts lists the names that the ledger covers. */
import type { Tx } from './database.ts'

/** The name under which a station that was moved keeps where its blobs lie. */
export const BLOBS_IN = 'blobs-in'

/** Null when the value was never set or is deleted. */
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
