import type { Clock } from '../../../platform/clock/clock.ts'
import type { ClockSync } from '../../../platform/clock/sync.ts'
import { type Finding, judged, unknown } from './check.ts'
import { validationReason } from '../../../../shared/messages/validation-reasons.ts'

export interface ClockDeps {
  readonly clock: Clock
  readonly clockSync: () => Promise<ClockSync>
  /** Of both clocks, when the run began. */
  readonly began: { readonly now: number; readonly monotonic: number }
}

/** Milliseconds by which the time of day may leave the other clock during a run: more is a jump, not a correction. */
const MOST_DRIFT_MS = 2000
/** Milliseconds by which a synchronised clock may be wrong. */
const MOST_ERROR_MS = 5000
const DONE = validationReason('didClock')

export async function checkClock({ clock, clockSync, began }: ClockDeps): Promise<Finding> {
  const { source, errorMilliseconds } = await clockSync()
  const drift = Math.round(clock.now() - began.now - (clock.monotonic() - began.monotonic))
  const figures = {
    source,
    driftMilliseconds: drift,
    ...(errorMilliseconds === null ? {} : { mostErrorMilliseconds: Math.ceil(errorMilliseconds) }),
  }
  if (Math.abs(drift) > MOST_DRIFT_MS) return judged(DONE, figures, [validationReason('jumped', { drift })])
  if (source === 'unknown') return unknown(DONE, validationReason('clockUnknown'), figures)
  if (source === 'free') return unknown(DONE, validationReason('clockFree'), figures)
  const tooWrong = errorMilliseconds !== null && errorMilliseconds > MOST_ERROR_MS
  return judged(
    DONE,
    figures,
    tooWrong ? [validationReason('clockWrong', { error: Math.ceil(errorMilliseconds) })] : [],
  )
}
