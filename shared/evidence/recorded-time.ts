/**
 * When a recording began: by its device, by true time, and how the one was made from the other (decisions 13, *Times*). Server and renderer
 * both ask here, so that every page, list, export and receipt says the same. Pure.
 */
import { type Duration, durationOf, parseDuration, shifted } from '../kernel/durations.ts'
import { parseTime, type Time } from '../kernel/time.ts'

/**
 * Where the corrected time comes from.
 * `dock`: the dock compared the camera's clock with the station's. `device`: whoever handed the file in gave the offset with it.
 * `person`: somebody typed the time. `container`: the file says the time itself, and nobody compared that clock.
 * `gps`: the time of the GPS receiver in the file, which gives its own time without a zone or none.
 * `none`: the time was given without an offset.
 */
export const CLOCK_SOURCES = ['dock', 'device', 'person', 'container', 'gps', 'none'] as const
export type ClockSourceName = (typeof CLOCK_SOURCES)[number]

/** What is stored. Times are ISO 8601 in UTC. */
export interface ClockFacts {
  /** `StartTimeUtc` of the evidence: the corrected time. */
  readonly start: string | null
  /** Who gave that time; null where it came with the evidence, or from before this was kept. */
  readonly startSource: 'dock' | 'person' | null
  /** What the file itself said when its facts were read; null where it said nothing, or the evidence had a time already. */
  readonly containerStart: string | null
  /** What came with the evidence, where a person put it right and neither file nor device says a time. */
  readonly givenStart?: string | null
  /** Of the first original: what the device recorded, and the ISO 8601 duration that is added to it. */
  readonly file: { readonly start: string | null; readonly offset: string | null } | null
  /** What the dock found out; null where this evidence was not docked. */
  readonly docked: {
    readonly recorded: string | null
    readonly corrected: string | null
    /** Null: nothing on the camera told what its clock showed. */
    readonly offsetMilliseconds: number | null
    readonly uncertaintyMilliseconds: number | null
  } | null
  /** True where the device wrote a local time without its zone: `start` is that time, taken as if in the station's zone. */
  readonly zoneUnknown?: boolean
  /** What the device wrote where it named no zone: `YYYY-MM-DDTHH:MM:SS`, with a fraction where there is one. */
  readonly localTime?: string | null
  /** True where `start` is the time of the GPS receiver and the file has none of its own. */
  readonly fromGps?: boolean
}

export interface RecordedTime {
  /** The best that is known; the recorded time where nobody compared the clock. */
  readonly corrected: string | null
  /** As the device recorded it. */
  readonly recorded: string | null
  /** ISO 8601 duration: corrected = recorded + offset. Null where nobody compared the clocks. */
  readonly offset: string | null
  readonly source: ClockSourceName
  /** The corrected time is right to this much either way; null where that is not known. */
  readonly uncertaintyMilliseconds: number | null
  readonly zoneUnknown: boolean
  /** As the device wrote it, where it named no zone. */
  readonly localTime?: string
}

const timeIn = (text: string | null): Time | null => (text === null ? null : parseTime(text, { utcMember: true }))
const same = (one: Time | null, other: Time | null): boolean =>
  one !== null && other !== null && one.ticks === other.ticks

export function recordedTime(facts: ClockFacts): RecordedTime {
  const { zoneUnknown = false, localTime = null } = facts
  return { ...decided(facts), zoneUnknown, ...(localTime === null ? {} : { localTime }) }
}

type Decided = Omit<RecordedTime, 'zoneUnknown' | 'localTime'>

function decided(facts: ClockFacts): Decided {
  const {
    start,
    startSource,
    containerStart,
    file,
    docked,
    zoneUnknown = false,
    localTime = null,
    fromGps = false,
  } = facts
  const said = timeIn(start)
  const offset = offsetIn(file)
  if (zoneUnknown) return byDevice({ said, recorded: null, offset, fromContainer: true })
  const measured = docked === null ? null : byDock(docked, file)
  // A time that is the one the dock made is the dock's, whoever typed it again.
  if (measured !== null && (said === null || same(said, timeIn(measured.corrected)))) return measured
  const recorded =
    measured?.recorded ?? timeIn(file?.start ?? containerStart)?.text ?? beforeOffset(facts.givenStart ?? null, offset)
  if (startSource === 'person' && said !== null) return byPerson(said, recorded)
  // Beside a local time without a zone stands no other instant than the one of the GPS receiver.
  if ((localTime !== null || fromGps) && said !== null) return byGps(said, recorded)
  return byDevice({
    said,
    recorded,
    offset,
    fromContainer: (file?.start ?? null) === null && containerStart !== null,
  })
}

