/** Multipart uploads of one bucket: objects that are sent or copied in parts, and what is left of those that were cut off. */
import { createReadStream } from 'node:fs'
import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  type CompletedPart,
  CreateMultipartUploadCommand,
  ListMultipartUploadsCommand,
  ListPartsCommand,
  type S3Client,
  UploadPartCopyCommand,
} from '@aws-sdk/client-s3'
import { Upload } from '@aws-sdk/lib-storage'
import { isMissing, mayPass } from './faults.ts'

export interface UnfinishedUpload {
  readonly key: string
  readonly id: string
  readonly started: number
}

/** A bucket as its multipart uploads need it. Keys are without the prefix. */
export interface MultipartAccess {
  readonly client: S3Client
  readonly bucket: string
  readonly prefix: string
  /** Repeats a request as writing does. @param key named in what it throws */
  write<T>(key: string, request: () => Promise<T>): Promise<T>
  lengthOf(key: string): Promise<number | null>
}

/** What the store has of an unfinished upload. */
export interface PartsSent {
  readonly bytes: number
  /** When the newest part was sent; null: there is none, or the upload is over. */
  readonly last: number | null
}

const target = ({ bucket, prefix }: MultipartAccess, key: string) => ({ Bucket: bucket, Key: prefix + key })

export async function* unfinishedUploads(
  access: MultipartAccess,
  below: string,
): AsyncGenerator<UnfinishedUpload, void, undefined> {
  const { client, bucket: Bucket, prefix } = access
  let marker: { KeyMarker?: string; UploadIdMarker?: string } | null = {}
  while (marker !== null) {
    const given: { KeyMarker?: string; UploadIdMarker?: string } = marker
    const page = await access.write(below, () =>
      client.send(new ListMultipartUploadsCommand({ Bucket, Prefix: prefix + below, ...given })),
    )
    for (const { Key, UploadId, Initiated } of page.Uploads ?? [])
      if (Key !== undefined && UploadId !== undefined)
        yield { key: Key.slice(prefix.length), id: UploadId, started: Initiated?.getTime() ?? 0 }
    marker =
      page.IsTruncated === true && page.NextKeyMarker !== undefined
        ? {
            KeyMarker: page.NextKeyMarker,
            ...(page.NextUploadIdMarker === undefined ? {} : { UploadIdMarker: page.NextUploadIdMarker }),
          }
        : null
  }
}

export async function partsSent(
  access: MultipartAccess,
  { key, id }: Pick<UnfinishedUpload, 'key' | 'id'>,
): Promise<PartsSent> {
  let bytes = 0
  let last: number | null = null
  let marker: string | undefined
  do {
    const next = marker === undefined ? {} : { PartNumberMarker: marker }
    const page = await access.write(key, () =>
      access.client.send(new ListPartsCommand({ ...target(access, key), UploadId: id, ...next })).catch(nullIfMissing),
    )
    for (const { LastModified, Size } of page?.Parts ?? []) {
      last = Math.max(last ?? 0, LastModified?.getTime() ?? 0)
      bytes += Size ?? 0
    }
    marker = page?.IsTruncated === true ? page.NextPartNumberMarker : undefined
  } while (marker !== undefined)
  return { bytes, last }
}

/**
 * Removes the parts of an unfinished upload, unless the object under its key may be made of them. OpenStack Swift writes the object, which
 * names the parts, and then removes the mark of the upload. Where it ends in between, the upload is still listed, and its abort would remove
 * the bytes of the object. So an upload that has as many bytes as the object stays until the object is gone.
 * @returns whether it was removed
 */
export async function abortUpload(
  access: MultipartAccess,
  upload: Pick<UnfinishedUpload, 'key' | 'id'>,
): Promise<boolean> {
  const { key, id } = upload
  const length = await access.lengthOf(key)
  if (length !== null && (await partsSent(access, upload)).bytes === length) return false
  await access.write(key, () =>
    access.client.send(new AbortMultipartUploadCommand({ ...target(access, key), UploadId: id })).catch(nullIfMissing),
  )
  return true
}

/** Milliseconds for which the parts of a failed upload are tried to be removed at once. */
const GIVE_UP_WITHIN = 5000

/**
 * Removes the parts of an upload that failed. Not while the store may still make the object of them: then, and where the store does not
 * answer, the sweep does it a day later. Never throws.
 * @param completing whether the store was asked to make the object
 */
