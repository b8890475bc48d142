/** What databases say of the station's home: whether it moved away, is still arriving, and where its blobs lie. */
import { sql } from 'kysely'
import { z } from 'zod'
import type { Tx } from '../../kernel/database/database.ts'
import { BLOBS_IN, deleteStationValue, setStationValue, stationValue } from '../../kernel/database/station-values.ts'
import type { OpenBlock } from '../../storage/move-blocks.ts'

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

/** A part of a file gets a file or an object of its own, which no other block ever has: its place and its bytes make the name. */
const NEW_NAME = sql<string>`file || '-' || CAST(file_offset AS TEXT) || '-' || substr(sha256, 1, 24)`
const IS_PART = sql<boolean>`stride IS NOT NULL`

/** Blocks of uploads that are not complete, each place once. @param apart whether each has to be an object of its own */
export async function* openBlocks(from: Tx, apart: boolean): AsyncGenerator<OpenBlock, void, undefined> {
  const uploads = await from
    .selectFrom('upload_blocks')
    .select('resource_id')
    .distinct()
    .orderBy('resource_id')
    .execute()
  for (const { resource_id: id } of uploads) {
    const name = apart ? sql<string>`CASE WHEN ${IS_PART} THEN ${NEW_NAME} ELSE file END` : sql<string>`file`
    const blocks = await from
      .selectFrom('upload_blocks')
      .select(['file', 'file_offset as offset', 'length', 'sha256', 'crc32', name.as('name')])
      .distinct()
      .where('resource_id', '=', id)
      .where('length', '>', 0)
      .execute()
    for (const block of blocks) yield { upload: String(id), ...block }
  }
}

/** Whether a row names the block still. */
export async function isOpenBlock(from: Tx, { upload, file, offset, sha256 }: OpenBlock): Promise<boolean> {
  const row = await from
    .selectFrom('upload_blocks')
    .select('length')
    .where('resource_id', '=', Number(upload))
    .where('file', '=', file)
    .where('file_offset', '=', offset)
    .where('sha256', '=', sha256)
    .executeTakeFirst()
  return row !== undefined
}

/** At the new home the blocks lie in a bucket, each an object of its own. */
export const nameBlocksApart = (tx: Tx): Promise<unknown> =>
  tx.updateTable('upload_blocks').set({ file: NEW_NAME, file_offset: 0, stride: null }).where(IS_PART).execute()

/** Names of files of which blocks were sent, and which are not complete. @param first stands first */
export async function uploadsWithBlocks(from: Tx, first: string): Promise<string[]> {
  const rows = await from
    .selectFrom('resources')
    .select(['name', 'resource_id'])
    .where('resource_id', 'in', (open) => open.selectFrom('upload_blocks').select('resource_id'))
    .orderBy('resource_id')
    .execute()
  const isFirst = ({ resource_id: id }: { resource_id: number }): number => (String(id) === first ? 0 : 1)
  return rows.toSorted((a, b) => isFirst(a) - isFirst(b)).map(({ name }) => name)
}
