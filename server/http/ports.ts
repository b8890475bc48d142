/** What the frame needs from other parts of the station. app.ts supplies it. */
import type { IncomingHttpHeaders } from 'node:http'
import type { Fault } from '../../shared/kernel/errors.ts'
import type { Action } from '../../shared/kernel/ledger-actions.ts'
import type { RouteDefinition } from '../../shared/kernel/route.ts'
import type { Principal } from '../../shared/kernel/principal.ts'
import type { Arrival, Call } from '../kernel/ledger/call.ts'
import type { Decision } from '../kernel/access/decision.ts'

export interface AuthorizeRequest {
  readonly method: string
  readonly headers: IncomingHttpHeaders
  /** Parsed by the contract of the route; null when they break it. A caller without the right to see the problems is then refused. */
  readonly params: Readonly<Record<string, string>> | null
  /** Likewise. */
  readonly query: Readonly<Record<string, unknown>> | null
  /** The member `apikey` of the query, as sent. */
  readonly apiKey?: string | undefined
  /** Remote address. */
  readonly source: string
  readonly arrival: Arrival
  readonly origin: string
  readonly correlationId: string
}

/** The caller and, where applicable, the refusal: a Fault `Unauthorized` (401) or `Forbidden` (403, with `reason` for the ledger). */
export interface Authorized {
  /** Null when nobody is signed in. Refused callers are named too when they were recognised. */
  readonly principal: Principal | null
  readonly refusal?: Fault
  /** For routes of kind `level` on evidence: the level of the caller. */
  readonly decision?: Decision
  /** Whether the request would still be allowed; called every few seconds during an event stream. */
  readonly isStillAllowed?: () => Promise<boolean>
  /** Whether the account is still enabled; called every few seconds during a download. A lock or the end of a token does not end downloads. */
  readonly isStillEnabled?: () => Promise<boolean>
}

/** Checks the permission that a route declares. Refusals are returned; a rejection means an internal failure. */
export type Authorize = (route: RouteDefinition, request: AuthorizeRequest) => Promise<Authorized>

export interface HttpLedgerEntry {
  readonly action: Action
  readonly object: { readonly type: string; readonly id: string; readonly name: string }
  readonly outcome: 'ok' | 'denied' | 'failed'
  readonly reason?: string
  readonly bytes?: number
  readonly sha256?: string
  readonly detail?: Readonly<Record<string, unknown>>
}

export interface HttpLedger {
  /** Appends the entry in the next group commit (decisions 12). Resolves when it is durable. */
  record(call: Call, entry: HttpLedgerEntry): Promise<unknown>
  /** Counts a denial of a caller that was not recognised: one entry for each source and minute (decisions 12). */
  tally(call: Call, entry: HttpLedgerEntry): void
}

/** `read-only`: requests that write are refused (disk full, unknown outcome). `not-ready`: only the operations interface answers. */
export type Mode = 'ready' | 'read-only' | 'not-ready'

export const ANONYMOUS: Principal = { kind: 'anonymous', id: '', name: 'anonymous', kId: '' }
