import type { GeoPosition } from '../../../../shared/media/rules.ts'
import { timeOf } from '../../../../shared/kernel/time.ts'
import { pointWkt } from '../../../../shared/kernel/wkt.ts'
import type { Tx } from '../../../kernel/database/database.ts'
import type { Records } from '../../../kernel/evidence/records.ts'
import { evidenceOf, type ResourceRow } from '../../../kernel/evidence/records.store.ts'
import type { Call } from '../../../kernel/ledger/call.ts'
import type { Clock } from '../../../platform/clock/clock.ts'
import { type CaptureClaims, decideCapture, putRight } from './capture-time.ts'

/** What a file says of the time and place of its recording. */
export interface Claims extends CaptureClaims {
  readonly position: GeoPosition | null
}

interface Deps {
  readonly records: Pick<Records, 'fillEmpty'>
  readonly clock: Clock
  /** IANA name, of the station. */
  readonly timeZone: string
}

/**
 * Fills what nobody has given of an evidence yet.
 * @returns where the time comes from, in sentences for a person, where it was used and the file does not say the instant itself
 */
export async function fillEvidence(
  { records, clock, timeZone }: Deps,
  tx: Tx,
  call: Call,
  row: ResourceRow,
  { captured, gpsTime, position }: Claims,
  durationMs: number | null,
): Promise<readonly string[]> {
  const decision = decideCapture({ captured, gpsTime }, timeZone, clock.now())
  const { start: recorded, startFrom, local, note } = decision
  const { start, taken } = putRight(decision, row.time_offset)
  const end =
    start === null || durationMs === null ? null : timeOf(Number(start.ticks / 10_000n) + Math.round(durationMs))
  const filled = await records.fillEmpty(tx, call, await evidenceOf(tx, row.evidence_id), {
    start,
    startFrom,
    recorded,
    local: local === null || taken === null ? null : { text: local.text, taken },
    end,
    wkt: position === null ? null : pointWkt(position.longitude, position.latitude),
  })
  const used = filled !== null && local !== null && filled.container_start_utc === local.text
  return used && filled.start_source === null && note !== null ? [note] : []
}
