import type { IncomingHttpHeaders } from 'node:http'
import { refuse } from './blobs.faults.ts'
import { STRUCTURED } from './structured.ts'
import type { CommitOptions, Conditions } from './uploads.ts'

/** Checksums that the sender announced, in base64. `structured` is the length of the content inside a structured message. */
export interface Checks {
  readonly md5?: string
  readonly crc64?: string
  readonly structured?: number
}

const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/
const DIGITS = /^\d{1,15}$/
const MOST_BLOCK_ID = 64

/** Bytes of a base64 block id. An unescaped plus sign arrives as a space, which base64 does not have. */
export function readBlockId(text: string | undefined): Buffer {
  if (text === undefined || text === '') return refuse('MissingRequiredQueryParameter', 'blockid')
  const base64 = text.replaceAll(' ', '+')
  if (!BASE64.test(base64)) return refuse('InvalidQueryParameterValue', 'blockid is not base64.')
  const bytes = Buffer.from(base64, 'base64')
  if (bytes.length > MOST_BLOCK_ID || bytes.toString('base64') !== base64)
    return refuse('InvalidQueryParameterValue', 'blockid is not at most 64 bytes in base64.')
  return bytes
}

/** @throws 411 when the length is not announced, also for chunked bodies: the place of the bytes is chosen before they arrive */
export function contentLength(headers: IncomingHttpHeaders, most: number): number {
  const text = headers['content-length']
  if (text === undefined || headers['transfer-encoding'] !== undefined) return refuse('MissingContentLengthHeader')
  if (!DIGITS.test(text)) return refuse('InvalidHeaderValue', 'content-length')
  const length = Number(text)
  return length > most ? refuse('RequestBodyTooLarge') : length
}

export function readChecks(headers: IncomingHttpHeaders, wire: number): Checks {
  const md5 = one(headers, 'content-md5')
  const crc64 = one(headers, 'x-ms-content-crc64')
  const structured = one(headers, 'x-ms-structured-body')
  if (md5 !== undefined && !isBase64Of(md5, 16)) return refuse('InvalidMd5')
  if (crc64 !== undefined && !isBase64Of(crc64, 8)) return refuse('InvalidCrc64')
  if ([md5, crc64, structured].filter((check) => check !== undefined).length > 1)
    return refuse('InvalidHeaderValue', 'Only one kind of checksum may be sent.')
  if (structured === undefined) {
    if (headers['x-ms-structured-content-length'] !== undefined)
      return refuse('MissingRequiredHeader', 'x-ms-structured-body')
    return { ...(md5 === undefined ? {} : { md5 }), ...(crc64 === undefined ? {} : { crc64 }) }
  }
  if (structured !== STRUCTURED) return refuse('InvalidHeaderValue', 'x-ms-structured-body')
  const length = one(headers, 'x-ms-structured-content-length')
  if (length === undefined) return refuse('MissingRequiredHeader', 'x-ms-structured-content-length')
  if (!DIGITS.test(length) || Number(length) > wire)
    return refuse('InvalidHeaderValue', 'x-ms-structured-content-length')
  return { structured: Number(length) }
}

export function conditionsOf(headers: IncomingHttpHeaders): Conditions {
  const conditions: { -readonly [name in keyof Conditions]: Conditions[name] } = {}
  const match = one(headers, 'if-match')
  const noneMatch = one(headers, 'if-none-match')
  const modified = one(headers, 'if-modified-since')
  const unmodified = one(headers, 'if-unmodified-since')
  if (match !== undefined) conditions.ifMatch = match.trim()
  if (noneMatch !== undefined) conditions.ifNoneMatch = noneMatch.trim()
  if (modified !== undefined) conditions.ifModifiedSince = date(modified)
  if (unmodified !== undefined) conditions.ifUnmodifiedSince = date(unmodified)
  return conditions
}

/** Names in answers, by the header that sets them. */
const PROPERTIES = {
  'x-ms-blob-content-type': 'content-type',
  'x-ms-blob-content-encoding': 'content-encoding',
  'x-ms-blob-content-language': 'content-language',
  'x-ms-blob-content-disposition': 'content-disposition',
  'x-ms-blob-cache-control': 'cache-control',
} as const

const MOST_METADATA = 8 * 1024

export function commitOptions(headers: IncomingHttpHeaders): CommitOptions {
  const md5 = one(headers, 'x-ms-blob-content-md5')
  if (md5 !== undefined && !isBase64Of(md5, 16)) return refuse('InvalidMd5')
  const properties: Record<string, string> = {}
  for (const [header, name] of Object.entries(PROPERTIES)) {
    const value = one(headers, header)
    if (value !== undefined && value !== '') properties[name] = value
  }
  return { conditions: conditionsOf(headers), md5: md5 ?? null, properties, metadata: metadataOf(headers) }
}

function metadataOf(headers: IncomingHttpHeaders): [string, string][] {
  const metadata: [string, string][] = []
  let size = 0
  for (const [header, value] of Object.entries(headers)) {
    if (!header.startsWith('x-ms-meta-')) continue
    const name = header.slice('x-ms-meta-'.length)
    if (!/^[a-z_][a-z0-9_]*$/.test(name)) return refuse('InvalidMetadata')
    size += name.length + String(value).length
    metadata.push([name, String(value)])
  }
  return size > MOST_METADATA ? refuse('MetadataTooLarge') : metadata
}

const isBase64Of = (text: string, bytes: number): boolean =>
  BASE64.test(text) && Buffer.from(text, 'base64').length === bytes

function one(headers: IncomingHttpHeaders, name: string): string | undefined {
  const value = headers[name]
  return Array.isArray(value) ? value.join(', ') : value
}

function date(text: string): number {
  const time = Date.parse(text)
  return Number.isNaN(time) ? refuse('InvalidHeaderValue', 'A date is not one.') : time
}
