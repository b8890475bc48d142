/** Turns faults into replies; the only place that does (decisions 2). Replies never contain stacks, SQL or paths of the machine. */
import { Fault, type FaultCode, FAULTS } from '../../shared/kernel/errors.ts'
import type { Interface } from '../../shared/kernel/route.ts'
import { UnknownOutcome } from '../kernel/database/database.ts'
import { isAway, SqlFailure } from '../kernel/database/sqlite/sql-connection.ts'
import { LedgerBusy } from '../kernel/ledger/group-commit.ts'
import type { Middleware } from './context.ts'
import { send, type WireAnswer } from './wire.ts'

export const JSON_TYPE = 'application/json; charset=utf-8'

/** Codes of the HTTP layer, which keep their own status on the case service (decisions 2). */
const FRAME_CODES: ReadonlySet<FaultCode> = new Set<FaultCode>([
  'MethodNotAllowed',
  'NotAcceptable',
  'BodyTooLarge',
  'UnsupportedMediaType',
  'HostNotAllowed',
  'TooManyRequests',
  'ServerError',
  'StorageFull',
  'ReadOnly',
  'NotReady',
  'RequestTimeout',
])

// Codes of SQLite, and SQLSTATE of PostgreSQL.
const FULL: ReadonlySet<string> = new Set(['SQLITE_FULL', '53100'])
/** A text with NUL, by itself and as an escape within JSON. */
const NOT_STORABLE: ReadonlySet<string> = new Set(['22021', '22P05'])
const TOO_MANY_CONNECTIONS = '53300'

/** Translates failures of parts that the frame does not know, such as the blob store. Null: unknown to this translation. */
export type Translate = (error: unknown) => Fault | null

/** The fault that the caller gets for any thrown value. */
export function faultOf(error: unknown, translate: Translate = () => null): Fault {
  if (error instanceof Fault) return error
  const translated = translate(error)
  if (translated !== null) return translated
  if (error instanceof UnknownOutcome) {
    return new Fault(
      'ReadOnly',
      'The disk failed under a commit. Send the request again with the same Idempotency-Key.',
      {
        retryAfter: 10,
        cause: error,
      },
    )
  }
  if (error instanceof SqlFailure && FULL.has(error.code)) {
    return new Fault('StorageFull', 'The disk is full.', { retryAfter: 60, cause: error })
  }
  if (error instanceof SqlFailure && NOT_STORABLE.has(error.code))
    return new Fault('InvalidModel', 'A text holds the character NUL, which cannot be stored.', { cause: error })
  if (error instanceof SqlFailure && (isAway(error) || error.code === TOO_MANY_CONNECTIONS)) {
    return new Fault('NotReady', 'The database does not answer at the moment. Send the request again.', {
      retryAfter: 2,
      cause: error,
    })
  }
  if (error instanceof LedgerBusy) {
    return new Fault('NotReady', 'The station has too many ledger entries to write at the moment.', {
      retryAfter: 2,
      cause: error,
    })
  }
  return new Fault('ServerError', 'The station could not answer. Its log has the reason, with the correlation id.', {
    cause: error,
  })
}

interface FaultPlace {
  /** The interface of the route, or of the path's prefix when no route matched. */
  readonly interface: Interface
  readonly correlationId: string
  /** Whether a route matched. Otherwise the statuses of HTTP apply on every interface. */
  readonly routed: boolean
  /** Whether the request had credentials. */
  readonly credentials: boolean
}

export function faultAnswer(fault: Fault, place: FaultPlace): WireAnswer {
  const { interface: known, correlationId } = place
  const headers: Record<string, string> = { 'Cache-Control': 'no-store', ...fault.headers }
  const status = place.routed ? statusOn(known, fault.code) : FAULTS[fault.code]
  const code = codeOn(known, fault.code)
  if (status === 401) headers['WWW-Authenticate'] = challenge(place.credentials)
  const wait = fault.retryAfter ?? (status === 429 ? 1 : status === 503 ? 10 : undefined)
  if (wait !== undefined) headers['Retry-After'] = String(Math.max(1, Math.ceil(wait)))
  if (known === 'case' && (status === 401 || status === 403)) return { status, headers }
  if (known === 'blob') return blobError(fault, status, headers, correlationId)
  headers['Content-Type'] = JSON_TYPE
  return { status, headers, body: JSON.stringify(model(code, fault, known, correlationId)) }
}

/** The status of a code on an interface (decisions 2). On the case service all refusals of operations are 400. */
export function statusOn(known: Interface, code: FaultCode): number {
  const status = FAULTS[code]
  if (known !== 'case') return status
  // The operation did not run. The caller may send the request again.
  if (code === 'IdempotencyKeyInProgress') return 503
  return FRAME_CODES.has(code) || status === 401 || status === 403 ? status : 400
}

