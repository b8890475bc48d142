/** Asks an authority for a timestamp (RFC 3161) over HTTP. */
import { randomBytes, type X509Certificate } from 'node:crypto'
import { type Timestamp, TimestampRefused } from './timestamp.ts'
import { checkTimestamp, timestampQuery } from './timestamp-token.ts'
import { witnessProblem } from '../../../shared/messages/witness-problems.ts'

/** Whoever waits for a package waits no longer than this for a timestamp. */
const PATIENCE_MS = 10_000
/** Answers have a few kilobytes, with all certificates. */
const MOST_BYTES = 256 * 1024

export interface TimestampAuthority {
  /** @param sha256 hexadecimal @throws TimestampRefused when there is no answer, or one that does not hold */
  stamp(sha256: string, signal?: AbortSignal): Promise<Timestamp & { readonly answer: Buffer }>
  /** Whether a timestamp that was kept holds. @throws TimestampRefused */
  check(answer: Uint8Array, sha256: string): Timestamp
}

export function createTimestampAuthority(deps: {
  readonly url: string
  readonly roots: readonly X509Certificate[]
  readonly patienceMs?: number
}): TimestampAuthority {
  const { url, roots, patienceMs = PATIENCE_MS } = deps
  return {
    stamp: async (sha256, signal) => {
      const nonce = randomBytes(8)
      const answer = await ask(url, timestampQuery(sha256, nonce), patienceMs, signal)
      return { ...checkTimestamp(answer, { sha256, nonce, roots }), answer }
    },
    check: (answer, sha256) => checkTimestamp(answer, { sha256, nonce: null, roots }),
  }
}

async function ask(url: string, query: Buffer, patienceMs: number, signal?: AbortSignal): Promise<Buffer> {
  const patience = AbortSignal.timeout(patienceMs)
  try {
    const reply = await fetch(url, {
      method: 'POST',
      headers: { 'Content-Type': 'application/timestamp-query', Accept: 'application/timestamp-reply' },
      body: new Uint8Array(query),
      // Somebody between could send the question elsewhere.
      redirect: 'error',
      signal: signal === undefined ? patience : AbortSignal.any([signal, patience]),
    })
    if (!reply.ok) throw new TimestampRefused(witnessProblem('answered', { status: reply.status }))
    return await bodyOf(reply)
  } catch (error) {
    signal?.throwIfAborted()
    if (error instanceof TimestampRefused) throw error
    throw new TimestampRefused(
      patience.aborted ? witnessProblem('tooSlow', { seconds: patienceMs / 1000 }) : witnessProblem('notReached'),
      { cause: error },
    )
  }
}

async function bodyOf(reply: Response): Promise<Buffer> {
  const parts: Uint8Array[] = []
  let bytes = 0
  for await (const part of reply.body ?? []) {
    bytes += part.length
    if (bytes > MOST_BYTES) throw new TimestampRefused(witnessProblem('tooLong'))
    parts.push(part)
  }
  return Buffer.concat(parts)
}
