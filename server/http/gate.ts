/**
 * The way in, before everything else (promise L5): who is over their rate and whom there is no place for is refused here, for less than a
 * tenth of what the cheapest answer costs. Nothing is routed, looked up or written down for them; health, readiness and figures are
 * answered always.
 */
import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { Fault } from '../../shared/kernel/errors.ts'
import type { RouteDefinition } from '../../shared/kernel/route.ts'
import type { Log } from '../platform/log/log.ts'
import { type Admission, createAdmission, type Lane, TICK } from './admission.ts'
import { faultAnswer, interfaceOfPath } from './errors.ts'
import { closeLingering, type Observed, saneCorrelationId } from './middleware/begin.ts'
import { SECURITY_HEADERS } from './middleware/security-headers.ts'
import type { RateLimiter } from './rate.ts'
import type { Place, Places } from './routing.ts'
import { pathOf } from './target.ts'

export interface Gate {
  /** @returns false: it was refused and answered */
  enter(request: IncomingMessage, response: ServerResponse): boolean
  /** Ends the timer. */
  stop(): void
}

interface Deps {
  readonly places: Places
  readonly rate: Pick<RateLimiter, 'spent'>
  /** Whether a path is a file of the pages. */
  readonly isPage: (path: string) => boolean
  readonly observe: (request: Observed) => void
  readonly log: Log
  readonly stopping: () => boolean
  readonly admission?: Admission
}

/** Those who are refused together must not all come back together. */
const BUSY = [1, 2, 3].map(
  (retryAfter) => new Fault('NotReady', 'The station has more to do than it can at the moment.', { retryAfter }),
)
/** Milliseconds between two lines of the log about it. */
const SAY_EVERY = 10_000

export function createGate(deps: Deps): Gate {
  const { rate, log, isPage } = deps
  const admission = deps.admission ?? createAdmission()
  const ways = new Map(deps.places.values().map((place) => [place, wayTo(place)]))
  const refused = { busy: 0, spent: 0 }
  let last = performance.now()
  let said = last

  const timer = setInterval(() => {
    const now = performance.now()
    admission.tick(now - last - TICK)
    last = now
    // Not a line for each of them: that would be work for nobody.
    if (refused.busy + refused.spent === 0 || now - said < SAY_EVERY) return
    log.warn(
      { ...refused, ...admission.state() },
      'requests were refused: more was asked than is allowed or can be done',
    )
    refused.busy = 0
    refused.spent = 0
    said = now
  }, TICK)
  timer.unref()

  const refusalOf = (request: IncomingMessage, response: ServerResponse): Fault | null => {
    const path = pathOf(request.url ?? '')
    const place = deps.places.find(path)?.value
    const way = place === undefined ? undefined : ways.get(place)
    const { always, counted, lane } = way ?? (isPage(path) ? PAGE : ORDINARY)
    if (always) return null
    const { authorization } = request.headers
    const overRate = counted && authorization !== undefined ? rate.spent(authorization) : null
    if (overRate !== null) {
      refused.spent++
      return overRate
    }
    if (admission.enter(lane, request, response)) return null
    refused.busy++
    return BUSY[Math.floor(Math.random() * BUSY.length)] as Fault
  }

  return {
    enter: (request, response) => {
      const fault = refusalOf(request, response)
      if (fault === null) return true
      refuse(request, response, fault, deps.stopping())
      deps.observe({ route: 'refused', method: request.method ?? '', status: response.statusCode, seconds: 0 })
      return false
    },
    stop: () => clearInterval(timer),
  }
}

interface Way {
  readonly lane: Lane
  /** Against the rate. */
  readonly counted: boolean
  /** Operations: whoever looks whether the station is well must learn it. */
  readonly always: boolean
}
const ORDINARY: Way = { lane: 'work', counted: true, always: false }
const PAGE: Way = { lane: 'apart', counted: false, always: false }

const wayOf = (route: RouteDefinition): Way => ({
  lane: route.interface === 'blob' || route.offers?.includes('text/event-stream') === true ? 'apart' : 'work',
  counted: route.uncounted !== true,
  always: route.interface === 'operations',
})

/** By path alone. Where methods of one path differ it counts as the freest of them: what is let in too much is still counted behind the gate. */
function wayTo({ byMethod }: Place): Way {
  const ways = [...byMethod.values()].map(({ bound }) => wayOf(bound.route))
  return {
    lane: ways.some(({ lane }) => lane === 'apart') ? 'apart' : 'work',
    counted: ways.every(({ counted }) => counted),
    always: ways.some(({ always }) => always),
  }
}

/** Not through the framework: what is refused must cost next to nothing. The answer is the same as anybody's. */
function refuse(request: IncomingMessage, response: ServerResponse, fault: Fault, stopping: boolean): void {
  const correlationId = saneCorrelationId(request) ?? randomUUID()
  const { status, headers, body } = faultAnswer(fault, {
    interface: interfaceOfPath(pathOf(request.url ?? '')),
    correlationId,
    routed: false,
    credentials: request.headers.authorization !== undefined,
  })
  const text = typeof body === 'string' ? body : ''
  response.writeHead(status, {
    ...SECURITY_HEADERS,
    ...headers,
    'X-Correlation-Id': correlationId,
    'Content-Length': Buffer.byteLength(text),
    ...(stopping ? { Connection: 'close' } : {}),
  })
  response.once('finish', () => closeLingering(request, response))
  response.end(request.method === 'HEAD' ? undefined : text)
}