/** The case service has no code for another body under a used key (decisions 1). */
const codeOn = (known: Interface, code: FaultCode): FaultCode =>
  known === 'case' && code === 'IdempotencyKeyReused' ? 'InvalidModel' : code

function challenge(credentials: boolean): string {
  // RFC 6750 3.1: no error code when the request had no credentials.
  return credentials ? 'Bearer realm="sallyport", error="invalid_token"' : 'Bearer realm="sallyport"'
}

function model(code: FaultCode, fault: Fault, known: Interface, correlationId: string): Record<string, unknown> {
  const Details = fault.details.map(({ Path, Message }) => ({ Path, Message }))
  if (known === 'template' || known === 'cad') {
    const details = Details.map(({ Path, Message }) => ({ path: Path, message: Message }))
    return { errorCode: code, message: fault.message, details, correlationId }
  }
  const pascal = { ErrorCode: code, Message: fault.message, Details, CorrelationId: correlationId }
  // RFC 6749 5.2 requires these two members and allows others.
  return known === 'token' ? { error: oauthCode(code), error_description: printable(fault.message), ...pascal } : pascal
}

function oauthCode(code: FaultCode): string {
  if (code === 'Unauthorized') return 'invalid_token'
  const status = FAULTS[code]
  if (status === 503 || status === 429) return 'temporarily_unavailable'
  return status >= 500 ? 'server_error' : 'invalid_request'
}

/** RFC 6749 allows only printable ASCII without quote and backslash in error_description. */
const printable = (text: string): string => text.replaceAll(/[^ !#-[\]-~]/g, "'")

/** The Block Blob protocol answers in XML, with its code in a header (decisions 6). */
function blobError(fault: Fault, status: number, headers: Record<string, string>, correlationId: string): WireAnswer {
  const code = BLOB_CODES[fault.code] ?? (status >= 500 ? 'InternalError' : 'InvalidInput')
  const body = `<?xml version="1.0" encoding="utf-8"?><Error><Code>${code}</Code><Message>${xml(fault.message)}</Message></Error>`
  return {
    status,
    headers: {
      ...headers,
      'Content-Type': 'application/xml',
      'x-ms-error-code': code,
      'x-ms-request-id': correlationId,
    },
    body,
  }
}

const BLOB_CODES: Partial<Record<FaultCode, string>> = {
  Unauthorized: 'NoAuthenticationInformation',
  Forbidden: 'AuthenticationFailed',
  NotFound: 'ResourceNotFound',
  EvidenceNotFound: 'ResourceNotFound',
  ResourceNotFound: 'ResourceNotFound',
  MethodNotAllowed: 'UnsupportedHttpVerb',
  BodyTooLarge: 'RequestBodyTooLarge',
  TooManyRequests: 'ServerBusy',
  StorageFull: 'ServerBusy',
  ReadOnly: 'ServerBusy',
  NotReady: 'ServerBusy',
}

const xml = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

/** Paths under `/connect` that pages of the station use; they belong to the user interface, not to the token service. */
const PAGE_PATHS: ReadonlySet<string> = new Set(['session', 'setup', 'account', 'authorization', 'authorizations'])

/** For paths that no route matched. */
export function interfaceOfPath(path: string): Interface {
  const first = path.split('/', 4)
  switch (first[1]) {
    case 'customfieldservice':
      return 'template'
    case 'cadservice':
      return 'cad'
    case 'blob':
      return 'blob'
    case 'connect':
      return PAGE_PATHS.has(first[2] ?? '') ? 'user' : 'token'
    case 'api':
      return first[3] === 'tenant' ? 'document' : 'case'
    default:
      return 'operations'
  }
}

/** Turns errors of the inner layers into replies. Failures of the station (500 and above) are logged with their cause. */
export const faults =
  (translate?: Translate): Middleware =>
  async (ctx, next) => {
    try {
      await next()
    } catch (error) {
      const { correlationId, log, route, signal } = ctx.state
      // The client is gone, and the handler was stopped by its signal: nothing to answer and nothing to log.
      if (signal.aborted && ctx.res.destroyed) return
      const fault = faultOf(error, translate)
      if (FAULTS[fault.code] >= 500)
        log.error({ correlationId, route: route?.id, code: fault.code, err: fault.cause ?? error }, 'a request failed')
      if (ctx.res.headersSent) {
        ctx.res.destroy()
        return
      }
      const credentials = ctx.req.headers.authorization !== undefined
      await send(
        ctx,
        faultAnswer(fault, {
          interface: route?.interface ?? interfaceOfPath(ctx.path),
          correlationId,
          routed: route !== undefined,
          credentials,
        }),
      )
    }
  }
