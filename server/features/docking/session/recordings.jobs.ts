import { jobReason } from '../../../../shared/messages/job-reasons.ts'
import { parseTime, type Time, timeOf } from '../../../../shared/kernel/time.ts'
import { INTERNAL } from '../../../../shared/kernel/principal.ts'
import type { Call } from '../../../kernel/ledger/call.ts'
import type { Database, Tx } from '../../../kernel/database/database.ts'
import type { MediaFacts } from '../../../kernel/evidence/model.ts'
import { INSPECT } from '../../../../shared/media/derivations.ts'
import type { Records } from '../../../kernel/evidence/records.ts'
import {
  type EvidenceRow,
  evidenceById,
  type ResourceRow,
  resourceById,
} from '../../../kernel/evidence/records.store.ts'
import type { JobQueue } from '../../../kernel/jobs/queue.ts'
import { type JobHandlers, jobKind, type NewJob, NotYet } from '../../../kernel/jobs/types.ts'
import type { Mark } from '../ports.ts'
import { type MarkPlace, type PartSpan, placesOf, spansOf } from './part-spans.ts'
import { partsOf, recordingById, type RecordingRow, updateRecording } from './sessions.store.ts'

/**
 * Once the parts of a recording were looked at: those whose beginning the camera does not tell go on where the one before ends, and what
 * somebody marked on the camera becomes a bookmark on the part in which it lies.
 */
const ANNOTATE_JOB = jobKind<{ readonly recordingId: string }>('dock.recording', 'any node')

/** Inspections are first in the queue. With two lanes one of a recording's files may still be under way when its own job comes. */
const INSPECTED_SOON_MS = 1_000

interface Deps {
  readonly db: Database
  readonly records: Pick<Records, 'timePart'>
  readonly jobs: Pick<JobQueue, 'ofSubjects'>
  readonly tenant: string
  readonly setBookmarks: SetBookmarks
}

/** Sets bookmarks of the station on an evidence, in its transaction. */
type SetBookmarks = (
  tx: Tx,
  call: Call,
  evidence: EvidenceRow,
  bookmarks: readonly {
    readonly resourceId: number
    readonly seconds: number
    readonly title: string
    readonly text: string | null
  }[],
) => Promise<void>

export const annotateRecordingJob = (recording: RecordingRow): NewJob =>
  ANNOTATE_JOB.newJob(
    { recordingId: String(recording.recording_id) },
    { subject: `evidence:${recording.evidence_id}`, key: `${ANNOTATE_JOB.name}:${recording.recording_id}` },
  )

export const dockJobHandlers = (deps: Deps): JobHandlers =>
  ANNOTATE_JOB.handledBy(async (job) => {
    const { db } = deps
    const id = Number(job.payload.recordingId)
    const call: Call = { actor: INTERNAL, source: 'station', correlationId: `job-${job.id}` }
    await requireInspected(
      deps,
      (await partsOf(db.read, id)).map(({ resource_id: resource }) => resource as number),
    )
    await db.transaction(async (tx) => {
      await job.requireLease(tx)
      const recording = await recordingById(tx, id)
      if (recording.settled === 1 || recording.evidence_id === null) return
      await updateRecording(tx, id, { settled: 1 })
      const row = await evidenceById(tx, deps.tenant, recording.evidence_id)
      // Evidence that was destroyed meanwhile gets no bookmarks.
      if (row === undefined) return
      const resources = await Promise.all(
        (await partsOf(tx, id)).map((part) => resourceById(tx, part.resource_id as number)),
      )
      const parts = resources.filter((one) => one !== undefined)
      const spans = spansOf(parts.map(spanOf))
      for (const [at, { startMs, endMs }] of spans.entries())
        await deps.records.timePart(tx, call, parts[at] as ResourceRow, { start: timeIn(startMs), end: timeIn(endMs) })
      const bookmarks = bookmarksOf(recording, parts, spans)
      if (bookmarks.length > 0) await deps.setBookmarks(tx, call, row, bookmarks)
    })
  })

/** What waits for a tool that this machine does not have is not waited for. @throws NotYet */
async function requireInspected({ db, jobs }: Deps, resources: readonly number[]): Promise<void> {
  for (const id of resources) {
    const resource = await resourceById(db.read, id)
    if (resource === undefined || resource.sniffed_type !== null) continue
    const looks = await jobs.ofSubjects([`resource:${id}`])
    if (looks.some(({ kind, state }) => kind === INSPECT && (state === 'queued' || state === 'running')))
      throw new NotYet(jobReason('recordingFirst'), INSPECTED_SOON_MS)
  }
}

function spanOf(row: ResourceRow): PartSpan {
  const facts = row.media === null ? null : (JSON.parse(row.media) as MediaFacts)
  return {
    startMs: millisIn(row.start_utc),
    endMs: millisIn(row.end_utc),
    lengthMs: facts?.DurationSeconds === undefined ? null : facts.DurationSeconds * 1000,
  }
}

function bookmarksOf(
  recording: RecordingRow,
  parts: readonly ResourceRow[],
  spans: readonly PartSpan[],
): Parameters<SetBookmarks>[3] {
  const marks = JSON.parse(recording.marks) as Mark[]
  if (parts.length === 0) return []
  return placesOf(marks, millisIn(recording.start_utc), spans).map((place) => ({
    resourceId: (parts[place.part] as ResourceRow).resource_id,
    seconds: place.seconds,
    title: titleOf(place),
    text: textOf(place),
  }))
}

/** Without letters that move others about: a camera's label is anybody's text. */
const titleOf = ({ mark: { title } }: MarkPlace): string =>
  title
    .replace(/[\p{Cc}\p{Cf}]/gu, ' ')
    .trim()
    .slice(0, 256)
    .toWellFormed()
    .trim() || 'Event'

const textOf = ({ beyondSeconds }: MarkPlace): string | null =>
  beyondSeconds === null
    ? null
    : `The camera says that this was ${beyondSeconds.toFixed(1)} seconds behind the end of the recording; it stands at the end.`

const millisIn = (text: string | null): number | null => {
  const time = text === null ? null : parseTime(text, { utcMember: true })
  return time === null ? null : Number(time.ticks / 10_000n)
}
const timeIn = (millis: number | null): Time | null => (millis === null ? null : timeOf(Math.round(millis)))
