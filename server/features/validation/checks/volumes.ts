import { createHash, randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { flipBit } from '../../../platform/files/flip-bit.ts'
import { makeFolderIn, writeNew } from '../../../platform/files/trees.ts'
import type { FolderStore } from '../../../storage/folder/store.ts'
import type { BlobStore, StoreOptions } from '../../../storage/store.ts'
import { type Finding, type Figures, judged, type ScratchArea } from './check.ts'
import { validationReason } from '../../../../shared/messages/validation-reasons.ts'

export interface VolumesDeps {
  /** The store of the station. Only what it says of itself, and its staging for blocks, is used. */
  readonly store: Pick<BlobStore, 'about' | 'blocks'>
  /** Opens a store of the product in a scratch folder. */
  readonly openStore: (options: StoreOptions) => Promise<FolderStore>
  readonly now: () => number
}

/** More than two buffers of the store, and no whole number of them. */
const BYTES = 3 * 1024 * 1024 + 4321

/** Takes a file in on either volume, reads it back, then changes one bit below the store and expects to be told. */
export async function checkVolumes(deps: VolumesDeps, area: ScratchArea, signal: AbortSignal): Promise<Finding> {
  const problems: string[] = []
  const figures: Record<string, string | number | boolean> = { bytes: BYTES }
  for (const [name, folder, on] of [
    ['database', area.data, 'onDatabase'],
    ['blobs', area.blobs, 'onBlobs'],
  ] as const) {
    const found = await tryVolume(deps, folder, signal)
    for (const [key, value] of Object.entries(found.figures)) figures[`${name}.${key}`] = value
    problems.push(...found.problems.map((problem) => validationReason(on, { found: problem })))
  }
  if (deps.store.blocks !== null) {
    figures['objectStore'] = deps.store.about ?? ''
    problems.push(...(await tryObjectStore(deps.store.blocks, area, signal)))
  }
  const done = validationReason(deps.store.blocks === null ? 'didVolumes' : 'didVolumesAndBucket')
  return judged(done, figures, problems)
}

async function tryVolume(
  { openStore, now }: VolumesDeps,
  folder: string,
  signal: AbortSignal,
): Promise<{ readonly figures: Figures; readonly problems: string[] }> {
  const content = randomBytes(BYTES)
  const expected = createHash('sha256').update(content).digest('hex')
  const source = join(folder, 'written')
  const root = join(folder, 'volume')
  await makeFolderIn(root)
  const store = await openStore({ root, workers: 1, now })
  const problems: string[] = []
  try {
    await writeNew(source, content)
    const staged = await store.copyIn(source, { signal })
    const placed = await store.place(staged)
    await store.confirm(placed)
    if (placed.sha256 !== expected) problems.push(validationReason('otherBack', { expected, found: placed.sha256 }))
    const whole = await store.verifyBlob(placed.sha256, { signal })
    if (whole.result !== 'ok') problems.push(validationReason('readBackAs', { found: whole.result }))
    await flipBit(store.pathOf(placed.sha256), BYTES - 1000)
    const flipped = await store.verifyBlob(placed.sha256, { signal })
    if (flipped.result !== 'changed') problems.push(validationReason('bitNotNoticed'))
    return { figures: { readBack: whole.readBack, flippedBit: flipped.result }, problems }
  } finally {
    await store.close()
  }
}

/** Under a name of its own, which no upload has. */
async function tryObjectStore(
  blocks: NonNullable<BlobStore['blocks']>,
  { data }: ScratchArea,
  signal: AbortSignal,
): Promise<string[]> {
  const content = randomBytes(4096)
  const path = join(data, 'block')
  await writeNew(path, content)
  const upload = `validation-${randomBytes(8).toString('hex')}`
  const block = { file: 'block', length: content.length, sha256: createHash('sha256').update(content).digest('hex') }
  try {
    await blocks.keep(upload, block, path)
    signal.throwIfAborted()
    return (await blocks.has(upload, block)) ? [] : [validationReason('objectGone')]
  } finally {
    await blocks.removeAll(upload)
  }
}
