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
