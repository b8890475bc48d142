/**
 * The start of an evidence where a person changes it (decisions 6 and 13): what device or file said stays beside it (I12), and whoever goes
 * back to that has nothing but that. Pure.
 */
import type { ClockFacts } from '../../../shared/evidence/recorded-time.ts'
import { parseDuration, shifted } from '../../../shared/kernel/durations.ts'
import { isLocalTime, localTimeIn } from '../../../shared/kernel/local-time.ts'
import { parseTime, type Time } from '../../../shared/kernel/time.ts'
import { givenContainer, givenIn, instantIn, isGpsContainer } from './local-start.ts'
import type { EvidenceRow } from './records.store.ts'

type Row = Pick<EvidenceRow, 'start_utc' | 'start_source' | 'container_start_utc'>
export type StartColumns = Partial<
  Pick<EvidenceRow, 'start_utc' | 'start_ticks' | 'start_source' | 'container_start_utc'>
>

const timeIn = (text: string | null | undefined): Time | null =>
  (text ?? null) === null ? null : parseTime(text as string, { utcMember: true })

/** What somebody says. The time that device or file gave is theirs, whoever says it again. */
export function startSet(row: Row, facts: ClockFacts, said: Time): StartColumns {
  const device = deviceStart(row, facts)
  if (device !== null && device.start.ticks === said.ticks) return columnsOf(device.start, device.source, row)
  return {
    start_utc: said.text,
    start_ticks: said.ticks,
    start_source: 'person',
    ...(isKeptElsewhere(row, facts) ? {} : { container_start_utc: givenContainer(row.start_utc as string) }),
  }
}

/** What device or file says, or none. @param zone of the station, in which a local time without a zone is taken */
export function clearedStart(row: Row, facts: ClockFacts, zone: string): StartColumns {
  const container = row.container_start_utc
  if (container !== null && isLocalTime(container)) {
    const local = localTimeIn(container, zone)
    const taken = local === null ? null : putRight(local, facts)
    return { start_utc: null, start_ticks: taken?.ticks ?? null, start_source: null }
  }
  const device = deviceStart(row, facts)
  return columnsOf(device?.start ?? null, device?.source ?? null, row)
}

const columnsOf = (start: Time | null, source: 'dock' | null, row: Row): StartColumns => ({
  start_utc: start?.text ?? null,
  start_ticks: start?.ticks ?? null,
  start_source: source,
  ...(givenIn(row.container_start_utc ?? '') === null ? {} : { container_start_utc: null }),
})

/** The corrected time by dock, file or sender; a local time without a zone is none. */
function deviceStart(row: Row, facts: ClockFacts): { readonly start: Time; readonly source: 'dock' | null } | null {
  const { docked, file } = facts
  const byDock = timeIn(docked?.recorded) === null ? null : timeIn(docked?.corrected)
  if (byDock !== null) return { start: byDock, source: 'dock' }
  const container = row.container_start_utc
  const given = timeIn(givenIn(container ?? ''))
  if (given !== null) return { start: given, source: null }
  const recorded = timeIn(file?.start ?? (container === null ? null : instantIn(container)))
  if (recorded === null) return null
  // A receiver's time is the true one already.
  const isTrue = container !== null && isGpsContainer(container) && (file?.start ?? null) === null
  return { start: isTrue ? recorded : putRight(recorded, facts), source: null }
}

/** By the offset of the device's clock. */
function putRight(recorded: Time, { file }: ClockFacts): Time {
  const duration = parseDuration(file?.offset ?? '')
  return duration === null ? recorded : (shifted(recorded, duration) ?? recorded)
}

/** Whether nothing is lost with the time that stands there. */
const isKeptElsewhere = (row: Row, { file, docked }: ClockFacts): boolean =>
  row.start_utc === null ||
  row.start_source !== null ||
  row.container_start_utc !== null ||
  (file?.start ?? null) !== null ||
  (docked?.recorded ?? null) !== null