function byDock(docked: NonNullable<ClockFacts['docked']>, file: ClockFacts['file']): Decided | null {
  const recorded = timeIn(docked.recorded)
  const corrected = timeIn(docked.corrected)
  if (recorded === null || corrected === null) return null
  const { offsetMilliseconds: millis, uncertaintyMilliseconds } = docked
  const times = { corrected: corrected.text, recorded: recorded.text }
  if (millis !== null) {
    const offset = durationOf({ ticks: BigInt(Math.round(millis)) * 10_000n })
    return { ...times, offset, source: 'dock', uncertaintyMilliseconds }
  }
  // Of a docking from before the dock kept its offset with the recording, the file has it.
  const kept = offsetIn(file)
  return kept !== null && same(shifted(recorded, kept.duration), corrected)
    ? { ...times, offset: kept.text, source: 'dock', uncertaintyMilliseconds: null }
    : { ...times, offset: null, source: 'none', uncertaintyMilliseconds: null }
}

/** What a device recorded whose corrected time came with the evidence. */
function beforeOffset(given: string | null, offset: Offset | null): string | null {
  const said = timeIn(given)
  if (said === null || offset === null) return said?.text ?? null
  return shifted(said, negative(offset.duration))?.text ?? said.text
}

interface Offset {
  /** As it was given. */
  readonly text: string
  readonly duration: Duration
}

function offsetIn(file: ClockFacts['file']): Offset | null {
  const text = file?.offset ?? null
  const duration = text === null ? null : parseDuration(text)
  return text === null || duration === null ? null : { text, duration }
}

/** Of what a person typed the recorded time stays beside it, and the offset is what lies between. */
function byPerson(said: Time, recorded: string | null): Decided {
  const by = timeIn(recorded)
  return {
    corrected: said.text,
    recorded,
    offset: by === null ? null : durationOf(between(by, said)),
    source: 'person',
    uncertaintyMilliseconds: null,
  }
}

/** The receiver's time is the true one. What the device recorded is the same, unless whoever handed the file in gave another time. */
function byGps(said: Time, recorded: string | null): Decided {
  const by = timeIn(recorded)
  return {
    corrected: said.text,
    recorded: by?.text ?? said.text,
    offset: by === null ? null : durationOf(between(by, said)),
    source: 'gps',
    uncertaintyMilliseconds: null,
  }
}

interface Given {
  readonly said: Time | null
  readonly recorded: string | null
  readonly offset: Offset | null
  readonly fromContainer: boolean
}

function byDevice({ said, recorded: text, offset, fromContainer }: Given): Decided {
  const recorded = timeIn(text)
  const added = recorded === null || offset === null ? null : shifted(recorded, offset.duration)
  const plain = fromContainer ? 'container' : 'none'
  const uncompared = (time: Time | null): Decided => ({
    corrected: time?.text ?? null,
    recorded: time?.text ?? null,
    offset: null,
    source: time === null ? 'none' : plain,
    uncertaintyMilliseconds: null,
  })
  if (recorded === null) {
    // Nothing says what the device recorded but the offset: the evidence's time is the corrected one.
    const before = said === null || offset === null ? null : shifted(said, negative(offset.duration))
    if (said === null || before === null || offset === null) return uncompared(said)
    return given(before, said, offset)
  }
  // A sender that gives the device's own time to the evidence too has not put it right.
  if (said === null || same(said, recorded) || same(said, added))
    return added === null || offset === null ? uncompared(recorded) : given(recorded, added, offset)
  return byPerson(said, recorded.text)
}

const given = (recorded: Time, corrected: Time, offset: Offset): Decided => ({
  corrected: corrected.text,
  recorded: recorded.text,
  offset: offset.text,
  source: 'device',
  uncertaintyMilliseconds: null,
})

const between = (one: Time, other: Time): Duration => ({ ticks: other.ticks - one.ticks, digits: 7 })
const negative = ({ ticks, digits }: Duration): Duration => ({ ticks: -ticks, digits })

/** Of a file, as the document service gives them out. */
export interface FileTimes {
  readonly StartTimeUtc: string | null
  readonly TimeOffset?: string | null
}

/**
 * The clock of one file of an evidence, by the clock of the evidence. A time that a person typed puts all files of the evidence right; else a
 * file that has an offset of its own goes by that. @param only whether it is the only original, which the evidence's clock then is about
 */
export function fileClock(
  evidence: { readonly DeviceTimeUtc: string | null; readonly Offset: string | null; readonly Source: ClockSourceName },
  file: FileTimes,
  only: boolean,
): { readonly start: string | null; readonly offset: string | null } {
  if (only) return { start: evidence.DeviceTimeUtc, offset: evidence.Offset }
  const byPerson = evidence.Source === 'person' ? evidence.Offset : null
  return { start: file.StartTimeUtc, offset: byPerson ?? file.TimeOffset ?? null }
}
