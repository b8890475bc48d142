import { fault } from '../../../shared/kernel/errors.ts'
import type { Database } from '../../kernel/database/database.ts'
import { derivationJob } from '../../kernel/evidence/derivation-jobs.ts'
import { FACTS_VERSION } from '../../kernel/evidence/model.ts'
import { placeAndCommit } from '../../kernel/evidence/place-and-commit.ts'
import type { EvidenceReach } from '../../kernel/evidence/reach.ts'
import type { Records } from '../../kernel/evidence/records.ts'
import { type ResourceRow, resourceById } from '../../kernel/evidence/records.store.ts'
import { type ResourceOut, resourceModel } from '../../kernel/evidence/resource-model.ts'
import type { JobQueue } from '../../kernel/jobs/queue.ts'
import { FinalFailure, NotYet } from '../../kernel/jobs/types.ts'
import type { HttpCall } from '../../http/handlers.ts'
import type { BlobStore, StagedBlob } from '../../storage/store.ts'
import { BeyondPicture } from './derive/pictures.ts'
import type { Area } from './derive/plan.ts'
import type { Deriver } from './derive/types.ts'
import { AT_ONCE, EXPECTED_BYTES, lanes } from './asked-files.ts'

export interface Crops {
  /**
   * A part of a picture as a resource of its own.
   * @throws Fault NotAPicture, ResourceNotCompleted, InvalidModel (beyond the picture), NotReady (no ffmpeg)
   */
  crop(call: HttpCall, tenant: string, evidenceId: string, resourceId: string, asked: AskedCrop): Promise<ResourceOut>
  /** Whether the caller may crop now. @throws Fault as `ReachEvidence` */
  judge(call: HttpCall, tenant: string, evidenceId: string): Promise<unknown>
}

export interface AskedCrop {
  readonly area: Area
  readonly name: string | null
  readonly signal: AbortSignal
}

interface Deps {
  db: Database
  reachRows: EvidenceReach['reachRows']
  reach: EvidenceReach['reach']
  jobs: Pick<JobQueue, 'enqueue' | 'kick'>
  store: BlobStore
  deriver: Pick<Deriver<StagedBlob>, 'deriveCrop'>
  records: Pick<Records, 'addCrop'>
  /** @throws Fault when the station takes no writes now, or no further bytes. */
  requireBytes: (bytes: number) => Promise<void>
}

export function createCrops({ db, reachRows, reach, jobs, store, deriver, records, requireBytes }: Deps): Crops {
  const inTurn = lanes(AT_ONCE)
  const derive = async ({ sha256, name }: ResourceRow, area: Area, signal: AbortSignal) => {
    const local = await store.localCopy(sha256 as string, { signal })
    try {
      return await deriver.deriveCrop({ path: local.path, sha256: sha256 as string, name }, area, { signal })
    } finally {
      await local.release()
    }
  }
  return {
    judge: (call, tenant, evidenceId) => reach(db.read, call, tenant, evidenceId, 'Edit'),
    crop: async (call, tenant, evidenceId, resourceId, { area, name, signal }) => {
      const { evidence, resource } = await reachRows(call, 'Edit', { tenant, evidenceId, resourceId })
      const from = resource as ResourceRow
      if (from.state !== 'UserCompleted' || from.sha256 === null)
        throw fault('ResourceNotCompleted', 'This resource has no bytes yet.')
      if (!(from.sniffed_type?.startsWith('image/') ?? false))
        throw fault('NotAPicture', `Resource ${from.resource_id} is no picture.`)
      await requireBytes(EXPECTED_BYTES)
      const made = await inTurn(signal, () => derive(from, area, signal)).catch(refused)
      try {
        const out = await placeAndCommit({ db, store }, made.staged, async (tx, blob) => {
          // It took a while to make: a right that went meanwhile is gone.
          await reach(tx, call, tenant, evidenceId, 'Edit')
          const parent = (await resourceById(tx, from.resource_id)) as ResourceRow
          const { left: Left, top: Top, width: Width, height: Height } = area
          const row = await records.addCrop(tx, call, parent, {
            name: name ?? `${parent.name} part ${Width} x ${Height}.png`,
            mimeType: 'image/png',
            blob,
            derivation: made.derivation,
            media: { Width, Height, Rotation: 0, Crop: { Left, Top, Width, Height }, Version: FACTS_VERSION },
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

function refused(error: unknown): never {
  if (error instanceof BeyondPicture) {
    const { width, height } = error
    throw fault('InvalidModel', `The picture has ${width} by ${height} pixels.`, [
      { Path: 'Width', Message: `must end within ${width} by ${height} pixels` },
    ])
  }
  if (error instanceof NotYet) throw fault('NotReady', error.message)
  if (error instanceof FinalFailure) throw fault('NotAPicture', error.message)
  throw error
}
