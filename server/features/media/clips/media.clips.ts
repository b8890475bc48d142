import { jobReason } from '../../../../shared/messages/job-reasons.ts'
import type { z } from 'zod'
import type { ClipBounds, ClipKind, MakeClipsModel } from '../../../../shared/media/clips.contract.ts'
import { INTERNAL, type Principal } from '../../../../shared/kernel/principal.ts'
import { Fault } from '../../../../shared/kernel/errors.ts'
import type { HttpCall } from '../../../http/handlers.ts'
import { derivationJob } from '../../../kernel/evidence/derivation-jobs.ts'
import { FACTS_VERSION } from '../../../kernel/evidence/model.ts'
import { placeAndCommit } from '../../../kernel/evidence/place-and-commit.ts'
import type { EvidenceReach } from '../../../kernel/evidence/reach.ts'
import { type Records, resourceObject } from '../../../kernel/evidence/records.ts'
import { evidenceOf, type ResourceRow, resourceById } from '../../../kernel/evidence/records.store.ts'
import { FinalFailure, type JobContext, type JobHandlers, jobKind } from '../../../kernel/jobs/types.ts'
import type { Kernel } from '../../../kernel/kernel.ts'
import type { UnitCall } from '../../../kernel/unit-calls.ts'
import type { StagedBlob } from '../../../storage/store.ts'
import { storedFacts } from '../derive/derive.jobs.ts'
import { BeyondEnd } from '../derive/still.ts'
import type { Deriver, DerivedClip } from '../derive/types.ts'
import { AT_ONCE, clockText, EXPECTED_BYTES, lanes, laterBy } from '../asked-files.ts'
import { refused } from '../media.stills.ts'
import { recordingOf, withRecording } from '../recordings.ts'
import { newestJobs } from './clips.store.ts'

export interface Clips {
  /** A job for each range. @throws Fault as a still */
  request(
    call: HttpCall,
    tenant: string,
    evidenceId: string,
    resourceId: string,
    asked: z.output<typeof MakeClipsModel>,
  ): Promise<{ JobIds: string[] }>
  /** Where clips of the untouched stream would begin and end. @throws Fault as a still */
  bounds(
    call: HttpCall,
    tenant: string,
    evidenceId: string,
    resourceId: string,
    asked: { readonly ranges: readonly { FromSeconds: number; ToSeconds: number }[]; readonly signal: AbortSignal },
  ): Promise<{ readonly row: ResourceRow; readonly out: z.input<typeof ClipBounds> }>
  /** Whether the caller may ask for clips now. @throws Fault as `ReachEvidence` */
  judge(call: HttpCall, tenant: string, evidenceId: string): Promise<unknown>
  readonly handlers: JobHandlers
}

type ClipPayload = {
  readonly resourceId: string
  readonly kind: ClipKind
  /** Seconds on the time line that is played. */
  readonly from: string
  readonly to: string
  /** Empty: it is called by its original and range. */
  readonly name: string
  /** Who asked, as JSON of Principal. */
  readonly by: string
}
const CLIP_JOB = jobKind<ClipPayload>('media.clip', 'any node')

interface Deps extends Pick<Kernel, 'db' | 'store' | 'ledger'> {
  readonly reach: EvidenceReach['reach']
  readonly reachRows: EvidenceReach['reachRows']
  readonly jobs: Pick<Kernel['jobs'], 'enqueue' | 'kick' | 'ofSubjects'>
  readonly deriver: Pick<Deriver<StagedBlob>, 'deriveClip' | 'streamBounds'>
  readonly records: Pick<Records, 'addClip'>
  /** @throws Fault when the station takes no writes now, or no further bytes. */
  readonly requireBytes: (bytes: number) => Promise<void>
}

export function createClips(deps: Deps): Clips {
  const { db, reach, reachRows, jobs, ledger, store, deriver, requireBytes } = deps
  const inTurn = lanes(AT_ONCE)
  return {
    judge: (call, tenant, evidenceId) => reach(db.read, call, tenant, evidenceId, 'Edit'),
    request: async (call, tenant, evidenceId, resourceId, { Kind, Ranges }) => {
      const { evidence, resource } = await reachRows(call, 'Edit', { tenant, evidenceId, resourceId })
      const { original } = await recordingOf(deps, evidence.evidence_id, resource as ResourceRow)
      await requireBytes(EXPECTED_BYTES * Ranges.length)
      const subject = `resource:${original.resource_id}`
      const answer = await db.transaction(async (tx) => {
        await reach(tx, call, tenant, evidenceId, 'Edit')
        for (const { FromSeconds, ToSeconds, Name } of Ranges) {
          const payload: ClipPayload = {
            resourceId: String(original.resource_id),
            kind: Kind,
            from: String(FromSeconds),
            to: String(ToSeconds),
            name: Name ?? '',
            by: JSON.stringify(call.actor),
          }
          await jobs.enqueue(tx, CLIP_JOB.newJob(payload, { subject }))
        }
        const JobIds = await newestJobs(tx, CLIP_JOB.name, subject, Ranges.length)
        await ledger.append(tx, call, {
          action: 'clip.requested',
          object: resourceObject(original),
          detail: {
            evidenceId: String(evidence.evidence_id),
            kind: Kind,
            ranges: Ranges.map(({ FromSeconds, ToSeconds }) => `${FromSeconds}-${ToSeconds}`),
            jobs: JobIds,
          },
        })
        return call.rememberAnswer(tx, { JobIds })
      })
      jobs.kick()
      return answer
    },
    bounds: async (call, tenant, evidenceId, resourceId, { ranges, signal }) => {
      const { evidence, resource } = await reachRows(call, 'Edit', { tenant, evidenceId, resourceId })
      const recording = await recordingOf(deps, evidence.evidence_id, resource as ResourceRow)
      const found: z.input<typeof ClipBounds> = []
      await inTurn(signal, () =>
        withRecording(store, recording, signal, async (original, played) => {
          for (const [index, { FromSeconds, ToSeconds }] of ranges.entries()) {
            const { from, to, frames } = await deriver
              .streamBounds(original, played, { from: FromSeconds, to: ToSeconds }, { signal })
              .catch((error: unknown) => refused(error, `Ranges[${index}].FromSeconds`))
            found.push({ FromSeconds: from, ToSeconds: to, FrameCount: frames })
          }
        }),
      )
      return { row: resource as ResourceRow, out: found }
    },
    handlers: CLIP_JOB.handledBy((job) => make(deps, job)),
  }
}

