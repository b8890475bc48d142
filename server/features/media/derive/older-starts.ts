/**
 * Starts that were read from pictures by an earlier program, or reckoned in another time zone, brought up to date: some at a time, and
 * beginning anew after a restart. What is up to date already is passed over, so nothing is done twice.
 */
import { INTERNAL } from '../../../../shared/kernel/principal.ts'
import { parseDuration, shifted } from '../../../../shared/kernel/durations.ts'
import { localTimeIn } from '../../../../shared/kernel/local-time.ts'
import type { Time } from '../../../../shared/kernel/time.ts'
import type { Database } from '../../../kernel/database/database.ts'
import type { Clock } from '../../../platform/clock/clock.ts'
import type { Records } from '../../../kernel/evidence/records.ts'
import { evidenceOf, resourceById } from '../../../kernel/evidence/records.store.ts'
import type { BlobStore } from '../../../storage/store.ts'
import { fillEvidence } from './fill-evidence.ts'
import { claimsIn } from './kept-metadata.ts'
import { type LocalStartRow, localStartsAfter, metadataAfter } from './older-starts.store.ts'
import { setStationValue, stationValue } from '../../../kernel/database/station-values.ts'

interface Deps {
  readonly db: Database
  readonly store: Pick<BlobStore, 'open'>
  readonly records: Pick<Records, 'fillEmpty' | 'reckonLocalStart'>
  readonly clock: Clock
  /** IANA name, of the station. */
  readonly timeZone: string
}

export interface OlderStarts {
  /** One round. @returns how many starts it wrote */
  run(): Promise<number>
}

/** A step where more is made of what pictures say of their time: pictures without a start are then looked at again. */
const CAPTURE_VERSION = '1'
const CAPTURES = 'capture times'
const ZONE = 'zone of local times'
/** Rows looked at, and starts written, in one turn. */
const ROWS = 500
const AT_ONCE = 20

/**
 * Pictures whose metadata was read before local times and GPS times were taken: their evidence has no start. The metadata lies in the
 * store, so no picture is opened.
 */
export function createCaptureRenewal({ db, store, records, clock, timeZone }: Deps): OlderStarts {
  let after = 0
  let finished: boolean | null = null
  return {
    run: async () => {
      finished ??= (await stationValue(db.read, CAPTURES)) === CAPTURE_VERSION
      if (finished) return 0
      const { last, due } = await metadataAfter(db.read, after, ROWS)
      let written = 0
      for (const row of due) {
        const facts = await claimsIn(store, row.sha256)
        if (facts === null || (facts.captured === null && facts.gpsTime === null)) continue
        await db.transaction(async (tx) => {
          const original = await resourceById(tx, row.parent_id)
          if (original === undefined) return
          const { start_utc: start, start_ticks: ticks } = await evidenceOf(tx, row.evidence_id)
          if (start !== null || ticks !== null) return
          // A place that somebody emptied since then stays empty.
          await fillEvidence(
            { records, clock, timeZone },
            tx,
            callOf('capture', row.resource_id),
            original,
            { ...facts, position: null },
            null,
          )
          written += 1
        })
      }
      after = last ?? after
      if (last === null) {
        await db.transaction((tx) => setStationValue(tx, CAPTURES, CAPTURE_VERSION))
        finished = true
      }
      return written
    },
  }
}

/** Local times without a zone are sorted as if in the zone of the station: where that was set to another one, they are sorted anew. */
export function createZoneRenewal({ db, records, timeZone }: Pick<Deps, 'db' | 'records' | 'timeZone'>): OlderStarts {
  let after = 0
  let from: string | null | undefined
  return {
    run: async () => {
      if (from === undefined) from = await stationValue(db.read, ZONE)
      const before = from
      if (before === timeZone) return 0
      if (before === null) {
        // Every local time so far was reckoned by this start of the station or by none.
        await db.transaction((tx) => setStationValue(tx, ZONE, timeZone))
        from = timeZone
        return 0
      }
      const { last, found } = await localStartsAfter(db.read, after, ROWS)
      let written = 0
      for (let at = 0; at < found.length; at += AT_ONCE) {
        const some = found.slice(at, at + AT_ONCE).flatMap((row) => {
          const taken = reckoned(row, before, timeZone)
          return taken === null || taken.ticks === row.ticks ? [] : [{ row, taken }]
        })
        if (some.length === 0) continue
        await db.transaction(async (tx) => {
          for (const { row, taken } of some) {
            const evidence = await evidenceOf(tx, row.evidence_id)
            if (evidence.start_utc !== null || evidence.container_start_utc !== row.local) continue
            await records.reckonLocalStart(tx, callOf('zone', row.evidence_id), evidence, taken, timeZone)
            written += 1
          }
        })
      }
      after = last ?? 0
      if (last === null) {
        await db.transaction((tx) => setStationValue(tx, ZONE, timeZone))
        from = timeZone
      }
      return written
    },
  }
}

/** With the offset of the camera's clock that it was reckoned with before. Null: beyond the years that times go to. */
function reckoned({ local, ticks, offsets }: LocalStartRow, before: string, zone: string): Time | null {
  const [old, now] = [zoneTime(local, before), localTimeIn(local, zone)]
  if (now === null) return null
  const durations = offsets.flatMap((text) => parseDuration(text) ?? [])
  const candidates: (Time | null)[] = [now, ...durations.map((by) => shifted(now, by))]
  // By which of the offsets it was put right shows in where it stood; it may stand where it belongs already.
  const apart = old === null ? null : ticks - old.ticks
  return (
    candidates.find((one) => one?.ticks === ticks) ??
    candidates.find((one) => one !== null && one.ticks - now.ticks === apart) ??
    candidates[1] ??
    now
  )
}

/** The zone that was set before may be one that this machine does not know any more. */
function zoneTime(local: string, zone: string): Time | null {
  try {
    return localTimeIn(local, zone)
  } catch {
    return null
  }
}

const callOf = (what: 'capture' | 'zone', id: number) => ({
  actor: INTERNAL,
  source: 'station',
  correlationId: `start-${what}-${id}`,
})
