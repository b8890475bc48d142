import { randomUUID } from 'node:crypto'
import { GetBucketVersioningCommand, GetObjectLockConfigurationCommand, PutObjectCommand } from '@aws-sdk/client-s3'
import { StorageFault } from '../faults.ts'
import type { Bucket } from './bucket.ts'
import { isNotImplemented, isRefusedByCondition } from './faults.ts'
import { ARRIVING_KEY, BLOB_KEYS, MARKER_KEY, PROBE_KEYS } from './keys.ts'

export interface BucketFacts {
  /** Whether an object that exists is not overwritten by a put that asks for that. */
  readonly conditionalPuts: boolean
  /** Whether the bucket keeps earlier versions. Null: it does not say. */
  readonly versioning: boolean | null
  readonly objectLock: boolean | null
}

/** The bucket cannot keep what is promised, or belongs to another station. Nothing of a station was changed in it. */
export class BucketUnusable extends Error {
  override readonly name = 'BucketUnusable'
}

const TIMES = 20
const AT_ONCE = 4

/** Writes, overwrites, reads, lists and deletes objects, 20 of them by default. @throws BucketUnusable */
export async function probeBucket(bucket: Bucket, times = TIMES): Promise<BucketFacts> {
  const folder = `${PROBE_KEYS}${randomUUID()}/`
  const problem = async (index: number): Promise<string | null> => {
    const key = `${folder}${index}`
    await bucket.putText(key, `first ${key}`)
    await bucket.putText(key, `second ${key}`)
    if ((await bucket.text(key)) !== `second ${key}`) return 'an object that was overwritten is read as it was before'
    const listed: string[] = []
    for await (const one of bucket.list(key)) listed.push(one.key)
    if (!listed.includes(key)) return 'an object that was just written is not listed'
    await bucket.remove(key)
    if ((await bucket.head(key)) !== null) return 'an object that was deleted is still there'
    return null
  }
  try {
    const left = Array.from({ length: times }, (_, index) => index)
    const lane = async (): Promise<void> => {
      for (let index = left.pop(); index !== undefined; index = left.pop()) {
        const found = await problem(index)
        if (found !== null) throw new BucketUnusable(`${nameOf(bucket)} cannot keep evidence: ${found}.`)
      }
    }
    await Promise.all(Array.from({ length: AT_ONCE }, lane))
    return { conditionalPuts: await hasConditionalPuts(bucket, `${folder}condition`), ...(await keeps(bucket)) }
  } catch (error) {
    if (error instanceof BucketUnusable) throw error
    throw new BucketUnusable(`${nameOf(bucket)} cannot be used: ${(error as Error).message}`, { cause: error })
  }
}

export const nameOf = ({ address: { bucket, prefix, endpoint } }: Bucket): string =>
  `The bucket ${bucket}${prefix === '' ? '' : ` (prefix ${prefix})`}${endpoint === null ? '' : ` at ${endpoint}`}`

const SAID = new Map<boolean | null, string>([
  [true, 'on'],
  [false, 'off'],
  [null, 'unknown'],
])

export const aboutBucket = (bucket: Bucket, { versioning, objectLock, conditionalPuts }: BucketFacts): string =>
  `${nameOf(bucket).replace('The', 'the')}; versioning ${SAID.get(versioning)}, Object Lock ${SAID.get(objectLock)}, ` +
  `conditional puts ${SAID.get(conditionalPuts)}`

async function hasConditionalPuts(bucket: Bucket, key: string): Promise<boolean> {
  const { client, address } = bucket
  const target = { Bucket: address.bucket, Key: bucket.whole(key), IfNoneMatch: '*' }
  await bucket.putText(key, 'first')
  try {
    await bucket.repeat(key, () => client.send(new PutObjectCommand({ ...target, Body: 'second' })))
    // It took no notice of the condition.
    return false
  } catch (error) {
    if (error instanceof StorageFault && error.cause !== undefined) {
      if (isRefusedByCondition(error.cause)) return true
      if (isNotImplemented(error.cause)) return false
    }
    throw error
  } finally {
    await bucket.remove(key)
  }
}