type Job = JobContext<ClipPayload>

/** The call that asked, as it is when the job commits: with the rights that its person has then. */
function callOf({ id, payload }: Job): UnitCall {
  const by = JSON.parse(payload.by) as Principal
  return {
    actor: by,
    principal: by,
    source: 'station',
    correlationId: `job-${id}`,
    rememberAnswer: async (_tx, answer) => answer,
    reportDecision: () => {},
  }
}

async function make(deps: Deps, job: Job): Promise<void> {
  const { db, store, deriver, jobs } = deps
  const { payload, signal, progress } = job
  const row = await resourceById(db.read, Number(payload.resourceId))
  if (row === undefined) throw new FinalFailure(jobReason('recordingGone'))
  const [from, to] = [Number(payload.from), Number(payload.to)]
  let made: DerivedClip<StagedBlob> | null = null
  try {
    const recording = await recordingOf(deps, row.evidence_id, row)
    made = await withRecording(store, recording, signal, (original, played) =>
      deriver.deriveClip(original, played, { kind: payload.kind, from, to }, { signal, progress }),
    )
    await keep(deps, job, row, made)
    jobs.kick()
  } catch (error) {
    const final = finalOf(error)
    if (final !== null) await recordFailure(deps, job, row, final)
    throw final ?? error
  } finally {
    await made?.dispose()
  }
}

/** What a new attempt would not change, in words for a person; null where it may help. */
function finalOf(error: unknown): FinalFailure | null {
  if (error instanceof FinalFailure) return error
  if (error instanceof BeyondEnd) return new FinalFailure(jobReason('recordingEnds', { seconds: error.seconds }))
  if (!(error instanceof Fault)) return null
  return error.code === 'Forbidden' || error.code === 'EvidenceNotFound'
    ? new FinalFailure(jobReason('clipForbidden'))
    : new FinalFailure(error.message)
}

async function keep(deps: Deps, job: Job, row: ResourceRow, made: DerivedClip<StagedBlob>): Promise<void> {
  const { records, jobs, reach } = deps
  const { payload } = job
  const call = callOf(job)
  const ending = made.mimeType === 'video/mp4' ? '.mp4' : '.mkv'
  const Clip = {
    Kind: payload.kind,
    AskedFrom: Number(payload.from),
    AskedTo: Number(payload.to),
    From: made.from,
    To: made.to,
  }
  await placeAndCommit(deps, made.staged, async (tx, blob) => {
    const { tenant_id: tenant } = await evidenceOf(tx, row.evidence_id)
    // It took a while to make: a right that went meanwhile is gone.
    await reach(tx, call, tenant, String(row.evidence_id), 'Edit')
    const parent = (await resourceById(tx, row.resource_id)) as ResourceRow
    const clip = await records.addClip(tx, call, parent, {
      name: nameOf(payload.name, parent.name, made, ending),
      mimeType: made.mimeType,
      blob,
      derivation: made.derivation,
      media: { ...storedFacts(made.facts), Clip, FrameCount: made.frames, Version: FACTS_VERSION },
      start: laterBy(parent.start_utc, made.from),
      end: laterBy(parent.start_utc, made.to),
      frames: made.frames,
      frameHash: made.frameHash,
    })
    // It is looked at like a recording: what plays of it, and a picture of it.
    for (const kind of ['playable', 'poster'] as const) await jobs.enqueue(tx, derivationJob(kind, clip.resource_id))
    await job.complete(tx, clip.name)
  })
}

/** A title that somebody gave gets the ending of what it became. */
function nameOf(given: string, original: string, { from, to }: { from: number; to: number }, ending: string): string {
  if (given === '') return `${original} from ${clockText(from)} to ${clockText(to)}${ending}`
  return given.toLowerCase().endsWith(ending) ? given : `${given}${ending}`
}

async function recordFailure(
  { db, ledger }: Deps,
  job: Job,
  row: ResourceRow,
  { message }: FinalFailure,
): Promise<void> {
  const { kind, from, to } = job.payload
  await db.transaction(async (tx) => {
    await job.requireLease(tx)
    await ledger.append(
      tx,
      { actor: INTERNAL, source: 'station', correlationId: `job-${job.id}` },
      {
        action: 'clip.failed',
        object: resourceObject(row),
        outcome: 'failed',
        reason: message,
        detail: { evidenceId: String(row.evidence_id), kind, from: Number(from), to: Number(to) },
      },
    )
  })
}
