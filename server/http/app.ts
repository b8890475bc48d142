import type { IncomingMessage, ServerResponse } from 'node:http'
import Koa from 'koa'
import { fault } from '../../shared/kernel/errors.ts'
import type { Database } from '../kernel/database/database.ts'
import type { BoundRoute } from './handlers.ts'
import type { BytesAnswer, BytesRequest } from './bytes.ts'
import type { Clock } from '../platform/clock/clock.ts'
import type { Log } from '../platform/log/log.ts'
import type { FindTenant } from '../kernel/tenant.ts'
import { createServe } from './bind.ts'
import { type BodyLimits, type BodyReader, readHere } from './body.ts'
import type { FrameContext, FrameState, Middleware } from './context.ts'
import { faults, type Translate } from './errors.ts'
import { createGate } from './gate.ts'
import { createIdempotency, createRequestHash } from './idempotency.ts'
import { begin, type Observed, securityHeaders } from './begin.ts'
import { hostAndOrigin, type MayShare } from './host.ts'
import type { Authorize, HttpLedger, Mode } from './ports.ts'
import { createRateLimiter, type RateLimits } from './limits.ts'
import { createRouting, placesOf } from './routing.ts'
import { firstOfEach, parseQuery } from './read-request.ts'
import { send } from './wire.ts'

export interface AppDeps {
  readonly routes: readonly BoundRoute[]
  readonly authorize: Authorize
  readonly ledger: HttpLedger
  readonly database: Pick<Database, 'read'>
  readonly station: StationPorts
  readonly settings: AppSettings
}

/** What the frame asks of the running station. */
export interface StationPorts {
  /** All configured origins of the listener on loopback, or of the LAN's listener (`secure`); see `loopbackOrigins`. */
  readonly origins: (secure: boolean) => readonly string[]
  readonly mode: () => Mode
  /** Why the mode refuses requests, for people; null: there is no more to say. */
  readonly whyRefused?: (() => string | null) | undefined
  readonly tenant: FindTenant
  /** A proxy stands in front of the station, see `arrivalOf`. Default: false. */
  readonly publicUrlIsForeign?: boolean
  /** Networks of the proxies whose X-Forwarded-For counts. Default: none. */
  readonly proxies?: readonly string[]
  readonly clock: Clock
  readonly log: Log
  /** See `createRequestHash`. */
  readonly secretsKey?: Uint8Array
  readonly observe?: (request: Observed) => void
  /** Default: all bodies are read on the event loop. */
  readonly bodies?: BodyReader
  readonly translate?: Translate
  /** Which pages of other origins may read answers of CAD push. Default: none. */
  readonly mayShare?: MayShare
  /** The UI's files and their fallback, for GET outside the API's prefixes; null where it has none. */
  readonly site?: (request: BytesRequest) => Promise<BytesAnswer | null>
}

export interface AppSettings extends BodyLimits, RateLimits {
  readonly strictResponses: boolean
}

export interface App {
  /** For node:http and node:https. */
  readonly listener: (request: IncomingMessage, response: ServerResponse) => void
  /** From this call on, answers close their connections and event streams end. */
  stop(): void
  /** Aborts the requests that are still running. */
  abort(): void
  /** Aborted when the app stops; for event streams. */
  readonly stopping: AbortSignal
}

/** Milliseconds that a JSON body may take to arrive (promise U8). */
export const BODY_MILLIS = 30_000

export function createApp(deps: AppDeps): App {
  const { station, settings } = deps
  const stopping = new AbortController()
  const end = new AbortController()
  const rate = createRateLimiter(settings, station.clock)
  const serve = createServe({
    authorize: deps.authorize,
    ledger: deps.ledger,
    rate,
    idempotency: createIdempotency(deps.database, station.clock),
    requestHash: createRequestHash(station.secretsKey),
    mode: station.mode,
    whyRefused: station.whyRefused,
    limits: settings,
    bodies: station.bodies ?? readHere,
    strictResponses: settings.strictResponses,
    tenant: station.tenant,
    stopping: stopping.signal,
  })

  const observe = station.observe ?? (() => {})
  const isStopping = (): boolean => stopping.signal.aborted
  const places = placesOf(deps.routes)
  const gate = createGate({
    places,
    rate,
    isPage: (path) => station.site !== undefined && isPage(path),
    observe,
    log: station.log,
    stopping: isStopping,
  })

  const koa = new Koa<FrameState>({ env: 'production' })
  // Koa's own handler would print stacks. Errors that arrive here came after the reply.
  koa.on('error', (error: unknown) => station.log.debug({ err: error }, 'after the reply'))
  const layers: Middleware[] = [
    begin({
      log: station.log,
      observe,
      stopping: isStopping,
      end: end.signal,
      publicUrlIsForeign: station.publicUrlIsForeign ?? false,
      proxies: station.proxies ?? [],
    }),
    securityHeaders,
    faults(station.translate),
    hostAndOrigin(station.origins, station.mayShare),
    createRouting(places, serve),
    fallback(station.site),
  ]
  for (const layer of layers) koa.use((ctx, next) => layer(ctx as unknown as FrameContext, next))
  const handle = koa.callback()
  return {
    listener: (request, response) => {
      if (gate.enter(request, response)) void handle(request, response)
    },
    stop: () => {
      gate.stop()
      stopping.abort()
    },
    abort: () => end.abort(),
    stopping: stopping.signal,
  }
}

/** An unknown path with one of these prefixes gets 404 as JSON, whatever the client accepts (decisions 1). */
const API_PREFIXES = new Set(
  'api connect blob documentstore keystore cadservice customfieldservice searchservice userservice .well-known'.split(
    ' ',
  ),
)

const isPage = (path: string): boolean => !API_PREFIXES.has(path.split('/', 2)[1] ?? '')

function fallback(site: StationPorts['site']): Middleware {
  return async (ctx) => {
    const { req, state } = ctx
    const url = req.url ?? ''
    const reading = ctx.method === 'GET' || ctx.method === 'HEAD'
    if (site !== undefined && reading && isPage(ctx.path)) {
      const query = firstOfEach(parseQuery(url))
      const answer = await site({
        method: ctx.method,
        params: {},
        query,
        headers: req.headers,
        url,
        origin: state.origin,
        body: req,
        signal: state.signal,
      })
      if (answer !== null) return send(ctx, answer)
    }
    throw fault('NotFound', 'There is nothing at this address.')
  }
}
