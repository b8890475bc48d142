import type { BytesAnswer, BytesRequest } from '../../../http/bytes.ts'
import type { Call } from '../../../kernel/ledger/call.ts'
import type { Clock } from '../../../platform/clock/clock.ts'
import { BlobFault, refuse } from './blobs.faults.ts'
import type { LinkHolder, LinkSigner } from './blobs.signature.ts'
import { errorXml } from './blobs.xml.ts'
import { type BodyReader, bodyReader, type Patience } from './body.ts'
import { type Exchange, getBlockList, getProperties, putBlob, putBlock, putBlockList } from './operations.ts'
import type { Uploads } from './uploads.ts'

export type BytesHandler = (request: BytesRequest, call: Call) => Promise<BytesAnswer>

export interface BlobHandlerPorts {
  readonly uploads: Uploads
  readonly signer: LinkSigner
  readonly clock: Clock
  /** Whether the holder of a link may still use it (upload-addresses.ts). */
  readonly stillHeld: (holder: LinkHolder) => Promise<boolean>
  readonly patience?: Patience
  /** Called before the answer for refusals that belong in the ledger: forged and expired links, writes to completed uploads. Best effort. */
  readonly onRefused?: (call: Call, refused: { container: string; blob: string; reason: string }) => Promise<void>
}

/** Bytes of a refused body that are read and dropped, so that the sender receives the answer. A sender with far more to send is not awaited. */
const DRAIN_BYTES = 64 * 2 ** 20
const drainLimits = (announced: string | undefined): { bytes: number; ms: number } => ({
  bytes: DRAIN_BYTES,
  ms: Number(announced) > DRAIN_BYTES ? 1000 : 5000,
})

/** Milliseconds between checks of the address. An ended address transfers no bytes after five seconds, even within a body (decisions 9). */
const RECHECK_MILLIS = 2_000

/**
 * `PUT`, `GET` and `HEAD /blob/{container}/{blob}` (decisions 6). The signature in the query is the only authority: no session, no token.
 * It is valid while its holder is enabled and their addresses were not ended.
 */
export function blobHandler(ports: BlobHandlerPorts): BytesHandler {
  const { clock, patience, onRefused } = ports
  return async (sent, call) => {
    const ended = new AbortController()
    const request = { ...sent, signal: AbortSignal.any([sent.signal, ended.signal]) }
    const common = commonHeaders(request, call, clock.now())
    const body = bodyReader(request.body, request.signal, patience)
    try {
      const answer = await operate(ports, { request, call, body, ended })
      return { ...answer, headers: { ...common, ...answer.headers } }
    } catch (error) {
      const fault = error instanceof BlobFault ? error : null
      if (fault === null && !request.signal.aborted) throw error
      const refusal = fault ?? new BlobFault('ServerBusy')
      const { container = '', blob = '' } = request.params
      if (WORTH_AN_ENTRY.has(refusal.code)) await onRefused?.(call, { container, blob, reason: refusal.reason })
      const close = (await body.drain(drainLimits(request.headers['content-length']))) ? {} : { connection: 'close' }
      return refusalAnswer(request.method, refusal, { ...common, ...close }, clock.now())
    }
  }
}

const WORTH_AN_ENTRY = new Set([
  'AuthenticationFailed',
  'AuthorizationPermissionMismatch',
  'BlobImmutableDueToPolicy',
  'ContainerBeingDeleted',
])

interface Operating {
  readonly request: BytesRequest
  readonly call: Call
  readonly body: BodyReader
  /** Aborted when the link ends during the request. */
  readonly ended: AbortController
}

async function operate(ports: BlobHandlerPorts, { request, call, body, ended }: Operating): Promise<BytesAnswer> {
  const { uploads, signer, clock, stillHeld } = ports
  const { method, params, query, headers } = request
  const { container = '', blob = '' } = params
  const link = signer.check(container, blob, query, clock.now())
  if (typeof link === 'string') throw new BlobFault('AuthenticationFailed', undefined, `the upload address is ${link}`)
  if (!(await stillHeld(link.holder))) throw addressEnded()
  assertVersion(headers['x-ms-version'])
  const operation = operationOf(method, query, headers)
  if (!link.permissions.includes(operation.needs)) return refuse('AuthorizationPermissionMismatch')
  for (const name of UNSUPPORTED_QUERY) if (query[name] !== undefined) refuse('UnsupportedQueryParameter')
  for (const name of UNSUPPORTED_HEADERS) if (headers[name] !== undefined) refuse('UnsupportedHeader')
  if (headers['x-ms-lease-id'] !== undefined) return refuse('LeaseNotPresentWithBlobOperation')
  const upload = await uploads.find(container, blob)
  const timer = setInterval(() => {
    const end = (): void => ended.abort(addressEnded())
    stillHeld(link.holder).then((held) => {
      if (!held) end()
    }, end)
  }, RECHECK_MILLIS)
  timer.unref()
  try {
    return await operation.run({ request, call, body, uploads, upload })
  } finally {
    clearInterval(timer)
  }
}

