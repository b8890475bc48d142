/**
 * Which evidence and cases the station added as sample data (decisions 33). Two places say so: a value of the station lists them, for the
 * work; the entry `sample.added`, written in the transaction that made the object, proves it. What is removed as sample data must have that
 * entry, so a changed list removes nothing else.
 */
import type { Tx } from './database/database.ts'
import { deleteStationValue, setStationValue, stationValue } from './database/station-values.ts'
import { storedEntry } from './ledger/format.ts'

export type SampleKind = 'evidence' | 'case'

export interface SampleItem {
  readonly kind: SampleKind
  readonly id: number
  /** Which of the plan it is. */
  readonly step: string
}

export interface SampleRemoval {
  /** Items that there were when it began. */
  readonly total: number
  readonly evidence: number
  readonly cases: number
  readonly kept: readonly string[]
}

export interface SampleData {
  /** Milliseconds since 1970: when it was asked for. Recorded times are reckoned from it. */
  readonly startedAt: number
  readonly language: 'en' | 'fr'
  /** Steps of the plan that are done. */
  readonly done: readonly string[]
  /** What is there. */
  readonly items: readonly SampleItem[]
  /** Somebody asked to remove it: nothing is added any more. What was removed so far, and what stayed since people added files to it. */
  readonly removal: SampleRemoval | null
}

const SAMPLE_DATA = 'sample-data'

/** Null: there is none. */
export async function sampleData(from: Tx): Promise<SampleData | null> {
  const value = await stationValue(from, SAMPLE_DATA)
  return value === null ? null : (JSON.parse(value) as SampleData)
}

export const setSampleData = (tx: Tx, data: SampleData): Promise<void> =>
  setStationValue(tx, SAMPLE_DATA, JSON.stringify(data))

export const forgetSampleData = (tx: Tx): Promise<void> => deleteStationValue(tx, SAMPLE_DATA)

/** The entry stands among the first of its object, since it was written when the object was made. */
const FIRST_ENTRIES = 50

/** What the ledger says about the object as sample data; null: it was never added as such. */
export async function sampleEntryOf(
  from: Tx,
  kind: SampleKind,
  id: number,
): Promise<{ readonly resourceId: string | null } | null> {
  const rows = await from
    .selectFrom('ledger')
    .select('body')
    .where('object_type', '=', kind)
    .where('object_id', '=', String(id))
    .orderBy('seq')
    .limit(FIRST_ENTRIES)
    .execute()
  const entry = rows.map(({ body }) => storedEntry(body)).find(({ action }) => action === 'sample.added')
  if (entry === undefined) return null
  const resourceId = entry.detail?.['resourceId']
  return { resourceId: typeof resourceId === 'string' ? resourceId : null }
}
