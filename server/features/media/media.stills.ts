import { fault } from '../../../shared/kernel/errors.ts'
import type { Database } from '../../kernel/database/database.ts'
import { BeyondEnd } from './derive/still.ts'
import type { Deriver } from './derive/types.ts'
import { derivationJob } from '../../kernel/evidence/derivation-jobs.ts'
import { placeAndCommit } from '../../kernel/evidence/place-and-commit.ts'
import { FACTS_VERSION } from '../../kernel/evidence/model.ts'
import type { Records } from '../../kernel/evidence/records.ts'
import { type ResourceRow, resourceById } from '../../kernel/evidence/records.store.ts'
import type { BlobStore, StagedBlob } from '../../storage/store.ts'
import type { JobQueue } from '../../kernel/jobs/queue.ts'
import { FinalFailure, NotYet } from '../../kernel/jobs/types.ts'
import type { HttpCall } from '../../http/handlers.ts'
import type { EvidenceReach } from '../../kernel/evidence/reach.ts'
import { type ResourceOut, resourceModel } from '../../kernel/evidence/resource-model.ts'
import { AT_ONCE, clockText, EXPECTED_BYTES, lanes, laterBy } from './asked-files.ts'
import { recordingOf, withRecording } from './recordings.ts'

export interface Stills {
  /**
   * One frame of the original as a resource of its own. @param asked.seconds on the time line that is played
   * @throws Fault NotAVideo, ResourceNotCompleted, FrameNotReadable, InvalidModel (beyond the end), NotReady (no ffmpeg)
   */
  take(call: HttpCall, tenant: string, evidenceId: string, resourceId: string, asked: Asked): Promise<ResourceOut>
  /** Whether the caller may take one now. @throws Fault as `ReachEvidence` */
  judge(call: HttpCall, tenant: string, evidenceId: string): Promise<unknown>
}

export interface Asked {
  readonly seconds: number
  readonly name: string | null
  readonly signal: AbortSignal
}

interface Deps {
  db: Database
  reachRows: EvidenceReach['reachRows']
  reach: EvidenceReach['reach']
  jobs: Pick<JobQueue, 'enqueue' | 'kick' | 'ofSubjects'>
  store: BlobStore
  deriver: Pick<Deriver<StagedBlob>, 'deriveStill'>
  records: Pick<Records, 'addStill'>
  /** @throws Fault when the station takes no writes now, or no further bytes. */
  requireBytes: (bytes: number) => Promise<void>
}

export function createStills({ db, reachRows, reach, jobs, store, deriver, records, requireBytes }: Deps): Stills {
  const inTurn = lanes(AT_ONCE)

  return {
    judge: (call, tenant, evidenceId) => reach(db.read, call, tenant, evidenceId, 'Edit'),
    take: async (call, tenant, evidenceId, resourceId, { seconds, name, signal }) => {
      const { evidence, resource } = await reachRows(call, 'Edit', { tenant, evidenceId, resourceId })
      const recording = await recordingOf({ db, jobs }, evidence.evidence_id, resource as ResourceRow)
      const { original } = recording
      await requireBytes(EXPECTED_BYTES)
      const made = await inTurn(signal, () =>
        withRecording(store, recording, signal, (from, shown) => deriver.deriveStill(from, shown, seconds, { signal })),
      ).catch((error: unknown) => refused(error))
      try {
        const out = await placeAndCommit({ db, store }, made.staged, async (tx, blob) => {
          // It took a while to make: a right that went meanwhile is gone.
          await reach(tx, call, tenant, evidenceId, 'Edit')
          const parent = (await resourceById(tx, original.resource_id)) as ResourceRow
          const row = await records.addStill(tx, call, parent, {
            name: name ?? `${parent.name} at ${clockText(seconds)}.png`,
            mimeType: 'image/png',
            blob,
            derivation: made.derivation,
            media: { Width: made.width, Height: made.height, Rotation: 0, Still: seconds, Version: FACTS_VERSION },
            start: laterBy(parent.start_utc, seconds),
            frameSeconds: made.frameSeconds,
          })
          await jobs.enqueue(tx, derivationJob('thumbnail', row.resource_id))
          return call.rememberAnswer(tx, resourceModel(evidence.tenant_id, row, []))
        })
        jobs.kick()
        return out
      } finally {
        await made.dispose()
      }
    },
  }
}

/** A failure of a tool as a fault of the call. @param member that lies beyond the end */
export function refused(error: unknown, member = 'Seconds'): never {
  if (error instanceof BeyondEnd) {
    throw fault('InvalidModel', `The video ends at ${error.seconds} seconds.`, [
      { Path: member, Message: `must not be beyond ${error.seconds}` },
    ])
  }
  if (error instanceof NotYet) throw fault('NotReady', error.message)
  if (error instanceof FinalFailure) throw fault('FrameNotReadable', error.message)
  throw error
}
