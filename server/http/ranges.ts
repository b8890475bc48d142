/** Whole files, one range of them, and the conditions on both: RFC 9110 13 and 14 (promise S8). */
import { pipeline, type Readable, Transform } from 'node:stream'
import { Fault } from '../../shared/kernel/errors.ts'
import type { BytesAnswer, BytesRequest, ServedFile, ServeFile } from './bytes.ts'
import { contentDisposition, INLINE_TYPES, safeType } from './disposition.ts'

/** Both ends inclusive; `whole` also where a Range header is to be ignored. */
export type Selection =
  | { readonly kind: 'whole' }
  | { readonly kind: 'part'; readonly start: number; readonly end: number }
  | { readonly kind: 'unsatisfiable' }

const WHOLE: Selection = { kind: 'whole' }

/**
 * One range of bytes. Other units, several ranges and what is not well formed are ignored, as RFC 9110 14.2 allows: the answer is then the
 * whole file, which is never wrong.
 */
export function selectRange(header: string | undefined, size: number): Selection {
  const match = /^bytes=([\d,\- \t]*)$/i.exec(header?.trim() ?? '')
  if (match === null) return WHOLE
  const specs = (match[1] as string)
    .split(',')
    .map((spec) => spec.trim())
    .filter((spec) => spec !== '')
  const range = /^(\d*)-(\d*)$/.exec(specs.length === 1 ? (specs[0] as string) : '')
  if (range === null) return WHOLE
  const [first, last] = [range[1] as string, range[2] as string]
  if (first === '' && last === '') return WHOLE
  // Numbers may have any length: 2^53 is no limit to what a client may write.
  const length = BigInt(size)
  if (first === '') {
    const suffix = BigInt(last)
    if (suffix === 0n) return { kind: 'unsatisfiable' }
    // There is no way to write a range of nothing.
    if (size === 0) return WHOLE
    return { kind: 'part', start: suffix >= length ? 0 : size - Number(suffix), end: size - 1 }
  }
  const start = BigInt(first)
  if (last !== '' && BigInt(last) < start) return WHOLE
  if (start >= length) return { kind: 'unsatisfiable' }
  return { kind: 'part', start: Number(start), end: last === '' || BigInt(last) >= length ? size - 1 : Number(last) }
}

/** Tags of an If-Match or If-None-Match list; `W/` kept. */
const tagsOf = (header: string): string[] => header.match(/(?:W\/)?"[\x21\x23-\x7e\x80-\xff]*"/g) ?? []

/** RFC 9110 13.2.2, for a representation that has a strong tag and no date. @throws Fault PreconditionFailed. @returns whether it is 304. */
export function notModified(headers: BytesRequest['headers'], etag: string): boolean {
  const ifMatch = headers['if-match']
  if (ifMatch !== undefined && ifMatch.trim() !== '*' && !tagsOf(ifMatch).includes(etag)) {
    throw new Fault('PreconditionFailed', 'The file is not the one that If-Match names.')
  }
  const ifNoneMatch = headers['if-none-match']
  if (ifNoneMatch === undefined) return false
  return ifNoneMatch.trim() === '*' || tagsOf(ifNoneMatch).some((tag) => tag.replace(/^W\//, '') === etag)
}

/** If-Range with our own strong tag; a date never matches, since we give none. */
function rangeApplies(headers: BytesRequest['headers'], etag: string): boolean {
  const ifRange = headers['if-range']
  return ifRange === undefined || (Array.isArray(ifRange) ? ifRange.join(',') : ifRange).trim() === etag
}

/**
 * Answers GET with 200, 206 or 304 and HEAD with 200 or 304, with the headers of "Served files" (docs/guarantees.md). `file.sent` is told exactly
 * once on every way out, also when nothing was opened.
 * @throws Fault PreconditionFailed (412), RangeNotSatisfiable (416)
 */
export const serveFile: ServeFile = async (request, file) => {
  const etag = `"${file.sha256}"`
  const told = once(file.sent)
  try {
    if (notModified(request.headers, etag)) {
      told(0)
      return { status: 304, headers: { ETag: etag, 'Cache-Control': 'private, no-store' } }
    }
    // RFC 9110 14.2: a Range means something with GET alone.
    const asked =
      request.method === 'GET' && rangeApplies(request.headers, etag)
        ? selectRange(request.headers.range, file.size)
        : WHOLE
    if (asked.kind === 'unsatisfiable') {
      throw new Fault('RangeNotSatisfiable', `The file has ${file.size} bytes.`, {
        headers: { 'Content-Range': `bytes */${file.size}` },
      })
    }
    return await selected(request, file, etag, asked, told)
  } catch (error) {
    told(0)
    throw error
  }
}

type Part = Exclude<Selection, { kind: 'unsatisfiable' }>

async function selected(
  request: BytesRequest,
  file: ServedFile,
  etag: string,
  part: Part,
  told: (bytes: number) => void,
): Promise<BytesAnswer> {
  const { start, end } = part.kind === 'part' ? part : { start: 0, end: file.size - 1 }
  const headers = {
    ...servedHeaders(file),
    ETag: etag,
    'Content-Length': String(end - start + 1),
    ...(part.kind === 'part' ? { 'Content-Range': `bytes ${start}-${end}/${file.size}` } : {}),
  }
  const status = part.kind === 'part' ? 206 : 200
  if (request.method === 'HEAD' || file.size === 0) {
    told(0)
    return { status, headers }
  }
  return { status, headers, body: counted(await file.open(start, end), end - start + 1, told) }
}

function servedHeaders(file: ServedFile): Record<string, string> {
  const type = safeType(file.type)
  return {
    'Content-Type': type,
    'Content-Disposition': contentDisposition(file.name, file.inline && INLINE_TYPES.has(type)),
    'Content-Security-Policy': "sandbox; default-src 'none'; media-src 'self'; img-src 'self'",
    'Cache-Control': 'private, no-store',
    'Accept-Ranges': 'bytes',
  }
}

/** Passes the bytes on and tells how many there were; closing either end closes the other. */
function counted(source: Readable, expected: number, told: (bytes: number) => void): Readable {
  let bytes = 0
  const counter = new Transform({
    transform: (chunk: Buffer, _encoding, done) => {
      bytes += chunk.byteLength
      done(null, chunk)
    },
    // Fewer bytes than were announced: the connection is cut, or the client would take the next answer for the rest.
    flush: (done) => done(bytes === expected ? null : new Error('The file ended early')),
  })
  pipeline(source, counter, () => told(bytes))
  return counter
}

function once(sent: ServedFile['sent']): (bytes: number) => void {
  let told = false
  return (bytes) => {
    if (told) return
    told = true
    sent?.(bytes)
  }
}
