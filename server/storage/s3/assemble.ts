/** One object of several: multipart uploads whose parts the store copies, or that are read and sent again in bounded memory. */
import { type CompletedPart, PutObjectCommand, UploadPartCommand, UploadPartCopyCommand } from '@aws-sdk/client-s3'
import { StorageFault } from '../faults.ts'
import type { StagedObject } from '../types.ts'
import { type Bucket, type BucketLimits, IN_FLIGHT, partLength } from './bucket.ts'
import { isMissing, isNotImplemented, isRefusedByCondition } from './faults.ts'
import { inMultipart } from './multipart.ts'
import { type ObjectRange, planParts, type PlannedPart } from './part-plan.ts'

/** S3 takes no smaller part, but for the last one. */
const LEAST_PART = 5 * 1024 * 1024
const MOST_AT_ONCE = 4

export type AssembleObjects = (
  key: string,
  objects: readonly StagedObject[],
  ifAbsent: boolean,
  signal: AbortSignal,
) => Promise<boolean>

/** @returns a function that answers as `putFile` does */
export function assembler(bucket: Bucket, limits: BucketLimits): AssembleObjects {
  /** False once the store has answered that it copies no parts. */
  let copies = true

  const small = async (key: string, objects: readonly StagedObject[], condition: Condition): Promise<void> => {
    const ranges = objects.map((object) => ({ object, start: 0, end: object.length }))
    const body = await bytesOf(bucket, ranges)
    await bucket.repeat(key, () =>
      bucket.client.send(
        new PutObjectCommand({ ...at(bucket, key), ...condition, Body: body, ChecksumAlgorithm: 'SHA256' }),
      ),
    )
  }
  const inParts = async (
    key: string,
    objects: readonly StagedObject[],
    length: number,
    condition: Condition,
    signal: AbortSignal,
  ): Promise<void> => {
    const least = partLength(length, Math.min(LEAST_PART, limits.partBytes))
    const sent = Math.max(least, limits.partBytes)
    const parts = planParts(objects, { least, sent, copied: copies ? limits.copyBytes : 0 })
    const lanes = Math.max(1, Math.min(MOST_AT_ONCE, Math.floor(IN_FLIGHT / sent)))
    try {
      await multipart(bucket, key, parts, { lanes, condition, signal })
    } catch (error) {
      if (!copies || !isNotImplemented((error as StorageFault).cause)) throw error
      copies = false
      await inParts(key, objects, length, condition, signal)
    }
  }
  return async (key, objects, ifAbsent, signal) => {
    const length = objects.reduce((sum, object) => sum + object.length, 0)
    const condition: Condition = ifAbsent ? { IfNoneMatch: '*' } : {}
    try {
      if (length <= limits.partBytes) await small(key, objects, condition)
      else await inParts(key, objects, length, condition, signal)
      return true
    } catch (error) {
      const { cause } = error as StorageFault
      if (ifAbsent && isRefusedByCondition(cause)) return false
      // The unfinished upload was removed, or a block: whoever asks again finds out which.
      if (isMissing(cause) || (error instanceof StorageFault && error.code === 'BlobMissing'))
        throw new StorageFault('StoreAway', 'The object store lost parts of an object that was being put together.', {
          path: key,
          cause,
        })
      throw error
    }
  }
}

type Condition = { readonly IfNoneMatch?: '*' }

const at = (bucket: Bucket, key: string) => ({ Bucket: bucket.address.bucket, Key: bucket.whole(key) })

async function bytesOf(bucket: Bucket, ranges: readonly ObjectRange[]): Promise<Buffer> {
  const chunks: Buffer[] = []
  // Blocks are written once, so that none is replaced while it is read.
  for (const { object, start, end } of ranges)
    for await (const chunk of bucket.stream(object.key, unnamed(object), { start, end }, 'write')) chunks.push(chunk)
  return Buffer.concat(chunks)
}

/** What is known of a block without asking. */
export const unnamed = ({ length }: StagedObject) => ({ length, etag: '', modified: 0 })

interface MultipartOptions {
  /** Parts at the same time. */
  readonly lanes: number
  readonly condition: Condition
  readonly signal: AbortSignal
}

const multipart = (
  bucket: Bucket,
  key: string,
  parts: readonly PlannedPart[],
  { lanes, condition, signal }: MultipartOptions,
): Promise<void> =>
  inMultipart(bucket.multipart, key, { ChecksumAlgorithm: 'SHA256' }, async (upload) => {
    const done: CompletedPart[] = []
    let next = 0
    let failed = false
    const lane = async (): Promise<void> => {
      for (let index = next++; index < parts.length && !failed; index = next++) {
        signal.throwIfAborted()
        const PartNumber = index + 1
        const sent = await sendPart(bucket, key, parts[index] as PlannedPart, { ...upload.target, PartNumber })
        done[index] = { PartNumber, ...sent }
      }
    }
    const running = Array.from({ length: lanes }, () =>
      lane().catch((error: unknown) => {
        failed = true
        throw error
      }),
    )
    const failure = (await Promise.allSettled(running)).find(({ status }) => status === 'rejected')
    if (failure !== undefined) throw (failure as PromiseRejectedResult).reason
    await upload.complete(done, condition)
  })

interface PartTarget {
  readonly Bucket: string
  readonly Key: string
  readonly UploadId: string
  readonly PartNumber: number
}

/** @returns what the store said of the part */
async function sendPart(
  bucket: Bucket,
  key: string,
  part: PlannedPart,
  target: PartTarget,
): Promise<Pick<CompletedPart, 'ETag' | 'ChecksumSHA256'>> {
  const { client } = bucket
  if (part.kind === 'send') {
    const body = await bytesOf(bucket, part.ranges)
    const made = await bucket.repeat(key, () =>
      client.send(new UploadPartCommand({ ...target, Body: body, ChecksumAlgorithm: 'SHA256' })),
    )
    return saidOf(made)
  }
  const { object, start, end } = part.range
  const CopySource = bucket.copySource(object.key)
  const CopySourceRange = `bytes=${start}-${end - 1}`
  const made = await bucket.repeat(key, () =>
    client.send(new UploadPartCopyCommand({ ...target, CopySource, CopySourceRange })),
  )
  return saidOf(made.CopyPartResult ?? {})
}

const saidOf = ({ ETag, ChecksumSHA256 }: { ETag?: string | undefined; ChecksumSHA256?: string | undefined }) => ({
  ...(ETag === undefined ? {} : { ETag }),
  ...(ChecksumSHA256 === undefined ? {} : { ChecksumSHA256 }),
})