async function giveUp(
  access: MultipartAccess,
  { key, id }: Pick<UnfinishedUpload, 'key' | 'id'>,
  completing: boolean,
  error: unknown,
): Promise<void> {
  const abort = new AbortMultipartUploadCommand({ ...target(access, key), UploadId: id })
  const abortSignal = AbortSignal.timeout(GIVE_UP_WITHIN)
  if (!completing) await access.client.send(abort, { abortSignal }).catch(() => {})
  else if (!mayPass(error)) await abortUpload(access, { key, id }).catch(() => {})
}

function nullIfMissing(error: unknown): null {
  if (!isMissing(error)) throw error
  return null
}

/** An upload that was begun, for the code that sends its parts. */
export interface OpenUpload {
  /** Where its requests go. */
  readonly target: { readonly Bucket: string; readonly Key: string; readonly UploadId: string }
  /** Makes the object of the parts. */
  complete(parts: readonly CompletedPart[], condition?: { readonly IfNoneMatch?: '*' }): Promise<void>
}

/** Begins an upload and gives it to `send`. @throws what failed, after the parts were removed where that is safe */
export async function inMultipart(
  access: MultipartAccess,
  key: string,
  checksums: { readonly ChecksumAlgorithm?: 'SHA256' },
  send: (upload: OpenUpload) => Promise<void>,
): Promise<void> {
  const { client } = access
  const begun = await access.write(key, () =>
    client.send(new CreateMultipartUploadCommand({ ...target(access, key), ...checksums })),
  )
  const UploadId = begun.UploadId as string
  const open = { ...target(access, key), UploadId }
  let completing = false
  try {
    await send({
      target: open,
      complete: async (parts, condition = {}) => {
        completing = true
        await access.write(key, () =>
          client.send(
            new CompleteMultipartUploadCommand({ ...open, ...condition, MultipartUpload: { Parts: [...parts] } }),
          ),
        )
      },
    })
  } catch (error) {
    await giveUp(access, { key, id: UploadId }, completing, error)
    throw error
  }
}

export interface CopiedParts {
  readonly from: string
  readonly to: string
  /** The object as a request to copy names it. */
  readonly source: string
  readonly length: number
  readonly partBytes: number
}

export const copyInParts = (access: MultipartAccess, copied: CopiedParts): Promise<void> =>
  inMultipart(access, copied.to, {}, async (upload) => {
    const { from, source: CopySource, length, partBytes } = copied
    const parts: CompletedPart[] = []
    for (let start = 0; start < length; start += partBytes) {
      const PartNumber = parts.length + 1
      const CopySourceRange = `bytes=${start}-${Math.min(start + partBytes, length) - 1}`
      const made = await access.write(from, () =>
        access.client.send(new UploadPartCopyCommand({ ...upload.target, PartNumber, CopySource, CopySourceRange })),
      )
      parts.push({ PartNumber, ETag: made.CopyPartResult?.ETag })
    }
    await upload.complete(parts)
  })

export interface FileParts {
  readonly path: string
  readonly partBytes: number
  /** At the same time. */
  readonly lanes: number
  readonly condition: { readonly IfNoneMatch?: string }
  readonly signal: AbortSignal | undefined
  /** Repeats a request while the store does not answer, until the signal. */
  repeat<T>(request: () => Promise<T>, signal: AbortSignal): Promise<T>
}

const MIB = 1024 * 1024

/** Sends a file in parts. Each is a request with its own checksum, and is repeated on its own. @throws errors of the client */
export async function sendInParts(access: MultipartAccess, key: string, file: FileParts): Promise<void> {
  const { client } = access
  const { path, partBytes, lanes, condition, signal, repeat } = file
  const body = createReadStream(path, { highWaterMark: MIB })
  const stop = new AbortController()
  const abort = (): void => stop.abort()
  let completing = false
  signal?.addEventListener('abort', abort, { once: true })
  const repeating = new Proxy(client, {
    get: (of, name) =>
      name === 'send'
        ? (command: Parameters<S3Client['send']>[0]) => {
            completing ||= command instanceof CompleteMultipartUploadCommand
            return repeat(() => of.send(command, { abortSignal: stop.signal }), stop.signal)
          }
        : Reflect.get(of, name, of),
  })
  const upload = new Upload({
    client: repeating,
    params: { ...target(access, key), ChecksumAlgorithm: 'SHA256', ...condition, Body: body },
    partSize: partBytes,
    queueSize: lanes,
    abortController: stop,
    leavePartsOnError: true,
  })
  try {
    await upload.done()
  } catch (error) {
    if (upload.uploadId !== undefined) await giveUp(access, { key, id: upload.uploadId }, completing, error)
    throw error
  } finally {
    signal?.removeEventListener('abort', abort)
    body.destroy()
  }
}
