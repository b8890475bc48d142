/** A raw client of the block blob protocol: sends exactly what it is told, lies included, which the public library cannot. */
import { createHash } from 'node:crypto'
import { type IncomingHttpHeaders, type OutgoingHttpHeaders, request } from 'node:http'
import { connect } from 'node:net'
import { crc64 } from '../../server/storage/staging/crc64.ts'

export interface RawAnswer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: string
  /** `x-ms-error-code`, or empty. */
  readonly code: string
}

/** @param query put behind the signature of the link, unescaped names and escaped values */
export function send(
  uri: string,
  method: string,
  query: string,
  headers: OutgoingHttpHeaders = {},
  body: Uint8Array | string = '',
): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    const bytes = Buffer.from(body)
    const length =
      method === 'PUT' && headers['transfer-encoding'] === undefined ? { 'content-length': bytes.length } : {}
    const outgoing = request(
      query === '' ? uri : `${uri}&${query}`,
      { method, headers: { ...length, ...headers } },
      (response) => {
        const chunks: Buffer[] = []
        response.on('data', (chunk: Buffer) => chunks.push(chunk))
        response.on('error', reject)
        response.on('end', () => {
          const code = String(response.headers['x-ms-error-code'] ?? '')
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            body: Buffer.concat(chunks).toString(),
            code,
          })
        })
      },
    )
    outgoing.on('error', reject)
    outgoing.end(bytes)
  })
}

export const base64 = (text: string | Uint8Array): string => Buffer.from(text).toString('base64')
export const md5Of = (bytes: Uint8Array): string => createHash('md5').update(bytes).digest('base64')
export const sha256Of = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')
export const crc64Of = (bytes: Uint8Array): string => base64(crc64().update(bytes).digest())

const idQuery = (id: string | Uint8Array): string => `comp=block&blockid=${encodeURIComponent(base64(id))}`

export const putBlock = (
  uri: string,
  id: string | Uint8Array,
  bytes: Uint8Array,
  headers: OutgoingHttpHeaders = {},
): Promise<RawAnswer> => send(uri, 'PUT', idQuery(id), headers, bytes)

export const putBlob = (uri: string, bytes: Uint8Array, headers: OutgoingHttpHeaders = {}): Promise<RawAnswer> =>
  send(uri, 'PUT', '', { 'x-ms-blob-type': 'BlockBlob', ...headers }, bytes)

export type Entry = readonly ['Latest' | 'Committed' | 'Uncommitted', string]

export const listXml = (entries: readonly Entry[]): string =>
  `<?xml version="1.0" encoding="utf-8"?><BlockList>${entries.map(([kind, id]) => `<${kind}>${base64(id)}</${kind}>`).join('')}</BlockList>`

export const putList = (
  uri: string,
  entries: readonly Entry[],
  headers: OutgoingHttpHeaders = {},
): Promise<RawAnswer> => send(uri, 'PUT', 'comp=blocklist', headers, listXml(entries))

/** Names and sizes as Get Block List gives them; ids decoded. */
export async function blockList(
  uri: string,
  type: 'committed' | 'uncommitted' | 'all',
): Promise<{ committed: [string, number][]; uncommitted: [string, number][] }> {
  const { status, body } = await send(uri, 'GET', `comp=blocklist&blocklisttype=${type}`)
  if (status === 404) return { committed: [], uncommitted: [] }
  const part = (name: string): [string, number][] => {
    const list = new RegExp(`<${name}>(.*?)</${name}>`).exec(body)?.[1] ?? ''
    return [...list.matchAll(/<Name>(.*?)<\/Name><Size>(\d+)<\/Size>/g)].map(([, id = '', size]) => [
      Buffer.from(id, 'base64').toString(),
      Number(size),
    ])
  }
  return { committed: part('CommittedBlocks'), uncommitted: part('UncommittedBlocks') }
}

/** Frames bytes as `XSM/1.0; properties=crc64` has it, in segments of at most the given length. */
export function structured(bytes: Uint8Array, segmentLength: number): Buffer {
  const segments: Uint8Array[] = []
  for (let at = 0; at < bytes.length; at += segmentLength) segments.push(bytes.subarray(at, at + segmentLength))
  const length = 13 + segments.length * 18 + bytes.length + 8
  const head = Buffer.alloc(13)
  head[0] = 1
  head.writeBigUInt64LE(BigInt(length), 1)
  head.writeUInt16LE(1, 9)
  head.writeUInt16LE(segments.length, 11)
  const framed = segments.flatMap((segment, i) => {
    const start = Buffer.alloc(10)
    start.writeUInt16LE(i + 1, 0)
    start.writeBigUInt64LE(BigInt(segment.length), 2)
    return [start, segment, crc64().update(segment).digest()]
  })
  return Buffer.concat([head, ...framed, crc64().update(bytes).digest()])
}

export const structuredHeaders = (content: number): OutgoingHttpHeaders => ({
  'x-ms-structured-body': 'XSM/1.0; properties=crc64',
  'x-ms-structured-content-length': content,
})

/**
 * Writes text and bytes to a socket as they are and gives back all that came until the other side closed, or null when `ms` passed first.
 * For requests that no HTTP library would send.
 */
export function sendText(
  uri: string,
  parts: readonly (string | Uint8Array)[],
  ms: number,
  end = false,
): Promise<string | null> {
  const { hostname, port } = new URL(uri)
  return new Promise((resolve) => {
    const socket = connect(Number(port), hostname)
    let text = ''
    const done = (result: string | null): void => {
      clearTimeout(timer)
      socket.destroy()
      resolve(result)
    }
    const timer = setTimeout(() => done(null), ms)
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1')
    })
    socket.on('error', () => done(text))
    socket.on('close', () => done(text))
    for (const part of parts) socket.write(part)
    if (end) socket.end()
  })
}
