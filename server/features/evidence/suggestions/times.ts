/** When a recording may have begun, by what is known of its files: for evidence whose time is missing or cannot be true. Pure. */
import { MOST_SUGGESTIONS, type SuggestionReason } from '../../../../shared/evidence/suggestions.contract.ts'
import type { RecordedTime } from '../../../../shared/evidence/recorded-time.ts'
import { namedTimes } from './named-time.ts'

export interface TimedFile {
  readonly name: string
  /** Milliseconds since 1970: when it came here. */
  readonly came: number
  /** When it was last written, as its card or folder says; null where it came without a date. */
  readonly modified: number | null
  readonly durationSeconds: number | null
}

export interface TimeFacts {
  readonly name: string
  /** Originals, the first one first. */
  readonly files: readonly TimedFile[]
  readonly clock: RecordedTime
  /** When the evidence was created, for names where no file came yet. */
  readonly came: number
  /** IANA name, of the station. */
  readonly zone: string
}

export interface SuggestedTime {
  readonly utc: string
  readonly source: 'fileName' | 'name' | 'localTime' | 'fileDate'
  readonly from: string
  readonly precisionSeconds: number | null
  readonly because: SuggestionReason
}

type Candidate = Omit<SuggestedTime, 'because'>

const MINUTE = 60_000
/** The clock of the station may be behind. */
const AHEAD = 10 * MINUTE
/** A file that was written so shortly before it came was copied or exported then: its date says nothing of the recording. */
const JUST_COPIED = 10 * MINUTE
/** Recorders that were never set begin in 1904, 1970, 1980 or 2000. */
const NEVER_SET = /^(?:19[0-8]\d-|2000-01-01T)/
const FIRST_FILE_DATE = Date.UTC(1990, 0, 1)

/** At most two, the likeliest first; none where the evidence has a time that may be true. */
export function suggestedTimes(facts: TimeFacts): readonly SuggestedTime[] {
  const names = fromNames(facts)
  const because = reasonFor(facts, names)
  if (because === null) return []
  const all = because === 'localAsUtc' ? names : [...localTime(facts), ...names, ...facts.files.flatMap(fileDate)]
  const other = all.filter(
    ({ utc }, at) => all.findIndex((one) => Math.abs(Date.parse(one.utc) - Date.parse(utc)) < MINUTE) === at,
  )
  return other.slice(0, MOST_SUGGESTIONS).map((one) => ({ ...one, because }))
}

function reasonFor({ clock, files, came }: TimeFacts, names: readonly Candidate[]): SuggestionReason | null {
  if (clock.zoneUnknown) return 'zoneUnknown'
  if (clock.corrected === null) return 'empty'
  if (clock.source !== 'container') return null
  if (NEVER_SET.test(clock.corrected)) return 'neverSet'
  const said = Date.parse(clock.corrected)
  if (said > (files[0]?.came ?? came) + AHEAD) return 'future'
  return names.some((one) => saysAsUtc(one, said)) ? 'localAsUtc' : null
}

/** Whether the wall time of a name is what the file says as UTC. A zone that keeps UTC then cannot tell, and need not. */
const saysAsUtc = ({ wall, utc }: Candidate & { readonly wall?: string }, said: number): boolean =>
  wall !== undefined && Math.abs(Date.parse(`${wall}Z`) - said) <= MINUTE && Math.abs(Date.parse(utc) - said) > MINUTE

/** Of the first file whose name says one; the name of the evidence is asked last, for it was often made from that of the file. */
function fromNames({ name, files, came, zone }: TimeFacts): readonly (Candidate & { readonly wall: string })[] {
  const sources = [
    ...files.map((file) => ({ source: 'fileName' as const, from: file.name, before: file.came })),
    { source: 'name' as const, from: name, before: files[0]?.came ?? came },
  ]
  for (const { source, from, before } of sources) {
    const found = namedTimes(from, zone, before + AHEAD)
    if (found.length > 0)
      return found.map(({ utc, wall, precisionSeconds }) => ({ utc, wall, source, from, precisionSeconds }))
  }
  return []
}

function localTime({ clock }: TimeFacts): readonly Candidate[] {
  const { zoneUnknown, corrected, localTime: local } = clock
  if (!zoneUnknown || corrected === null || local === undefined || NEVER_SET.test(local)) return []
  return [{ utc: corrected, source: 'localTime', from: local, precisionSeconds: 1 }]
}

/** A recorder writes a file until the recording ends. */
function fileDate({ came, modified, durationSeconds }: TimedFile): readonly Candidate[] {
  if (modified === null || modified < FIRST_FILE_DATE || modified > came - JUST_COPIED) return []
  const began = modified - Math.round((durationSeconds ?? 0) * 1000)
  const utc = `${new Date(began).toISOString().slice(0, 19)}Z`
  const from = `${new Date(modified).toISOString().slice(0, 19)}Z`
  return [{ utc, source: 'fileDate', from, precisionSeconds: durationSeconds === null ? null : 60 }]
}
