import { createHash } from 'node:crypto'
import type { Call } from '../../../kernel/ledger/call.ts'
import { crc64 } from '../../../storage/staging/crc64.ts'
import type { Claims } from '../../../storage/staging/staging.messages.ts'
import { ClaimMismatch } from '../../../storage/staging/staging.ts'
import type { BytesAnswer, BytesRequest } from '../../../http/bytes.ts'
import { BlobFault, refuse } from './blobs.faults.ts'
import { blockListXml, readBlockList } from './blobs.xml.ts'
import type { BodyReader } from './body.ts'
import { type Checks, commitOptions, contentLength, readBlockId, readChecks } from './headers.ts'
import { readStructured } from './structured.ts'
import type { UploadRow } from './uploads.store.ts'
import type { Source, Uploads } from './uploads.ts'

/** A request with a valid link, and its upload. */
export interface Exchange {
  readonly request: BytesRequest
  readonly call: Call
  readonly body: BodyReader
  readonly uploads: Uploads
  readonly upload: UploadRow
}

const MIB = 2 ** 20
const MOST_BLOCK = 4000 * MIB
const MOST_WHOLE = 5000 * MIB
const MOST_LIST_BODY = 16 * MIB

/** Put Block: 201 once the block is hashed, fsynced and its row committed. */
export async function putBlock({ request, body, uploads, upload }: Exchange): Promise<BytesAnswer> {
  const blockId = readBlockId(request.query['blockid'])
  const wire = contentLength(request.headers, MOST_BLOCK + MOST_BLOCK / 64)
  const checks = readChecks(request.headers, wire)
  const length = checks.structured ?? wire
  if (length > MOST_BLOCK) return refuse('RequestBodyTooLarge')
  if (length === 0) return refuse('InvalidHeaderValue', 'A block is not empty.')
  await uploads.admit(upload, length)
  const sums = await asFaults(
    uploads.putBlock(upload, blockId, length, neededSums(checks), source(body, checks, wire, length)),
  )
  return created(sums, checks)
}

/** Put Blob: the body becomes the whole content, and everything uploaded before is dropped. */
export async function putBlob({ request, call, body, uploads, upload }: Exchange): Promise<BytesAnswer> {
  const wire = contentLength(request.headers, MOST_WHOLE + MOST_WHOLE / 64)
  const checks = readChecks(request.headers, wire)
  const length = checks.structured ?? wire
  if (length > MOST_WHOLE) return refuse('RequestBodyTooLarge')
  const options = commitOptions(request.headers)
  const declared = options.md5
  // The announced MD5 of a whole blob is compared with the bytes. For a list this is not possible, so the protocol stores it unread.
  if (declared !== null && checks.md5 !== undefined && declared !== checks.md5) return refuse('Md5Mismatch')
  const md5 = checks.md5 ?? declared
  const all: Checks = md5 === null ? checks : { ...checks, md5 }
  await uploads.admit(upload, length, options.conditions)
  const { etag, at, sums } = await asFaults(
    uploads.putBlob(call, upload, length, { ...neededSums(all), md5: true }, source(body, all, wire, length), options),
  )
  return created(sums, { ...checks, md5: sums.md5 ?? '' }, { etag, 'last-modified': new Date(at).toUTCString() })
}

/** Put Block List: the named blocks, in order, become the content; blocks not named are dropped. */
export async function putBlockList({ request, call, body, uploads, upload }: Exchange): Promise<BytesAnswer> {
  const wire = contentLength(request.headers, MOST_LIST_BODY)
  if (request.headers['x-ms-structured-body'] !== undefined) return refuse('InvalidHeaderValue', 'x-ms-structured-body')
  const checks = readChecks(request.headers, wire)
  const options = commitOptions(request.headers)
  await uploads.admit(upload, 0, options.conditions)
  const bytes = await whole(body, wire)
  const md5 = createHash('md5').update(bytes).digest('base64')
  const crc = Buffer.from(crc64().update(bytes).digest()).toString('base64')
  if (checks.md5 !== undefined && checks.md5 !== md5) return refuse('Md5Mismatch')
  if (checks.crc64 !== undefined && checks.crc64 !== crc) return refuse('Crc64Mismatch')
  const list = readBlockList(bytes.toString('utf8'))
  const canonical = list.map(({ kind, id }) => ({ kind, id: listedId(id) }))
  const { etag, at } = await uploads.putBlockList(call, upload, canonical, options)
  return answer(201, {
    etag,
    'last-modified': new Date(at).toUTCString(),
    'x-ms-content-crc64': crc,
    'x-ms-request-server-encrypted': 'false',
  })
}

function listedId(id: string): string {
  try {
    return readBlockId(id).toString('base64')
  } catch {
    return refuse('InvalidBlockList')
  }
}

