import type { IncomingHttpHeaders } from 'node:http'
import type { Readable } from 'node:stream'

/** What a bytes handler is given: nothing is read, nothing is buffered. */
export interface BytesRequest {
  readonly method: string
  /** Path parameters, percent-decoded once. */
  readonly params: Readonly<Record<string, string>>
  /** Query members as sent; of a repeated one the first. */
  readonly query: Readonly<Record<string, string>>
  readonly headers: IncomingHttpHeaders
  /** Path and query exactly as they came over the wire, for signatures. */
  readonly url: string
  /** Origin (scheme, host, port) of the configured addresses that the request's Host matched. */
  readonly origin: string
  readonly body: Readable
  /** Aborted when the client goes away or the station stops. */
  readonly signal: AbortSignal
}

/** What it answers. A stream is destroyed by the frame when the client goes away. */
export interface BytesAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body?: Readable | Buffer | string
}

/** Bytes of known length that can be given whole or in one range. */
export interface ServedFile {
  readonly size: number
  /** The SHA-256; becomes the strong ETag. */
  readonly sha256: string
  /** Sniffed, never claimed. */
  readonly type: string
  readonly name: string
  /** May be shown in place where its type is on the list of docs/guarantees.md; everything else downloads. */
  readonly inline: boolean
  /** Both ends inclusive. The frame destroys the stream. */
  readonly open: (start: number, end: number) => Promise<Readable>
  /** Told once, when the answer is over, how many bytes went out. */
  readonly sent?: (bytes: number) => void
}

/** Answers Range, If-Range, If-None-Match and HEAD. Given by the frame. */
export type ServeFile = (request: BytesRequest, file: ServedFile) => Promise<BytesAnswer>
