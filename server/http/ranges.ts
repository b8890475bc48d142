/** Serves whole files or one range, with conditional requests: RFC 9110 13 and 14 (promise S8). */
import { pipeline, type Readable, Transform } from 'node:stream'
import { Fault } from '../../shared/kernel/errors.ts'
import type { BytesAnswer, BytesRequest, ServedFile, ServeFile } from './bytes.ts'
import { contentDisposition, INLINE_TYPES, safeType } from './disposition.ts'

/** Both ends are inclusive. `whole` is also the result for a Range header that is ignored. */
export type Selection =
  | { readonly kind: 'whole' }
  | { readonly kind: 'part'; readonly start: number; readonly end: number }
  | { readonly kind: 'unsatisfiable' }

const WHOLE: Selection = { kind: 'whole' }

/**
 * Reads one range of bytes. Other units, several ranges and malformed headers are ignored, as RFC 9110 14.2 allows: the answer is then the
 * whole file, which is always correct.
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
  // BigInt, since a client may send numbers above 2^53.
  const length = BigInt(size)
  if (first === '') {
    const suffix = BigInt(last)
    if (suffix === 0n) return { kind: 'unsatisfiable' }
    // An empty range cannot be expressed, so an empty file is sent whole.
    if (size === 0) return WHOLE
    return { kind: 'part', start: suffix >= length ? 0 : size - Number(suffix), end: size - 1 }
  }
  const start = BigInt(first)
  if (last !== '' && BigInt(last) < start) return WHOLE
  if (start >= length) return { kind: 'unsatisfiable' }
  return { kind: 'part', start: Number(start), end: last === '' || BigInt(last) >= length ? size - 1 : Number(last) }
}

/** Tags of an If-Match or If-None-Match list, with `W/`. */
const tagsOf = (header: string): string[] => header.match(/(?:W\/)?"[\x21\x23-\x7e\x80-\xff]*"/g) ?? []

/** RFC 9110 13.2.2, for a file with a strong tag and no date. @returns whether the answer is 304 @throws Fault PreconditionFailed */
export function notModified(headers: BytesRequest['headers'], etag: string): boolean {
  const ifMatch = headers['if-match']
  if (ifMatch !== undefined && ifMatch.trim() !== '*' && !tagsOf(ifMatch).includes(etag)) {
    throw new Fault('PreconditionFailed', 'The file is not the one that If-Match names.')
  }
  const ifNoneMatch = headers['if-none-match']
  if (ifNoneMatch === undefined) return false
  return ifNoneMatch.trim() === '*' || tagsOf(ifNoneMatch).some((tag) => tag.replace(/^W\//, '') === etag)
}

/** Compares If-Range with the strong tag. A date never matches, since answers have none. */
function rangeApplies(headers: BytesRequest['headers'], etag: string): boolean {
  const ifRange = headers['if-range']
  return ifRange === undefined || (Array.isArray(ifRange) ? ifRange.join(',') : ifRange).trim() === etag
}

/**
 * Answers GET with 200, 206 or 304 and HEAD with 200 or 304, with the headers of "Served files" (docs/guarantees.md). `file.onSent` is
 * called exactly once in every case, also when the file was not opened.
 * @throws Fault PreconditionFailed (412), RangeNotSatisfiable (416)
 */
export const serveFile: ServeFile = async (request, file) => {
  const etag = `"${file.sha256}"`
  const reportSent = reportOnce(file.onSent)
  try {
    if (notModified(request.headers, etag)) {
      reportSent(0)
      return { status: 304, headers: { ETag: etag, 'Cache-Control': 'private, no-store' } }
    }
    // RFC 9110 14.2: Range applies to GET only.
    const selection =
      request.method === 'GET' && rangeApplies(request.headers, etag)
        ? selectRange(request.headers.range, file.size)
        : WHOLE
    if (selection.kind === 'unsatisfiable') {
      throw new Fault('RangeNotSatisfiable', `The file has ${file.size} bytes.`, {
        headers: { 'Content-Range': `bytes */${file.size}` },
      })
    }
    return await answerPart(request, file, etag, selection, reportSent)
  } catch (error) {
    reportSent(0)
    throw error
  }
}

type Part = Exclude<Selection, { kind: 'unsatisfiable' }>

async function answerPart(
  request: BytesRequest,
  file: ServedFile,
  etag: string,
  part: Part,
  reportSent: (bytes: number) => void,
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
    reportSent(0)
    return { status, headers }
  }
  return { status, headers, body: countBytes(await file.open(start, end), end - start + 1, reportSent) }
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

/** Passes the bytes on and reports their number at the end. Closing either end closes the other. */
function countBytes(source: Readable, expected: number, reportSent: (bytes: number) => void): Readable {
  let bytes = 0
  const counter = new Transform({
    transform: (chunk: Buffer, _encoding, done) => {
      bytes += chunk.byteLength
      done(null, chunk)
    },
    // With fewer bytes than announced the connection must be cut; otherwise the client takes the next answer for the rest.
    flush: (done) => done(bytes === expected ? null : new Error('The file ended early')),
  })
  pipeline(source, counter, () => reportSent(bytes))
  return counter
}

function reportOnce(sent: ServedFile['onSent']): (bytes: number) => void {
  let reported = false
  return (bytes) => {
    if (reported) return
    reported = true
    sent?.(bytes)
  }
}
