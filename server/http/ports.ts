/** What the frame needs of the rest of the house. app.ts supplies it; nothing here is built by the frame itself. */
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
  /** Parsed by the contract of the route; null: they break it, and whoever may not be told more is refused. */
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

/** Who asks, and why not. A refusal carries a Fault `Unauthorized` (401) or `Forbidden` (403, with `reason` for the ledger). */
export interface Authorized {
  /** Null: nobody signed in. With a refusal: whoever was recognised all the same. */
  readonly principal: Principal | null
  readonly refusal?: Fault
  /** Of a route of kind `level` on evidence: what the caller holds. */
  readonly decision?: Decision
  /** Whether it would still be answered now; asked every few seconds while an answer goes on (event streams). */
  readonly still?: () => Promise<boolean>
  /** Whether the account is still enabled; asked every few seconds while bytes go out, which a lock or the end of a token does not cut. */
  readonly enabled?: () => Promise<boolean>
}

/** Checks a route's declared permission. Rejects only when something is broken. */
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
  /** Appends in the next group commit (decisions 12); resolves when it is durable. */
  record(call: Call, entry: HttpLedgerEntry): Promise<unknown>
  /** Counts a denial of nobody in particular: one entry per source and minute (decisions 12). */
  tally(call: Call, entry: HttpLedgerEntry): void
}

/** `read-only`: nothing that writes is let in (disk, unknown outcome). `not-ready`: nothing but the operations interface. */
export type Mode = 'ready' | 'read-only' | 'not-ready'

export const ANONYMOUS: Principal = { kind: 'anonymous', id: '', name: 'anonymous', kId: '' }
