/** What is known of the ledgers of other stations: which keys sign them, and which of their branches ended. */
import type { Selectable } from 'kysely'
import type { Tx } from '../database/database.ts'
import type { StationBranchesTable } from '../database/tables-integrity.ts'

export type BranchRow = Selectable<StationBranchesTable>

/** Branches of the ledger of this origin that ended, oldest first. */
export const branchesOf = (from: Tx, origin: string): Promise<BranchRow[]> =>
  from.selectFrom('station_branches').selectAll().where('origin', '=', origin).orderBy('branch').execute()

/** Keys by which a station may have signed, raw in base64: of now, and those that a rotation replaced. Empty for an unknown station. */
export async function stationKeys(from: Tx, origin: string): Promise<string[]> {
  const [now, retired] = await Promise.all([
    from.selectFrom('received_checkpoints').select('public_key').where('origin', '=', origin).execute(),
    from.selectFrom('retired_station_keys').select('public_key').where('origin', '=', origin).execute(),
  ])
  return [...now, ...retired].map((row) => row.public_key)
}
