/** What the frame keeps beside a request while it is under way. Handlers never see it. */
import type { ParameterizedContext } from 'koa'
import type { Arrival } from '../kernel/ledger/call.ts'
import type { RouteDefinition } from '../../shared/kernel/route.ts'
import type { Principal } from '../../shared/kernel/principal.ts'
import type { Log } from '../platform/log/log.ts'

export interface FrameState {
  correlationId: string
  /** Remote address. */
  source: string
  arrival: Arrival
  /** Configured origin that Host matched; empty until it did. */
  origin: string
  signal: AbortSignal
  /** Aborts `signal`: for answers that would go on for ever when the station stops. */
  leave: () => void
  log: Log
  /** True while the station stops: replies then end their connections. */
  stopping: () => boolean
  route?: RouteDefinition
  principal?: Principal
}

export type FrameContext = ParameterizedContext<FrameState>
export type Next = () => Promise<unknown>
export type Middleware = (ctx: FrameContext, next: Next) => Promise<void>
