import { open } from 'node:fs/promises'
import { Agent as HttpAgent } from 'node:http'
import { Agent as HttpsAgent } from 'node:https'
import {
  CopyObjectCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  ListObjectVersionsCommand,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3'
import { StorageFault } from '../faults.ts'
import { isMissing, isRefusedByCondition, mayPass, objectFault } from './faults.ts'
import {
  abortUpload,
  copyInParts,
  type MultipartAccess,
  type PartsSent,
  partsSent,
  sendInParts,
  type UnfinishedUpload,
  unfinishedUploads,
} from './multipart.ts'
import { objectStream } from './object-stream.ts'
import type { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'

/** Where the objects of a station lie. */
export interface BucketAddress {
  readonly bucket: string
  /** Empty, or with a slash at its end. */
  readonly prefix: string
  /** Null for Amazon's own. */
  readonly endpoint: string | null
  readonly region: string
  readonly pathStyle: boolean
}

export interface BucketLimits {
  /** Milliseconds for which a write is tried again while the store does not answer. */
  readonly writePatience: number
  /** The same for a read, which a person may be waiting for. */
  readonly readPatience: number
  /** Milliseconds without a byte after which a connection counts as dead. */
  readonly silence: number
  /** Smallest part of a multipart upload. */
  readonly partBytes: number
  /** Larger objects are copied in parts: S3 copies no more than 5 GiB at once. */
  readonly copyBytes: number
}

const MIB = 1024 * 1024
const GIB = 1024 * MIB

export const LIMITS: BucketLimits = {
  writePatience: 60_000,
  readPatience: 10_000,
  silence: 60_000,
  partBytes: 16 * MIB,
  copyBytes: 5 * GIB,
}

export interface ObjectFacts {
  readonly length: number
  /** Changes when the object is replaced. */
  readonly etag: string
  readonly modified: number
}

export interface Listed {
  readonly key: string
  readonly length: number
  readonly modified: number
}

/** A removal that must be over in time. `requireTime` throws when that has passed. */
export interface Removing {
  readonly requireTime: () => void
}

/** The requests that a store makes of its bucket. Keys are without the prefix. All throw StorageFault, or the signal's reason. */
export interface Bucket {
  readonly address: BucketAddress
  readonly client: S3Client
  readonly multipart: MultipartAccess
  /** Requests so far, repeated ones included. */
  requests(): number
  whole(key: string): string
  /** How a request to copy names an object. */
  copySource(key: string): string
  /** Runs a request of the client as a write: repeated while the store does not answer. */
  repeat<T>(key: string, request: () => Promise<T>): Promise<T>
  /** @param as of a write waits as long as the write would */
  head(key: string, as?: 'read' | 'write', signal?: AbortSignal): Promise<ObjectFacts | null>
  /** Bytes from `start` to `end`, without `end`; a connection that breaks is resumed. */
  stream(key: string, facts: ObjectFacts, range: { start: number; end: number }, as?: 'read' | 'write'): Readable
  /** A small object. */
  text(key: string, signal?: AbortSignal): Promise<string | null>
  putText(key: string, text: string): Promise<void>
  /** @param ifAbsent where the store has conditional puts @returns false when there is an object already, which stays */
  putFile(key: string, path: string, length: number, ifAbsent: boolean, signal?: AbortSignal): Promise<boolean>
  copy(from: string, to: string, length: number): Promise<void>
  /** Not there is no failure. */
  remove(key: string, removing?: Removing): Promise<void>
  /** Removes every version of an object that the bucket keeps. @param options.below of all objects whose keys begin with this one */
  removeVersions(key: string, options?: { readonly below?: boolean; readonly removing?: Removing }): Promise<void>
  partsSent(upload: UnfinishedUpload): Promise<PartsSent>
  /** In the order of keys. */
  list(prefix: string): AsyncGenerator<Listed, void, undefined>
  unfinishedUploads(prefix: string): AsyncGenerator<UnfinishedUpload, void, undefined>
  /** @returns false when it stays, since the object under its key may be made of its parts */
  abortUpload(upload: UnfinishedUpload): Promise<boolean>
  close(): void
}

/** Parts that are sent at the same time, in bytes: each lies in memory. */
export const IN_FLIGHT = 64 * MIB
const MOST_PARTS = 10_000

/** Length of the parts of a file: at most 10,000 of them. 1 TiB needs 105 MiB. */
export function partLength(length: number, least: number): number {
  const needed = Math.ceil(length / MOST_PARTS)
  return needed <= least ? least : Math.ceil(needed / MIB) * MIB
}

export function openBucket(address: BucketAddress, limits: BucketLimits): Bucket {
  let requests = 0
  const client = createClient(address, limits, () => (requests += 1))
  const Bucket = address.bucket
  const whole = (key: string): string => address.prefix + key
  const at = (key: string) => ({ Bucket, Key: whole(key) })
  const copySource = (key: string): string => `${Bucket}/${whole(key).split('/').map(encodeURIComponent).join('/')}`
  const writing = (signal?: AbortSignal) => patient(limits.writePatience, signal)
  /** @param repeat the patience for one request */
  const send = async <T>(
    key: string,
    repeat: Patience,
    request: (signal: AbortSignal | undefined) => Promise<T>,
  ): Promise<T> => {
    try {
      return await repeat(request)
    } catch (error) {
      throw objectFault(error, key, repeat.signal)
    }
  }

  const patienceOf = { read: limits.readPatience, write: limits.writePatience }
  const head: Bucket['head'] = async (key, as = 'read', signal) =>
    send(key, patient(patienceOf[as], signal), async (abortSignal) => {
      try {
        const found = await client.send(new HeadObjectCommand(at(key)), { ...(abortSignal && { abortSignal }) })
        if (found.ContentLength === undefined) throw new StorageFault('StoreAway', 'The object store gave no length.')
        return {
          length: found.ContentLength,
          etag: found.ETag ?? '',
          modified: found.LastModified?.getTime() ?? 0,
        }
      } catch (error) {
        if (isMissing(error)) return null
        throw error
      }
    })

  const remove: Bucket['remove'] = async (key, removing) =>
    send(key, writing(), async () => {
      await client.send(deletion(at(key), removing)).catch((error: unknown) => {
        if (!isMissing(error)) throw error
      })
    })

  const access: Access = { address, client, write: (key, request) => send(key, writing(), request) }
  const multipart: MultipartAccess = {
    client,
    bucket: Bucket,
    prefix: address.prefix,
    write: access.write,
    lengthOf: async (key) => (await head(key, 'write'))?.length ?? null,
  }
  return {
    address,
    client,
    multipart,
    requests: () => requests,
    whole,
    copySource,
    repeat: access.write,
    head,
    stream: (key, { length, etag }, range, as = 'read') =>
      objectStream({
        key,
        length,
        ...range,
        patience: patienceOf[as],
        get: async (start, end, signal) => {
          const answer = await client.send(
            new GetObjectCommand({
              ...at(key),
              Range: `bytes=${start}-${end - 1}`,
              ...(etag === '' ? {} : { IfMatch: etag }),
            }),
            { abortSignal: signal },
          )
          return { body: answer.Body as Readable, contentRange: answer.ContentRange ?? null }
        },
      }),
    text: (key, signal) =>
      send(key, patient(limits.readPatience, signal), async (abortSignal) => {
        try {
          const answer = await client.send(new GetObjectCommand(at(key)), { ...(abortSignal && { abortSignal }) })
          return (await answer.Body?.transformToString()) ?? ''
        } catch (error) {
          if (isMissing(error)) return null
          throw error
        }
      }),
    putText: (key, text) =>
      send(key, writing(), async () => {
        await client.send(new PutObjectCommand({ ...at(key), Body: Buffer.from(text), ChecksumAlgorithm: 'SHA256' }))
      }),
    putFile: async (key, path, length, ifAbsent, signal) => {
      const params = { ...at(key), ChecksumAlgorithm: 'SHA256' as const, ...(ifAbsent ? { IfNoneMatch: '*' } : {}) }
      const partSize = partLength(length, limits.partBytes)
      try {
        if (length <= partSize) {
          const body = await fileBytes(path, length)
          await writing(signal)((abortSignal) =>
            client.send(new PutObjectCommand({ ...params, Body: body }), { ...(abortSignal && { abortSignal }) }),
          )
          return true
        }
        await sendInParts(multipart, key, {
          path,
          partBytes: partSize,
          lanes: Math.max(1, Math.floor(IN_FLIGHT / partSize)),
          condition: ifAbsent ? { IfNoneMatch: '*' } : {},
          signal,
          repeat: (request, until) => patient(limits.writePatience, until)(request),
        })
        return true
      } catch (error) {
        if (ifAbsent && isRefusedByCondition(error)) return false
        // An upload is never asked for a missing object: its parts were removed, or the bucket is gone.
        if (isMissing(error))
          throw new StorageFault('StoreAway', 'The object store lost an upload, or has no such bucket.', { path: key })
        throw objectFault(error, key, signal)
      }
    },
    copy: async (from, to, length) => {
      const source = copySource(from)
      if (length <= limits.copyBytes)
        await send(from, writing(), () => client.send(new CopyObjectCommand({ ...at(to), CopySource: source })))
      else {
        const partBytes = partLength(length, Math.min(limits.copyBytes, GIB))
        await copyInParts(multipart, { from, to, source, length, partBytes })
      }
      const copied = await head(to, 'write')
      if (copied?.length !== length)
        throw new StorageFault('StoreAway', 'The object store did not copy the whole object.', { path: to })
    },
    remove,
    removeVersions: async (key, { below = false, removing } = {}) => {
      for (const version of await versionsOf(access, key, below))
        await send(key, writing(), () => client.send(deletion({ Bucket, ...version }, removing)))
    },
    list: (prefix) => listedBelow(access, prefix),
    unfinishedUploads: (below) => unfinishedUploads(multipart, below),
    partsSent: (upload) => partsSent(multipart, upload),
    abortUpload: (upload) => abortUpload(multipart, upload),
    close: () => client.destroy(),
  }
}

/**
 * A request to delete. Whether it is still time is asked of each attempt after it was signed: a store refuses requests whose signature is older
 * than 15 minutes, so one that was signed in time and sent late has no effect (docs/decisions/0030).
 */
function deletion(input: ConstructorParameters<typeof DeleteObjectCommand>[0], removing?: Removing) {
  const command = new DeleteObjectCommand(input)
  if (removing !== undefined)
    command.middlewareStack.add(
      (next) => (args) => {
        removing.requireTime()
        return next(args)
      },
      { step: 'deserialize', name: 'requireTime', priority: 'low' },
    )
  return command
}

/** Requests to one bucket that follow pages. */
interface Access {
  readonly address: BucketAddress
  readonly client: S3Client
  /** Repeats a request as writing does. @param key named in what it throws */
  write<T>(key: string, request: (signal: AbortSignal | undefined) => Promise<T>): Promise<T>
}

type Version = { Key: string; VersionId: string }

async function versionsOf({ address, client, write }: Access, key: string, below: boolean): Promise<Version[]> {
  const { bucket: Bucket, prefix } = address
  const whole = prefix + key
  const versions: Version[] = []
  let marker: { KeyMarker?: string; VersionIdMarker?: string } = {}
  for (;;) {
    const page = await write(key, () =>
      client.send(new ListObjectVersionsCommand({ Bucket, Prefix: whole, ...marker })),
    )
    for (const { Key, VersionId } of [...(page.Versions ?? []), ...(page.DeleteMarkers ?? [])])
      if (Key !== undefined && VersionId !== undefined && (below || Key === whole)) versions.push({ Key, VersionId })
    if (page.IsTruncated !== true || page.NextKeyMarker === undefined) return versions
    marker = {
      KeyMarker: page.NextKeyMarker,
      ...(page.NextVersionIdMarker === undefined ? {} : { VersionIdMarker: page.NextVersionIdMarker }),
    }
  }
}

async function* listedBelow(
  { address, client, write }: Access,
  prefix: string,
): AsyncGenerator<Listed, void, undefined> {
  const { bucket: Bucket, prefix: own } = address
  let token: string | undefined
  do {
    const next = token === undefined ? {} : { ContinuationToken: token }
    const page = await write(prefix, () =>
      client.send(new ListObjectsV2Command({ Bucket, Prefix: own + prefix, ...next })),
    )
    for (const { Key, Size, LastModified } of page.Contents ?? [])
      if (Key !== undefined)
        yield { key: Key.slice(own.length), length: Size ?? 0, modified: LastModified?.getTime() ?? 0 }
    token = page.IsTruncated === true ? page.NextContinuationToken : undefined
  } while (token !== undefined)
}

function createClient(address: BucketAddress, limits: BucketLimits, count: () => void): S3Client {
  const client = new S3Client({
    region: address.region,
    forcePathStyle: address.pathStyle,
    ...(address.endpoint === null ? {} : { endpoint: address.endpoint }),
    // `patient` repeats requests, with a limit in time instead of in attempts.
    maxAttempts: 1,
    // Whatever is read is hashed here.
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: {
      connectionTimeout: 5000,
      socketTimeout: limits.silence,
      httpAgent: new HttpAgent({ keepAlive: true, maxSockets: 64 }),
      httpsAgent: new HttpsAgent({ keepAlive: true, maxSockets: 64 }),
    },
  })
  client.middlewareStack.add(
    (next) => (args) => {
      count()
      return next(args)
    },
    { step: 'finalizeRequest', name: 'countRequests', priority: 'low' },
  )
  return client
}

interface Patience {
  <T>(request: (signal: AbortSignal | undefined) => Promise<T>): Promise<T>
  readonly signal: AbortSignal | undefined
}

const FIRST_WAIT = 50
const LONGEST_WAIT = 3000

/** Repeats a request while the store does not answer, for so many milliseconds. */
function patient(milliseconds: number, signal?: AbortSignal): Patience {
  const repeat = async <T>(request: (signal: AbortSignal | undefined) => Promise<T>): Promise<T> => {
    const until = performance.now() + milliseconds
    for (let wait = FIRST_WAIT; ; wait = Math.min(2 * wait, LONGEST_WAIT)) {
      try {
        return await request(signal)
      } catch (error) {
        if (!mayPass(error) || performance.now() + wait > until || signal?.aborted === true) throw error
      }
      await sleep(wait, undefined, signal === undefined ? {} : { signal }).catch(() => {})
    }
  }
  return Object.assign(repeat, { signal })
}

async function fileBytes(path: string, length: number): Promise<Buffer> {
  const file = await open(path)
  try {
    const bytes = Buffer.allocUnsafe(length)
    const { bytesRead } = await file.read(bytes, 0, length, 0)
    if (bytesRead !== length) throw new StorageFault('StoreFailed', 'A staged file is shorter than it was.', { path })
    return bytes
  } finally {
    await file.close()
  }
}