/** Get Block List: the blocks of an upload, for a client that resumes after an interruption. */
export async function getBlockList({ request, uploads, upload }: Exchange): Promise<BytesAnswer> {
  const type = request.query['blocklisttype'] ?? 'committed'
  if (type !== 'committed' && type !== 'uncommitted' && type !== 'all')
    return refuse('InvalidQueryParameterValue', 'blocklisttype')
  const { committed_etag: etag, committed_at: at, uncommitted } = upload
  if (upload.state === 'None' && etag === null && (uncommitted ?? 0) === 0) return refuse('BlobNotFound')
  const lists = {
    ...(type === 'uncommitted' ? {} : { committed: await uploads.blocks(upload, true) }),
    ...(type === 'committed' ? {} : { uncommitted: await uploads.blocks(upload, false) }),
  }
  const xml = blockListXml(lists)
  const identity = etag === null || at === null ? {} : { etag, 'last-modified': new Date(at).toUTCString() }
  const length = String(upload.length ?? upload.committed_length ?? 0)
  return answer(
    200,
    {
      ...identity,
      'content-type': 'application/xml',
      'content-length': String(Buffer.byteLength(xml)),
      'x-ms-blob-content-length': length,
    },
    xml,
  )
}

/** Get Blob Properties: the committed blob, or the resource once it is complete. Blocks alone are no blob yet. */
export async function getProperties({ upload }: Exchange): Promise<BytesAnswer> {
  const complete = upload.state === 'UserCompleted' && upload.sha256 !== null
  const etag = complete ? `"${upload.sha256}"` : upload.committed_etag
  if (etag === null) return refuse('BlobNotFound')
  const modified = complete ? Date.parse(upload.uploaded_utc ?? upload.created_utc) : (upload.committed_at ?? 0)
  const properties = JSON.parse(upload.properties ?? '{}') as Record<string, string>
  const metadata = JSON.parse(upload.metadata ?? '[]') as [string, string][]
  return answer(200, {
    ...Object.fromEntries(metadata.map(([name, value]) => [`x-ms-meta-${name}`, value])),
    'content-type': complete ? upload.mime_type : 'application/octet-stream',
    ...properties,
    ...(upload.committed_md5 === null ? {} : { 'content-md5': upload.committed_md5 }),
    etag,
    'last-modified': new Date(modified).toUTCString(),
    'content-length': String((complete ? upload.length : upload.committed_length) ?? 0),
    'accept-ranges': 'bytes',
    'x-ms-blob-type': 'BlockBlob',
    'x-ms-creation-time': new Date(upload.created_utc).toUTCString(),
    'x-ms-lease-status': 'unlocked',
    'x-ms-lease-state': 'available',
    'x-ms-server-encrypted': 'false',
  })
}

const answer = (status: number, headers: Record<string, string>, body?: string): BytesAnswer =>
  body === undefined ? { status, headers: { 'content-length': '0', ...headers } } : { status, headers, body }

const neededSums = (checks: Checks): { md5: boolean; crc64: boolean } => ({
  md5: checks.md5 !== undefined,
  crc64: checks.crc64 !== undefined || checks.structured !== undefined,
})

function created(
  sums: { md5: string | null; crc64: string | null },
  checks: Checks,
  more: Record<string, string> = {},
): BytesAnswer {
  return answer(201, {
    ...more,
    ...(checks.md5 !== undefined && sums.md5 !== null ? { 'content-md5': sums.md5 } : {}),
    ...(sums.crc64 === null ? {} : { 'x-ms-content-crc64': sums.crc64 }),
    ...(checks.structured === undefined ? {} : { 'x-ms-structured-body': 'XSM/1.0; properties=crc64' }),
    'x-ms-request-server-encrypted': 'false',
  })
}

/** Writes the body to a part and collects the checksums that its sender claims. */
function source(body: BodyReader, checks: Checks, wire: number, length: number): Source {
  return async (part, signal): Promise<Claims> => {
    const interrupt = (): void => body.interrupt(signal.reason as Error)
    signal.addEventListener('abort', interrupt, { once: true })
    if (signal.aborted) throw signal.reason
    try {
      if (checks.structured !== undefined) return { length, ...(await readStructured(body, part, wire, length)) }
      for (let chunk = await body.next(); chunk !== null; chunk = await body.next()) await part.push(chunk)
      return {
        length,
        ...(checks.md5 === undefined ? {} : { md5: checks.md5 }),
        ...(checks.crc64 === undefined ? {} : { crc64: checks.crc64 }),
      }
    } finally {
      signal.removeEventListener('abort', interrupt)
    }
  }
}

async function asFaults<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    if (!(error instanceof ClaimMismatch)) throw error
    throw new BlobFault(
      error.what === 'md5' ? 'Md5Mismatch' : error.what === 'crc64' ? 'Crc64Mismatch' : 'IncompleteBody',
    )
  }
}

async function whole(body: BodyReader, length: number): Promise<Buffer> {
  const chunks: Buffer[] = []
  let size = 0
  for (let chunk = await body.next(); chunk !== null; chunk = await body.next()) {
    size += chunk.length
    if (size > length) return refuse('IncompleteBody')
    chunks.push(chunk)
  }
  if (size !== length) return refuse('IncompleteBody')
  return Buffer.concat(chunks)
}
