/** Self-validation, with what it takes from other features: the verification of the ledger, snapshots and their restore. */
import { claimFolder } from '../features/integrity/backup/folder.ts'
import { restoreStation } from '../features/integrity/backup/restore.ts'
import { makeSnapshot } from '../features/integrity/backup/snapshot.ts'
import { verifyLedger } from '../features/integrity/verification/verify.ts'
import { validationFeature } from '../features/validation/index.ts'
import type { MakeSnapshot, RestoreSnapshot } from '../features/validation/checks/restore.ts'
import { INTERNAL } from '../../shared/kernel/principal.ts'
import type { Kernel } from '../kernel/kernel.ts'
import type { ClockSync } from '../platform/clock/sync.ts'
import type { MediaTools } from '../platform/ffmpeg/media-tools.ts'

interface Needs {
  readonly tools: MediaTools
  readonly clockSync: () => Promise<ClockSync>
}

/** The origin of every scratch station. */
const SCRATCH_ORIGIN = 'validation.invalid/scratch'

export const stationValidation = (kernel: Kernel, { tools, clockSync }: Needs) =>
  validationFeature(kernel, { tools, clockSync, verifyLedger, ...stationSnapshots(kernel) })

/** Snapshots and their restore as the station makes them, for scratch stations. */
export function stationSnapshots({ clock, log, version }: Pick<Kernel, 'clock' | 'log' | 'version'>): {
  readonly makeSnapshot: MakeSnapshot
  readonly restore: RestoreSnapshot
} {
  const snapshot: MakeSnapshot = async ({ folder, database, store, signer, signal }) => {
    const claimed = await claimFolder(folder, SCRATCH_ORIGIN, [])
    const { name, manifest } = await makeSnapshot(
      claimed,
      {
        database,
        blobs: store,
        signer,
        publicKeys: [signer.publicKey],
        program: version,
        isExpected: async () => true,
      },
      { now: clock.now, signal },
    )
    return { name, blobs: manifest.blobs.count }
  }
  const restore: RestoreSnapshot = async ({ folder, data, blobs, signedBy, signal }) => {
    const report = await restoreStation({
      from: folder,
      snapshot: null,
      data,
      blobsDir: blobs,
      passphrase: null,
      roots: { signedBy, checkpoints: null },
      trustOnSight: false,
      keepGoing: false,
      actor: INTERNAL,
      clock,
      log,
      signal,
    })
    return { blobs: report.blobs, problems: report.problems }
  }
  return { makeSnapshot: snapshot, restore }
}
