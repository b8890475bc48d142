import type { z } from 'zod'
import type { EvidenceSummary } from '../../../shared/contract/evidence-list.ts'
import { parseDuration, shifted } from '../../../shared/domain/durations.ts'
import { parseTime } from '../../../shared/domain/time.ts'
import type { MediaFacts } from '../../evidence/records/model.ts'
import type { ListedRow } from '../../evidence/records/list-rows.repository.ts'
import { LISTED_TYPES } from '../../evidence/records/list.repository.ts'
import type { EvidenceRow, ResourceRow } from '../../evidence/records/records.repository.ts'
import type { JobView } from '../../jobs/types.ts'

export type SummaryOut = z.input<typeof EvidenceSummary>

export interface SummaryParts {
  readonly evidence: EvidenceRow
  readonly listed: ListedRow
  readonly first: ResourceRow | undefined
  readonly lead: ResourceRow | undefined
  /** What is played for the lead; measured where the lead was not. */
  readonly played: ResourceRow | undefined
  /** Of all resources of the evidence, oldest first. */
  readonly jobs: readonly JobView[]
  readonly refused: boolean
  readonly gone: boolean
}

const factsOf = (row: ResourceRow | undefined): MediaFacts =>
  row === undefined || row.media === null ? {} : (JSON.parse(row.media) as MediaFacts)

export function summaryModel(parts: SummaryParts): SummaryOut {
  const { evidence, listed, first, lead, played } = parts
  const facts = { ...factsOf(played), ...factsOf(lead) }
  return {
    Type: LISTED_TYPES[listed.type] ?? 'none',
    DurationSeconds: facts.DurationSeconds ?? null,
    LengthInBytes: listed.length,
    Width: facts.Width ?? null,
    Height: facts.Height ?? null,
    ResourceCount: listed.originals,
    FileName: first?.name ?? null,
    Status: listed.status,
    ...workOf(parts),
    ...recordedOf(evidence, first),
  }
}

/** As migrations/0002-list.ts has it in SQL, with the text of the time. */
export function recordedOf(
  evidence: Pick<EvidenceRow, 'start_utc' | 'start_ticks'>,
  first: Pick<ResourceRow, 'start_utc' | 'start_ticks' | 'time_offset'> | undefined,
): Pick<SummaryOut, 'RecordedTimeUtc' | 'ClockOffset'> {
  const text = evidence.start_utc ?? first?.start_utc ?? null
  if (text === null) return { RecordedTimeUtc: null, ClockOffset: null }
  const own =
    evidence.start_utc !== null &&
    (first?.start_utc ?? null) !== null &&
    !sameTime(evidence.start_utc, first?.start_utc)
  const offset = own ? null : (first?.time_offset ?? null)
  const time = parseTime(text, { utcMember: true })
  const by = offset === null ? null : parseDuration(offset)
  const corrected = time === null || by === null ? null : shifted(time, by)
  return corrected === null
    ? { RecordedTimeUtc: text, ClockOffset: null }
    : { RecordedTimeUtc: corrected.text, ClockOffset: offset }
}

const sameTime = (one: string, other: string | null | undefined): boolean =>
  parseTime(one, { utcMember: true })?.ticks === parseTime(other ?? '', { utcMember: true })?.ticks

function workOf({ listed: { status }, jobs, refused, gone }: SummaryParts): Pick<SummaryOut, 'Progress' | 'Message'> {
  const latest = [...new Map(jobs.map((job) => [`${job.subject} ${job.kind}`, job])).values()]
  const said = (...states: JobView['state'][]): string =>
    latest.find(({ state, message }) => states.includes(state) && message !== '')?.message ?? ''
  switch (status) {
    case 'working': {
      const known = latest.flatMap(({ state, progress }) =>
        state === 'running' && progress !== null ? [progress] : [],
      )
      return { Progress: known.length === 0 ? null : Math.min(...known), Message: said('running') }
    }
    case 'waiting':
      return { Progress: null, Message: said('waiting', 'queued') }
    case 'attention':
      return { Progress: null, Message: said('failed') || (refused ? REFUSED : '') }
    case 'danger':
      return { Progress: null, Message: gone ? GONE : CHANGED }
    case 'open':
      return { Progress: null, Message: OPEN }
    default:
      return { Progress: null, Message: '' }
  }
}

const REFUSED = 'A file was refused: what arrived was not what was announced.'
const GONE = 'A file is not on the disk any more.'
const CHANGED = 'What is on the disk is not what was taken in.'
const OPEN = 'An upload is not finished.'
