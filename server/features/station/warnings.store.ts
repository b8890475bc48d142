/** Data for the warnings about the station, and their waivers. */
import { sql } from 'kysely'
import { z } from 'zod'
import type { StationWarning } from '../../../shared/station/warnings.ts'
import type { Tx } from '../../kernel/database/database.ts'
import { deleteStationValue, setStationValue, stationValue } from '../../kernel/database/station-values.ts'

/** Rows of the table `station`. The ledger vouches for them (db/row-coverage.ts). */
const ROWS: Readonly<Record<StationWarning, string>> = {
  backup: 'waiver-backup',
  checkpoints: 'waiver-checkpoints',
  clock: 'waiver-clock',
}

const Stored = z.object({
  waivedAt: z.number(),
  until: z.number(),
  reason: z.string(),
  by: z.object({ PrincipalId: z.string(), Name: z.string(), PrincipalType: z.string() }),
  /** How many places for it had ever been set up. One more since then: the warning was settled, and stands anew. */
  placesEver: z.number(),
})
export type StoredWaiver = z.output<typeof Stored>

/** Null also for a malformed row, so that a row written into the database from outside waives nothing. */
export async function storedWaiver(from: Tx, warning: StationWarning): Promise<StoredWaiver | null> {
  const value = await stationValue(from, ROWS[warning])
  return value === null ? null : readWaiver(value)
}

function readWaiver(value: string): StoredWaiver | null {
  try {
    return Stored.safeParse(JSON.parse(value)).data ?? null
  } catch {
    return null
  }
}

export async function storeWaiver(tx: Tx, warning: StationWarning, waiver: StoredWaiver): Promise<void> {
  await setStationValue(tx, ROWS[warning], JSON.stringify(waiver))
}

export async function deleteWaiver(tx: Tx, warning: StationWarning): Promise<void> {
  await deleteStationValue(tx, ROWS[warning])
}

export interface PlacesFor {
  /** Set up now. */
  readonly now: number
  /** Ever set up: rows of places stay when they are removed. */
  readonly ever: number
}

/** Places elsewhere that backups, or copies of checkpoints, go to. */
export async function placesFor(from: Tx, warning: 'backup' | 'checkpoints'): Promise<PlacesFor> {
  const { now, ever } = await from
    .selectFrom(warning === 'backup' ? 'backup_targets' : 'checkpoint_targets')
    .select((e) => [
      e.fn.countAll<number>().as('ever'),
      e.fn.sum<number>(sql<number>`CASE WHEN removed_utc IS NULL THEN 1 ELSE 0 END`).as('now'),
    ])
    .executeTakeFirstOrThrow()
  return { now: Number(now ?? 0), ever: Number(ever) }
}