const addressEnded = (): BlobFault => new BlobFault('AuthenticationFailed', undefined, 'the upload address was ended')

/** Headers that would change the meaning of a request, such as a copy or a customer's key. They are refused, never ignored. */
const UNSUPPORTED_HEADERS = [
  'x-ms-copy-source',
  'x-ms-encryption-key',
  'x-ms-encryption-scope',
  'x-ms-if-tags',
  'x-ms-tags',
  'content-encoding',
  'x-ms-immutability-policy-until-date',
  'x-ms-legal-hold',
]
const UNSUPPORTED_QUERY = ['snapshot', 'versionid', 'restype']

interface Operation {
  readonly needs: 'r' | 'w'
  readonly run: (exchange: Exchange) => Promise<BytesAnswer>
}

/** Decisions 6: an unknown `comp=` is 400 and never a Put Blob. */
function operationOf(
  method: string,
  query: Readonly<Record<string, string>>,
  headers: BytesRequest['headers'],
): Operation {
  const { comp } = query
  if (method === 'PUT') {
    if (comp === 'block') return { needs: 'w', run: putBlock }
    if (comp === 'blocklist') return { needs: 'w', run: putBlockList }
    if (comp !== undefined) return refuse('InvalidQueryParameterValue', 'comp is not known here.')
    if (headers['x-ms-blob-type'] === undefined) return refuse('MissingRequiredHeader', 'x-ms-blob-type')
    if (headers['x-ms-blob-type'] !== 'BlockBlob') return refuse('InvalidHeaderValue', 'x-ms-blob-type')
    return { needs: 'w', run: putBlob }
  }
  if (method !== 'GET' && method !== 'HEAD') return refuse('UnsupportedHttpVerb')
  if (comp === 'blocklist' && method === 'GET') return { needs: 'r', run: getBlockList }
  if (comp !== undefined) return refuse('InvalidQueryParameterValue', 'comp is not known here.')
  if (method === 'HEAD') return { needs: 'r', run: getProperties }
  // Originals are downloaded only through the document service, which checks access.
  return refuse('AuthorizationPermissionMismatch')
}

const OLDEST_VERSION = '2021-01-01'

function assertVersion(version: string | string[] | undefined): void {
  if (version === undefined) return
  if (typeof version !== 'string' || !/^\d{4}-\d\d-\d\d$/.test(version) || version < OLDEST_VERSION)
    refuse('InvalidHeaderValue', 'x-ms-version')
}

const PRINTABLE = /^[\x20-\x7e]{1,1024}$/

function commonHeaders({ headers }: BytesRequest, call: Call, now: number): Record<string, string> {
  const common: Record<string, string> = {
    'x-ms-request-id': call.correlationId,
    'x-ms-version': String(headers['x-ms-version'] ?? '2021-12-02').slice(0, 32),
    date: new Date(now).toUTCString(),
  }
  const client = headers['x-ms-client-request-id']
  if (typeof client === 'string' && PRINTABLE.test(client)) common['x-ms-client-request-id'] = client
  return common
}

function refusalAnswer(method: string, fault: BlobFault, headers: Record<string, string>, now: number): BytesAnswer {
  const named = { ...headers, 'x-ms-error-code': fault.code, ...(fault.status === 503 ? { 'retry-after': '5' } : {}) }
  if (method === 'HEAD') return { status: fault.status, headers: named }
  const body = errorXml(fault, headers['x-ms-request-id'] ?? '', now)
  return {
    status: fault.status,
    headers: { ...named, 'content-type': 'application/xml', 'content-length': String(Buffer.byteLength(body)) },
    body,
  }
}