/** Whether the bucket keeps earlier versions, also those from before its versioning was suspended. Asked anew, since it can be turned on. */
export const keepsVersions = ({ client, address, repeat }: Bucket): Promise<boolean> =>
  repeat(
    '',
    async () => (await client.send(new GetBucketVersioningCommand({ Bucket: address.bucket }))).Status !== undefined,
  )

/** Some stores know neither, and some credentials may not ask. */
async function keeps({ client, address }: Bucket): Promise<Pick<BucketFacts, 'versioning' | 'objectLock'>> {
  const Bucket = address.bucket
  const versioning = await client.send(new GetBucketVersioningCommand({ Bucket })).then(
    ({ Status }) => Status === 'Enabled',
    () => null,
  )
  const objectLock = await client.send(new GetObjectLockConfigurationCommand({ Bucket })).then(
    ({ ObjectLockConfiguration }) => ObjectLockConfiguration?.ObjectLockEnabled === 'Enabled',
    (error: { name: string }) => (error.name === 'ObjectLockConfigurationNotFoundError' ? false : null),
  )
  return { versioning, objectLock }
}

export interface Owner {
  /** The identity of the station, as in its checkpoints. */
  readonly origin: string
  readonly tenant: string
  /** Whether rows name blobs, which must then be in the bucket. */
  readonly hasBlobs: () => Promise<boolean>
  readonly mayRecord: () => boolean
  /** For the move that fills the bucket: it may be marked as unfinished. */
  readonly mayArrive?: boolean
}

/** @throws BucketUnusable for the bucket of another station, and for an empty one in the place of this station's */
export async function requireOwnBucket(
  bucket: Bucket,
  { origin, tenant, hasBlobs, mayRecord, mayArrive }: Owner,
): Promise<void> {
  if (mayArrive !== true && (await bucket.text(ARRIVING_KEY)) !== null)
    throw new BucketUnusable(
      `${nameOf(bucket)} is the new place of a station whose move has not ended. Run "move" again at the old one, with the same addresses.`,
    )
  const found = await bucket.text(MARKER_KEY)
  if (found !== null) {
    const owner = ownerIn(found)
    if (owner === origin) return
    throw new BucketUnusable(
      `${nameOf(bucket)} belongs to another station (${owner ?? 'its marker cannot be read'}); this one is ${origin}. Nothing was changed in it. ` +
        'Give each station a bucket or a prefix of its own (SALLYPORT_BLOB_URL).',
    )
  }
  let holdsBlobs = false
  for await (const _one of bucket.list(BLOB_KEYS)) {
    holdsBlobs = true
    break
  }
  if (holdsBlobs)
    throw new BucketUnusable(
      `${nameOf(bucket)} has blobs and no marker of a station. Nothing was changed in it. Give the station a prefix of its own (SALLYPORT_BLOB_URL).`,
    )
  if (await hasBlobs())
    throw new BucketUnusable(
      `${nameOf(bucket)} is empty, and the station has files. It is not the place where this station keeps its blobs: correct SALLYPORT_BLOB_URL.`,
    )
  if (mayRecord()) await bucket.putText(MARKER_KEY, `${JSON.stringify({ origin, tenant })}\n`)
}

function ownerIn(text: string): string | null {
  try {
    const { origin } = JSON.parse(text) as { origin?: unknown }
    return typeof origin === 'string' ? origin : null
  } catch {
    return null
  }
}

/** Milliseconds for an answer: whoever asks whether the station is ready waits for it. */
const LOOK_MS = 3000

/** A sentence when the bucket does not answer or is another one than at the start. */
export async function whyBucketIsAway(bucket: Bucket, origin: string | null): Promise<string | null> {
  const timeout = AbortSignal.timeout(LOOK_MS)
  try {
    const found = await bucket.text(MARKER_KEY, timeout)
    if (origin === null || (found !== null && ownerIn(found) === origin)) return null
    return found === null
      ? 'The bucket has no marker of this station any more.'
      : 'The bucket is that of another station.'
  } catch (error) {
    if (error instanceof StorageFault) return error.message
    if (timeout.aborted) return `The object store did not answer as it should within ${LOOK_MS / 1000} seconds.`
    throw error
  }
}
