/** When a recording was by true time (decisions 8: corrected time, not camera time). Only what no edit of the evidence can change counts. */
import { parseDuration } from '../../../shared/kernel/durations.ts'
import { parseTime } from '../../../shared/kernel/time.ts'
import type { RecordingFacts, RecordingRow } from './correlation.store.ts'
import { DAY } from '../../../shared/correlation/rules.ts'
import type { Place } from '../../../shared/kernel/distance.ts'

interface Statement {
  readonly camera: { readonly offsetMilliseconds: number; readonly uncertaintyMilliseconds: number } | null
  readonly station: { readonly errorMilliseconds: number | null }
}

const TICKS = 10_000n
const millisIn = (text: string | null): number | null => {
  const time = text === null ? null : parseTime(text, { utcMember: true })
  return time === null ? null : Number(time.ticks / TICKS)
}

const POINT = /^\s*POINT\s*\(\s*(\S+)\s+(\S+)\s*\)\s*$/i
export function placeOf(wkt: string | null): Place | null {
  const found = wkt === null ? null : POINT.exec(wkt)
  if (found === null) return null
  const [longitude, latitude] = [Number(found[1]), Number(found[2])]
  return Number.isFinite(longitude) && Number.isFinite(latitude) ? { latitude, longitude } : null
}

const durationOf = (media: string | null): number | null => {
  const seconds = media === null ? undefined : (JSON.parse(media) as { DurationSeconds?: number }).DurationSeconds
  return typeof seconds === 'number' && Number.isFinite(seconds) && seconds >= 0 ? Math.round(seconds * 1000) : null
}

interface Span {
  readonly from: number
  readonly to: number | null
  readonly offset: number | null
  readonly uncertainty: number | null
}

/** A camera in its bay: as it was put right when it was listed, by the statement of that docking. */
function docked(facts: RecordingFacts): Span | null {
  const from = millisIn(facts.docked_from)
  if (from === null) return null
  const camera = millisIn(facts.camera_from)
  const statements = facts.clock === null ? [] : (JSON.parse(facts.clock) as Statement[])
  const withCamera = statements.filter((one) => one.camera !== null)
  const used = withCamera.findLast((one) => camera !== null && one.camera?.offsetMilliseconds === from - camera) ?? null
  if (used?.camera == null) return { from, to: millisIn(facts.docked_to), offset: null, uncertainty: null }
  return {
    from,
    to: millisIn(facts.docked_to),
    offset: used.camera.offsetMilliseconds,
    uncertainty: Math.ceil(used.camera.uncertaintyMilliseconds + (used.station.errorMilliseconds ?? 0)),
  }
}

/** What an uploader whose device was proved said of its first file: camera time and offset. */
function uploaded(facts: RecordingFacts): Span {
  const { start_ms: start, end_ms: end, time_offset: text, recorded_ms: recorded } = facts
  const duration = text === null ? null : parseDuration(text)
  const offset = duration === null || start === null ? null : Number(duration.ticks / TICKS)
  const from = offset === null || start === null ? recorded : start + offset
  const length = start !== null && end !== null && end >= start ? end - start : null
  return { from, to: length === null ? null : from + length, offset, uncertainty: null }
}

/** @param names file names, in their order */
export function recordingOf(facts: RecordingFacts, names: readonly string[]): RecordingRow {
  const { from, to, offset, uncertainty } = docked(facts) ?? uploaded(facts)
  const end = to ?? from + (durationOf(facts.media) ?? 0)
  const place = placeOf(facts.docked_wkt)
  const marks = facts.marks === null ? [] : (JSON.parse(facts.marks) as unknown[])
  return {
    evidence_id: facts.evidence_id,
    device_id: facts.device_id,
    recorded_ms: facts.recorded_ms,
    from_ms: from,
    to_ms: Math.min(Math.max(from, end), from + DAY),
    offset_ms: offset,
    uncertainty_ms: uncertainty,
    latitude: place?.latitude ?? null,
    longitude: place?.longitude ?? null,
    names: JSON.stringify([...names, ...marks.map((mark) => (typeof mark === 'string' ? mark : JSON.stringify(mark)))]),
  }
}
