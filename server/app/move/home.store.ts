/** What databases say of the station's home: whether it moved away, is still arriving, and where its blobs lie. */
import { z } from 'zod'
import type { Tx } from '../../kernel/database/database.ts'
import { BLOBS_IN, deleteStationValue, setStationValue, stationValue } from '../../kernel/database/station-values.ts'

const MOVED = 'moved'
const ARRIVING = 'arriving'

/** In a database that the station left. `entries` stands first: the start check reads it before anything is trusted. */
const MovedMark = z.object({
  /** How many entries the ledger had, and the hash of the last one. What comes behind them was recorded here after the move. */
  entries: z.int(),
  head: z.string(),
  timeUtc: z.string(),
  /** The new home, without passwords. */
  database: z.string(),
  blobs: z.string(),
})
export type MovedMark = z.output<typeof MovedMark>

/** In a database, and beside blobs, that an unfinished move fills. */
const ArrivingMark = z.object({ origin: z.string(), from: z.string() })
export type ArrivingMark = z.output<typeof ArrivingMark>

export async function movedMark(from: Tx): Promise<MovedMark | null> {
  const found = await stationValue(from, MOVED)
  return found === null ? null : MovedMark.parse(JSON.parse(found))
}

export const setMoved = (tx: Tx, mark: MovedMark): Promise<void> =>
  setStationValue(tx, MOVED, JSON.stringify(MovedMark.parse(mark)))

export const isArriving = async (from: Tx): Promise<boolean> => (await stationValue(from, ARRIVING)) !== null

export const arrivingText = (mark: ArrivingMark): string => JSON.stringify(mark)

/** The station whose unfinished move it is; null for a mark that cannot be read. */
export function arrivingOrigin(text: string): string | null {
  try {
    return ArrivingMark.parse(JSON.parse(text)).origin
  } catch {
    return null
  }
}

/** The station lives in this database from now on. */
export async function setHome(tx: Tx, blobs: string): Promise<void> {
  await deleteStationValue(tx, ARRIVING)
  await setStationValue(tx, BLOBS_IN, blobs)
}

/** `folder`, or an address; null for a station that was never moved. */
export const blobsIn = (from: Tx): Promise<string | null> => stationValue(from, BLOBS_IN)

/** Whether bytes without a row may be removed: they were destroyed, or are at headquarters only. */
export async function mayGo(from: Tx, sha256: string): Promise<boolean> {
  const destroyed = await from
    .selectFrom('destroyed_blobs')
    .select('sha256')
    .where('sha256', '=', sha256)
    .executeTakeFirst()
  if (destroyed !== undefined) return true
  const cleared = await from
    .selectFrom('forwarded_blobs')
    .select('sha256')
    .where('sha256', '=', sha256)
    .executeTakeFirst()
  return cleared !== undefined
}

export async function blobTotals(from: Tx): Promise<{ count: number; bytes: number }> {
  const row = await from
    .selectFrom('blobs')
    .select(({ fn }) => [fn.countAll<number>().as('count'), fn.sum<number | null>('length').as('bytes')])
    .executeTakeFirst()
  return { count: Number(row?.count ?? 0), bytes: Number(row?.bytes ?? 0) }
}

export const quarantineRows = (from: Tx): Promise<{ path: string; reason: string; sha256: string | null }[]> =>
  from.selectFrom('quarantine').select(['path', 'reason', 'sha256']).execute()

/** Hash of an entry, in hexadecimal; null where there is none. */
export async function hashOfEntry(from: Tx, seq: number): Promise<string | null> {
  const row = await from.selectFrom('ledger').select('hash').where('seq', '=', seq).executeTakeFirst()
  return row === undefined ? null : Buffer.from(row.hash).toString('hex')
}

/** Names of files of which blocks were sent, and which are not complete; the oldest first. */
export async function uploadsWithBlocks(from: Tx): Promise<string[]> {
  const rows = await from
    .selectFrom('resources')
    .select('name')
    .where('resource_id', 'in', (open) => open.selectFrom('upload_blocks').select('resource_id'))
    .orderBy('resource_id')
    .execute()
  return rows.map(({ name }) => name)
}
