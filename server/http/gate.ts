/**
 * The way in, before everything else (promise L5): who is over their rate and whom there is no place for is refused here, for less than a
 * tenth of what the cheapest answer costs. Nothing is routed, looked up or written down for them; health, readiness and figures are
 * answered always.
 */
import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { Fault } from '../../shared/kernel/errors.ts'
import type { Interface, RouteDefinition } from '../../shared/kernel/route.ts'
import type { Log } from '../platform/log/log.ts'
import { type Admission, createAdmission, type Lane, TICK } from './admission.ts'
import { hasBody } from './body.ts'
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
/**
 * Milliseconds that a refusal waits before it is told. A client that asks again at once costs the station a tenth of an answer each time:
 * ten thousand of them a second would take a fifth of what it can do for others.
 */
const HOLD = 100
/** More than these are told at once: they take memory. */
const MOST_HELD = 2_048
/** Milliseconds between two lines of the log about it. */
const SAY_EVERY = 10_000

export function createGate(deps: Deps): Gate {
  const { rate, log, isPage } = deps
  const admission = deps.admission ?? createAdmission()
  const ways = new Map(deps.places.values().map((place) => [place, wayTo(place)]))
  const refused = { busy: 0, spent: 0 }
  const tally = createTally(deps.observe)
  let last = performance.now()
  let said = last

  const held: Refused[] = []
  const answer = ({ request, response, fault }: Refused): void => {
    refuse(request, response, fault, deps.stopping())
    tally.add(request.method ?? '', response.statusCode)
  }
  const timer = setInterval(() => {
    const now = performance.now()
    const younger = held.findIndex(({ since }) => now - since < HOLD)
    held.splice(0, younger === -1 ? held.length : younger).forEach(answer)
    admission.tick(now - last - TICK)
    last = now
    tally.tell()
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
      const one = { request, response, fault, since: performance.now() }
      // Who is over their rate hears it at once.
      if (BUSY.includes(fault) && held.length < MOST_HELD && !deps.stopping()) held.push(one)
      else answer(one)
      return false
    },
    stop: () => {
      clearInterval(timer)
      held.splice(0).forEach(answer)
      tally.tell()
    },
  }
}

interface Refused {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly fault: Fault
  /** Milliseconds that never go back. */
  readonly since: number
}

/** Counts refusals, and tells the figures of them all at once: telling each would be a tenth of what a refusal costs. */
function createTally(observe: Deps['observe']) {
  const counts = new Map<string, { readonly method: string; readonly status: number; count: number }>()
  return {
    add: (method: string, status: number): void => {
      const key = `${status} ${method}`
      const known = counts.get(key)
      if (known === undefined) counts.set(key, { method, status, count: 1 })
      else known.count++
    },
    tell: (): void => {
      for (const { method, status, count } of counts.values())
        observe({ route: 'refused', method, status, seconds: 0, count })
      counts.clear()
    },
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
  const known = interfaceOfPath(pathOf(request.url ?? ''))
  const credentials = request.headers.authorization !== undefined
  const { status, headers, body } = refusalAnswer(fault, known, credentials)
  const text = body.replaceAll(ANY_ID, correlationId)
  const lines = headers.map((line) => (line === ANY_ID ? correlationId : line))
  lines.push('Content-Length', String(Buffer.byteLength(text)))
  if (stopping) lines.push('Connection', 'close')
  response.writeHead(status, lines)
  // A request without a body is complete in a moment.
  if (hasBody(request)) response.once('finish', () => closeLingering(request, response))
  if (request.method === 'HEAD') response.end()
  // All of it is ASCII, and is written without being encoded.
  else response.end(text, 'latin1')
}

/** Stands for the correlation id in an answer that is kept. */
const ANY_ID = '00000000-0000-0000-0000-000000000000'

interface RefusalAnswer {
  readonly status: number
  /** Names and values in turn. */
  readonly headers: readonly string[]
  readonly body: string
}

/** Answers to faults that are told again and again, by what they depend on. */
const kept = new WeakMap<Fault, Map<string, RefusalAnswer>>(BUSY.map((fault) => [fault, new Map()]))

function refusalAnswer(fault: Fault, known: Interface, credentials: boolean): RefusalAnswer {
  const answers = kept.get(fault)
  const key = `${known} ${credentials}`
  const there = answers?.get(key)
  if (there !== undefined) return there
  const place = { interface: known, correlationId: ANY_ID, routed: false, credentials }
  const { status, headers, body } = faultAnswer(fault, place)
  if (typeof body === 'string' && /[^\x20-\x7e]/.test(body)) throw new Error('A refusal at the gate is told in ASCII')
  const all = { ...SECURITY_HEADERS, ...headers, 'X-Correlation-Id': ANY_ID }
  const made = { status, headers: Object.entries(all).flat(), body: typeof body === 'string' ? body : '' }
  answers?.set(key, made)
  return made
}
