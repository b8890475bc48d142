/** One file on its way: evidence, resource, blocks, block list, completion. Every step may be repeated. */
import * as documents from '../../../shared/evidence/contract.ts'
import { call, Fault } from '../api.ts'
import { AddressExpired, keptBlocks, putBlock, putBlockList } from './blocks.ts'
import type { KeptUpload } from './kept.ts'
import { FileGone, OtherFile } from './refusals.ts'

const MIB = 1024 * 1024
const SMALLEST_BLOCK = 4 * MIB
/** Of the protocol; above it blocks grow. */
const MOST_BLOCKS = 50_000
const BLOCKS_AT_ONCE = 3

export const blockSizeOf = (size: number): number => Math.max(SMALLEST_BLOCK, Math.ceil(size / MOST_BLOCKS / MIB) * MIB)

export interface Steps {
  /** What is known of the upload now; the engine writes back what it learns, before it goes on. */
  readonly upload: () => KeptUpload
  readonly learn: (what: Partial<KeptUpload>) => Promise<void>
  readonly step: (step: 'preparing' | 'sending' | 'readingBack') => void
  /** Bytes that the station has acknowledged. */
  readonly sent: (bytes: number, fresh: number) => void
  readonly tenant: string
}

/** @throws OtherFile, FileGone, Fault, UploadRefused, TypeError (station not reached), AbortError */
export async function sendFile(file: File, steps: Steps, signal: AbortSignal): Promise<void> {
  const { upload, learn, step, tenant } = steps
  if (file.size !== upload().size) throw new OtherFile()
  step('preparing')
  if (upload().evidenceId === null) {
    const { caseId } = upload()
    const made = await call(documents.createEvidence, {
      params: { tenantName: tenant },
      body: { Name: upload().name, ...(caseId == null ? {} : { CaseIds: [caseId] }) },
      idempotencyKey: upload().evidenceKey,
      signal,
    })
    await learn({ evidenceId: made.EvidenceId })
  }
  const address = await openAddress(steps, signal)
  if (address !== null) {
    // Digests are of blocks that the station acknowledged. Without one it may have none, and to ask for a list would be refused.
    const begun = Object.keys(upload().digests).length > 0
    const kept = begun ? await keptBlocks(address, signal) : new Map<number, number>()
    await sendBlocks(file, { address, kept }, steps, signal)
    step('readingBack')
  }
  await call(documents.completeResource, { params: pathOf(steps), body: { LengthInBytes: file.size }, signal })
  await call(documents.completeEvidence, {
    params: { tenantName: tenant, evidenceId: upload().evidenceId ?? '' },
    signal,
  })
}

const pathOf = ({ upload, tenant }: Steps) => ({
  tenantName: tenant,
  evidenceId: upload().evidenceId ?? '',
  resourceId: upload().resourceId ?? '',
})

/** @returns null when the resource is complete already. */
async function openAddress(steps: Steps, signal: AbortSignal): Promise<string | null> {
  const { upload, learn, tenant } = steps
  if (upload().resourceId === null) {
    const made = await call(documents.createResource, {
      params: { tenantName: tenant, evidenceId: upload().evidenceId ?? '' },
      body: {
        Name: upload().name,
        LengthInBytes: upload().size,
        ...(upload().type === '' ? {} : { MimeType: upload().type }),
      },
      idempotencyKey: upload().resourceKey,
      signal,
    })
    await learn({ resourceId: made.ResourceId })
    return made.UploadUri
  }
  try {
    return (await call(documents.renewUploadUri, { params: pathOf(steps), signal })).UploadUri
  } catch (error) {
    if (error instanceof Fault && error.code === 'ResourceNotOpen') return null
    throw error
  }
}

interface Target {
  readonly address: string
  /** Lengths of the blocks that the station keeps, by their position. */
  readonly kept: ReadonlyMap<number, number>
}

async function sendBlocks(file: File, target: Target, steps: Steps, signal: AbortSignal): Promise<void> {
  const size = blockSizeOf(file.size)
  const count = Math.ceil(file.size / size)
  const { kept } = target
  let { address } = target
  const digests: Record<number, string> = { ...steps.upload().digests }
  const lengthOf = (index: number): number => Math.min(size, file.size - index * size)
  const safe = (index: number): boolean => kept.get(index) === lengthOf(index) && digests[index] !== undefined
  await sameFile(file, size, digests, [...kept.keys()].filter(safe))
  const waiting = Array.from({ length: count }, (_none, index) => index).filter((index) => !safe(index))
  let acknowledged = file.size - waiting.reduce((sum, index) => sum + lengthOf(index), 0)
  steps.step('sending')
  steps.sent(acknowledged, 0)
  const lane = async (): Promise<void> => {
    for (let index = waiting.shift(); index !== undefined; index = waiting.shift()) {
      signal.throwIfAborted()
      const bytes = await read(file, index * size, lengthOf(index))
      digests[index] = await digest(bytes)
      try {
        await putBlock(address, index, new Blob([bytes]), signal)
      } catch (error) {
        if (!(error instanceof AddressExpired)) throw error
        address = (await openAddress(steps, signal)) ?? address
        await putBlock(address, index, new Blob([bytes]), signal)
      }
      acknowledged += bytes.byteLength
      steps.sent(acknowledged, bytes.byteLength)
      await steps.learn({ digests: { ...digests } })
    }
  }
  await Promise.all(Array.from({ length: BLOCKS_AT_ONCE }, lane))
  await putBlockList(address, count, signal)
}

/** A few of the blocks that are safe, read again: the file chosen to go on with must be the one that was begun. */
async function sameFile(
  file: File,
  size: number,
  digests: Readonly<Record<number, string>>,
  safe: readonly number[],
): Promise<void> {
  const looked = new Set([safe[0], safe[safe.length >> 1], safe.at(-1)])
  for (const index of looked) {
    if (index === undefined) continue
    const bytes = await read(file, index * size, Math.min(size, file.size - index * size))
    if ((await digest(bytes)) !== digests[index]) throw new OtherFile()
  }
}

async function read(file: File, start: number, length: number): Promise<ArrayBuffer> {
  try {
    return await file.slice(start, start + length).arrayBuffer()
  } catch (error) {
    throw new FileGone('', { cause: error })
  }
}

async function digest(bytes: ArrayBuffer): Promise<string> {
  const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))
  return Array.from(hash, (byte) => byte.toString(16).padStart(2, '0')).join('')
}
