import type { IncomingHttpHeaders } from 'node:http'
import type { Readable } from 'node:stream'

/** Input of a bytes handler. Its body has not been read or buffered. */
export interface BytesRequest {
  readonly method: string
  /** Path parameters, percent-decoded once. */
  readonly params: Readonly<Record<string, string>>
  /** Query members as sent; the first value of a repeated member. */
  readonly query: Readonly<Record<string, string>>
  readonly headers: IncomingHttpHeaders
  /** Path and query exactly as received, for signatures. */
  readonly url: string
  /** Origin (scheme, host, port) of the configured addresses that the request's Host matched. */
  readonly origin: string
  readonly body: Readable
  /** Aborted when the client goes away or the station stops. */
  readonly signal: AbortSignal
}

/** Answer of a bytes handler. The frame destroys a stream when the client disconnects. */
export interface BytesAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body?: Readable | Buffer | string
}

/** A file of known length, sent whole or as one range. */
export interface ServedFile {
  readonly size: number
  /** Becomes the strong ETag. */
  readonly sha256: string
  /** Media type found in the bytes, never the type that the uploader stated. */
  readonly type: string
  readonly name: string
  /** Allows display in the browser, for types on the list of docs/guarantees.md. Everything else is downloaded. */
  readonly inline: boolean
  /** Both ends inclusive. The frame destroys the stream. */
  readonly open: (start: number, end: number) => Promise<Readable>
  /** Called once, at the end of the answer, with the number of bytes sent. */
  readonly onSent?: (bytes: number) => void
}

/** Answers Range, If-Range, If-None-Match and HEAD. The frame supplies it. */
export type ServeFile = (request: BytesRequest, file: ServedFile) => Promise<BytesAnswer>

type WithBody = { readonly body?: BytesAnswer['body'] | undefined }

/** Closes the body of an answer that is not sent. */
export function discardBody({ body }: WithBody): void {
  if (typeof body === 'object' && 'destroy' in body) body.destroy()
}

/** Writes the ledger entry of an answer before the answer goes out (decisions 12). When that fails, the answer is not sent. @throws what `record` throws */
export async function recordBeforeSending<A extends WithBody>(answer: A, record: () => Promise<unknown>): Promise<A> {
  try {
    await record()
  } catch (error) {
    discardBody(answer)
    throw error
  }
  return answer
}
