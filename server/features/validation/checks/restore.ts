import { createHash, randomBytes } from 'node:crypto'
import { join } from 'node:path'
import type { Signer } from '../../../kernel/ledger/signed-note.ts'
import type { Clock } from '../../../platform/clock/clock.ts'
import { makeFolderIn, sumOf } from '../../../platform/files/trees.ts'
import type { Log } from '../../../platform/log/log.ts'
import type { FolderStore } from '../../../storage/folder/store.ts'
import { openScratchStation } from '../scratch-station.ts'
import { throwawayKey } from '../throwaway-key.ts'
import { type Finding, judged, type ScratchArea } from './check.ts'
import { validationReason } from '../../../../shared/messages/validation-reasons.ts'

/** As `backup` makes one. @returns how many blobs are in it */
export type MakeSnapshot = (given: {
  readonly folder: string
  readonly database: string
  readonly store: FolderStore
  readonly signer: Signer
  readonly signal: AbortSignal
}) => Promise<{ readonly name: string; readonly blobs: number }>

/** As `restore` does it. @returns how many blobs were restored */
export type RestoreSnapshot = (given: {
  readonly folder: string
  readonly data: string
  readonly blobs: string
  /** The raw key that signed the snapshot, in base64. */
  readonly signedBy: string
  readonly signal: AbortSignal
}) => Promise<{ readonly blobs: number; readonly problems: readonly string[] }>

export interface RestoreDeps {
  readonly makeSnapshot: MakeSnapshot
  readonly restore: RestoreSnapshot
  readonly clock: Clock
  readonly log: Log
}

const BYTES = 300_000

/** Makes a snapshot of a scratch station, restores it beside, and compares the file of its evidence. */
export async function checkRestore(deps: RestoreDeps, area: ScratchArea, signal: AbortSignal): Promise<Finding> {
  const content = randomBytes(BYTES)
  const expected = createHash('sha256').update(content).digest('hex')
  const folder = join(area.data, 'snapshots')
  await makeFolderIn(folder)
  const signer = throwawayKey()
  const station = await openScratchStation(deps, area, 'origin', content)
  let made: Awaited<ReturnType<MakeSnapshot>>
  try {
    made = await deps.makeSnapshot({ folder, database: station.file, store: station.store, signer, signal })
  } finally {
    await station.close()
  }
  const blobs = join(area.blobs, 'restored')
  const restored = await deps.restore({
    folder,
    data: join(area.data, 'restored'),
    blobs,
    signedBy: Buffer.from(signer.publicKey).toString('base64'),
    signal,
  })
  const problems = [...restored.problems]
  const found = await sumOf(join(blobs, expected.slice(0, 2), expected.slice(2, 4), expected)).then(
    ({ sha256 }) => sha256,
    () => null,
  )
  if (found === null) problems.push(validationReason('notRestored'))
  else if (found !== expected) problems.push(validationReason('otherRestored', { found, expected }))
  return judged(
    validationReason('didRestore'),
    { bytes: BYTES, inSnapshot: made.blobs, restored: restored.blobs },
    problems,
  )
}
