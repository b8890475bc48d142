/** State of the frame for each request. Handlers do not see it. */
import type { ParameterizedContext } from 'koa'
import type { Arrival } from '../kernel/ledger/call.ts'
import type { RouteDefinition } from '../../shared/kernel/route.ts'
import type { Principal } from '../../shared/kernel/principal.ts'
import type { Log } from '../platform/log/log.ts'
import type { BoundRoute } from './handlers.ts'

export interface FrameState {
  correlationId: string
  /** Remote address. */
  source: string
  arrival: Arrival
  /** The configured origin that `Host` matched; empty until it is checked. */
  origin: string
  signal: AbortSignal
  /** Aborts `signal`; ends answers without an end of their own when the station stops. */
  abort: () => void
  log: Log
  /** True while the station stops. Answers then close their connections. */
  stopping: () => boolean
  route?: RouteDefinition
  principal?: Principal
}

export type FrameContext = ParameterizedContext<FrameState>
export type Next = () => Promise<unknown>
export type Middleware = (ctx: FrameContext, next: Next) => Promise<void>

/** Serves a request of a matched route. @param segments parameters of the path, still percent-encoded */
export type Serve = (ctx: FrameContext, bound: BoundRoute, segments: Readonly<Record<string, string>>) => Promise<void>
