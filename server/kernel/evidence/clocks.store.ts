import { type Kysely, sql } from 'kysely'
import { type ClockFacts, recordedTime, type RecordedTime } from '../../../shared/evidence/recorded-time.ts'
import { isLocalTime } from '../../../shared/kernel/local-time.ts'
import type { Tables } from '../database/tables.ts'
import { givenIn, isGpsContainer, takenStart } from './local-start.ts'

/** When evidences were recorded, by their devices and by true time: the stored facts for shared/evidence/recorded-time.ts. */

interface Row {
  readonly evidence_id: number
  readonly start_utc: string | null
  readonly start_ticks: string | null
  readonly start_source: 'dock' | 'person' | null
  readonly container_start_utc: string | null
  readonly first_id: number | null
  readonly file_start: string | null
  readonly time_offset: string | null
  readonly docked: number | null
  readonly docked_start: string | null
  readonly docked_corrected: string | null
  readonly offset_ms: number | null
  readonly uncertainty_ms: number | null
}

/** SQLite takes so many values in one statement. */
const AT_ONCE = 5000

export async function clockFacts(from: Kysely<Tables>, ids: readonly number[]): Promise<Map<number, ClockFacts>> {
  const found = new Map<number, ClockFacts>()
  for (let at = 0; at < ids.length; at += AT_ONCE) {
    const { rows } = await sql<Row>`
      SELECT e.evidence_id, e.start_utc, CAST(e.start_ticks AS TEXT) AS start_ticks, e.start_source, e.container_start_utc, f.resource_id AS first_id,
        f.start_utc AS file_start, f.time_offset, d.recording_id AS docked, d.start_utc AS docked_start,
        d.corrected_start_utc AS docked_corrected, d.offset_ms, d.uncertainty_ms
      FROM evidence e
      LEFT JOIN resources f ON f.resource_id =
        (SELECT min(resource_id) FROM resources WHERE evidence_id = e.evidence_id AND role = 'original')
      LEFT JOIN dock_recordings d ON d.recording_id =
        (SELECT min(recording_id) FROM dock_recordings WHERE evidence_id = e.evidence_id)
      WHERE e.evidence_id IN (${sql.join(ids.slice(at, at + AT_ONCE))})`.execute(from)
    for (const row of rows) found.set(row.evidence_id, factsOf(row))
  }
  return found
}

export async function clocksOf(from: Kysely<Tables>, ids: readonly number[]): Promise<Map<number, RecordedTime>> {
  return new Map([...(await clockFacts(from, ids))].map(([id, facts]) => [id, recordedTime(facts)]))
}

export async function factsOfClock(from: Kysely<Tables>, id: number): Promise<ClockFacts> {
  const facts = (await clockFacts(from, [id])).get(id)
  if (facts === undefined) throw new Error(`Evidence ${id} has no row`)
  return facts
}

export const clockOf = async (from: Kysely<Tables>, id: number): Promise<RecordedTime> =>
  recordedTime(await factsOfClock(from, id))

const factsOf = (row: Row): ClockFacts => ({
  ...startFacts(row.start_utc, row.start_ticks, row.container_start_utc),
  startSource: row.start_source,
  file: row.first_id === null ? null : { start: row.file_start, offset: row.time_offset },
  docked:
    row.docked === null
      ? null
      : {
          recorded: row.docked_start,
          corrected: row.docked_corrected,
          offsetMilliseconds: row.offset_ms,
          uncertaintyMilliseconds: row.uncertainty_ms,
        },
})

/** A start that is there in ticks alone is a local time, taken as if in the station's zone (evidence/records/local-start.ts). */
function startFacts(start: string | null, ticks: string | null, container: string | null) {
  if (container !== null && isGpsContainer(container)) return { start, containerStart: null, fromGps: true }
  const given = container === null ? null : givenIn(container)
  if (given !== null) return { start, containerStart: null, givenStart: given }
  if (container === null || !isLocalTime(container)) return { start, containerStart: container }
  const taken = start === null && ticks !== null ? takenStart(container, BigInt(ticks)) : null
  return { start: start ?? taken, containerStart: null, localTime: container, zoneUnknown: taken !== null }
}
