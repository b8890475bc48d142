import type { z } from 'zod'
import type { EvidenceSummary } from '../../../shared/evidence/list.contract.ts'
import type { RecordedTime } from '../../../shared/evidence/recorded-time.ts'
import type { MediaFacts } from '../../kernel/evidence/model.ts'
import type { Camera, LinkedCase, OfficerRow } from '../../kernel/evidence/faces.store.ts'
import type { ListedRow } from '../../kernel/evidence/list-rows.store.ts'
import { LISTED_TYPES } from '../../kernel/evidence/list.store.ts'
import { evidencePath } from '../../kernel/evidence/resource-model.ts'
import type { ResourceRow } from '../../kernel/evidence/records.store.ts'
import type { ViewRow } from '../../kernel/evidence/views.store.ts'
import type { JobView } from '../../kernel/jobs/types.ts'

export type SummaryOut = z.input<typeof EvidenceSummary>

export interface SummaryParts {
  readonly clock: RecordedTime
  readonly listed: ListedRow
  readonly first: ResourceRow | undefined
  readonly lead: ResourceRow | undefined
  /** What is played for the lead; measured where the lead was not. */
  readonly played: ResourceRow | undefined
  readonly tenant: string
  /** The strip of the lead, where its bytes are given out. */
  readonly strip: ViewRow | undefined
  /** Of all resources of the evidence, oldest first. */
  readonly jobs: readonly JobView[]
  readonly refused: boolean
  readonly gone: boolean
}

type FaceOut = Pick<SummaryOut, 'Camera' | 'Officers' | 'Cases' | 'CategoryName'>

/** Whose it is, and where it belongs. */
export const faceModel = (
  camera: Camera | undefined,
  officers: readonly OfficerRow[] = [],
  cases: readonly LinkedCase[] = [],
  category: string | undefined,
): FaceOut => ({
  Camera: camera === undefined ? null : { DeviceId: camera.deviceId, Name: camera.label },
  Officers: officers.map((row) => ({
    PrincipalId: String(row.principal_id),
    Username: row.name,
    FirstName: row.first_name,
    LastName: row.last_name,
  })),
  Cases: cases.map((row) => ({
    CaseId: String(row.case_id),
    Ordinal: `${row.ordinal_year}-${String(row.ordinal_number).padStart(6, '0')}`,
    Title: row.title,
  })),
  CategoryName: category ?? null,
})

const factsOf = (row: ResourceRow | undefined): MediaFacts =>
  row === undefined || row.media === null ? {} : (JSON.parse(row.media) as MediaFacts)

export function summaryModel(parts: SummaryParts): Omit<SummaryOut, keyof FaceOut> {
  const { tenant, clock, listed, first, lead, played, strip } = parts
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
    RecordedTimeUtc: clock.corrected,
    ClockOffset: clock.offset,
    ClockSource: clock.source,
    ClockUncertaintySeconds: clock.uncertaintyMilliseconds === null ? null : clock.uncertaintyMilliseconds / 1000,
    Strip: lead === undefined || strip === undefined ? null : stripModel(tenant, lead, strip),
  }
}

function stripModel(
  tenant: string,
  { evidence_id, resource_id }: ResourceRow,
  { layout }: ViewRow,
): SummaryOut['Strip'] {
  const made = JSON.parse(layout) as Omit<NonNullable<SummaryOut['Strip']>, 'Address'>
  return { Address: `${evidencePath(tenant, evidence_id)}/resource/${resource_id}/strip`, ...made }
}

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
    case 'differs':
      return { Progress: null, Message: DIFFERS }
    case 'danger':
      return { Progress: null, Message: gone ? GONE : CHANGED }
    case 'open':
      return { Progress: null, Message: OPEN }
    default:
      return { Progress: null, Message: '' }
  }
}

const REFUSED = 'A file was refused: what arrived was not what was announced.'
const DIFFERS =
  'The bytes of a file differ from the hash in the camera\u2019s own list. The file is kept as it was read.'
const GONE = 'A file is not on the disk any more.'
const CHANGED = 'What is on the disk is not what was taken in.'
const OPEN = 'An upload is not finished.'
