/**
 * The first check of each request (promise L5). Requests over the caller's rate, or without a free place, are refused here for less than a
 * tenth of the cost of the cheapest answer: without routing, database or ledger. Health, readiness and metrics are always answered.
 */
import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { Fault } from '../../shared/kernel/errors.ts'
import type { Interface, RouteDefinition } from '../../shared/kernel/route.ts'
import type { Log } from '../platform/log/log.ts'
import { type Admission, createAdmission, type RateLimiter, type RequestClass, TICK } from './limits.ts'
import { hasBody } from './body.ts'
import { faultAnswer, interfaceOfPath } from './errors.ts'
import { closeLingering, type Observed, saneCorrelationId, SECURITY_HEADERS } from './begin.ts'
import type { Place, Places } from './routing.ts'
import { pathOf } from './read-request.ts'

export interface Gate {
  /** @returns false when the request was refused; the gate answers it */
  enter(request: IncomingMessage, response: ServerResponse): boolean
  /** Stops the timer and answers the delayed refusals. */
  stop(): void
}

interface Deps {
  readonly places: Places
  readonly rate: Pick<RateLimiter, 'earlierRefusal'>
  /** Whether the path belongs to the pages of the UI. */
  readonly isPage: (path: string) => boolean
  readonly observe: (request: Observed) => void
  readonly log: Log
  readonly stopping: () => boolean
  readonly admission?: Admission
}

/** Different times, so that clients that were refused together do not return together. */
const BUSY = [1, 2, 3].map(
  (retryAfter) => new Fault('NotReady', 'The station is overloaded at the moment.', { retryAfter }),
)
/**
 * Milliseconds before a refusal is sent. A client that repeats its request at once costs a tenth of an answer each time: ten thousand such
 * requests a second would take a fifth of the station's capacity.
 */
const DELAY = 100
/** Refusals beyond this number are sent at once, since delayed ones take memory. */
const MOST_DELAYED = 2_048
/** Milliseconds between two log lines about refusals. */
const LOG_EVERY = 10_000

export function createGate(deps: Deps): Gate {
  const { rate, log, isPage } = deps
  const admission = deps.admission ?? createAdmission()
  const rules = new Map(deps.places.values().map((place) => [place, ruleForPlace(place)]))
  const refused = { busy: 0, spent: 0 }
  const tally = createTally(deps.observe)
  let last = performance.now()
  let loggedAt = last

  const delayed: RefusedRequest[] = []
  const answer = ({ request, response, fault }: RefusedRequest): void => {
    refuse(request, response, fault, deps.stopping())
    tally.add(request.method ?? '', response.statusCode)
  }
  const timer = setInterval(() => {
    const now = performance.now()
    const firstYounger = delayed.findIndex(({ since }) => now - since < DELAY)
    delayed.splice(0, firstYounger === -1 ? delayed.length : firstYounger).forEach(answer)
    admission.tick(now - last - TICK)
    last = now
    tally.report()
    // One line for all refusals; a line for each would cost too much.
    if (refused.busy + refused.spent === 0 || now - loggedAt < LOG_EVERY) return
    log.warn({ ...refused, ...admission.state() }, 'requests were refused because of overload or over the rate')
    refused.busy = 0
    refused.spent = 0
    loggedAt = now
  }, TICK)
  timer.unref()

  const refusalOf = (request: IncomingMessage, response: ServerResponse): Fault | null => {
    const path = pathOf(request.url ?? '')
    const place = deps.places.find(path)?.value
    const rule = place === undefined ? undefined : rules.get(place)
    const { always, counted, requestClass: lane } = rule ?? (isPage(path) ? PAGE : ORDINARY)
    if (always) return null
    const { authorization } = request.headers
    const overRate = counted && authorization !== undefined ? rate.earlierRefusal(authorization) : null
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
      const refusedRequest = { request, response, fault, since: performance.now() }
      // Refusals for the rate are sent at once.
      if (BUSY.includes(fault) && delayed.length < MOST_DELAYED && !deps.stopping()) delayed.push(refusedRequest)
      else answer(refusedRequest)
      return false
    },
    stop: () => {
      clearInterval(timer)
      delayed.splice(0).forEach(answer)
      tally.report()
    },
  }
}

interface RefusedRequest {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly fault: Fault
  /** Milliseconds that never go back. */
  readonly since: number
}

/** Counts refusals and reports them to the metrics together. A report for each would add a tenth to the cost of a refusal. */
function createTally(observe: Deps['observe']) {
  const counts = new Map<string, { readonly method: string; readonly status: number; count: number }>()
  return {
    add: (method: string, status: number): void => {
      const key = `${status} ${method}`
      const known = counts.get(key)
      if (known === undefined) counts.set(key, { method, status, count: 1 })
      else known.count++
    },
    report: (): void => {
      for (const { method, status, count } of counts.values())
        observe({ route: 'refused', method, status, seconds: 0, count })
      counts.clear()
    },
  }
}

interface GateRule {
  readonly requestClass: RequestClass
  /** Whether the request counts against the rate. */
  readonly counted: boolean
  /** Never refused: routes of operations, which monitoring needs under overload too. */
  readonly always: boolean
}
const ORDINARY: GateRule = { requestClass: 'ordinary', counted: true, always: false }
const PAGE: GateRule = { requestClass: 'transfer', counted: false, always: false }

const ruleOf = (route: RouteDefinition): GateRule => ({
  requestClass:
    route.interface === 'blob' || route.offers?.includes('text/event-stream') === true ? 'transfer' : 'ordinary',
  counted: route.uncounted !== true,
  always: route.interface === 'operations',
})

/** The rule depends on the path alone. Where methods differ, the most permissive rule applies; the rate is checked again behind the gate. */
function ruleForPlace({ byMethod }: Place): GateRule {
  const rules = [...byMethod.values()].map(({ bound }) => ruleOf(bound.route))
  return {
    requestClass: rules.some(({ requestClass: lane }) => lane === 'transfer') ? 'transfer' : 'ordinary',
    counted: rules.every(({ counted }) => counted),
    always: rules.some(({ always }) => always),
  }
}

/** Answers without Koa, which keeps refusals cheap. The answer has the form of all others. */
function refuse(request: IncomingMessage, response: ServerResponse, fault: Fault, stopping: boolean): void {
  const correlationId = saneCorrelationId(request) ?? randomUUID()
  const known = interfaceOfPath(pathOf(request.url ?? ''))
  const credentials = request.headers.authorization !== undefined
  const { status, headers, body } = refusalAnswer(fault, known, credentials)
  const text = body.replaceAll(ID_PLACEHOLDER, correlationId)
  const lines = headers.map((line) => (line === ID_PLACEHOLDER ? correlationId : line))
  lines.push('Content-Length', String(Buffer.byteLength(text)))
  if (stopping) lines.push('Connection', 'close')
  response.writeHead(status, lines)
  // A request without a body needs no timer.
  if (hasBody(request)) response.once('finish', () => closeLingering(request, response))
  if (request.method === 'HEAD') response.end()
  // The text is ASCII, so latin1 avoids the cost of encoding.
  else response.end(text, 'latin1')
}

/** Placeholder of the correlation id in a cached answer. */
const ID_PLACEHOLDER = '00000000-0000-0000-0000-000000000000'

interface RefusalAnswer {
  readonly status: number
  /** Names and values in turn. */
  readonly headers: readonly string[]
  readonly body: string
}

/** Cached answers of the faults in `BUSY`, by interface and credentials. */
const cachedAnswers = new WeakMap<Fault, Map<string, RefusalAnswer>>(BUSY.map((fault) => [fault, new Map()]))

function refusalAnswer(fault: Fault, known: Interface, credentials: boolean): RefusalAnswer {
  const answers = cachedAnswers.get(fault)
  const key = `${known} ${credentials}`
  const cached = answers?.get(key)
  if (cached !== undefined) return cached
  const place = { interface: known, correlationId: ID_PLACEHOLDER, routed: false, credentials }
  const { status, headers, body } = faultAnswer(fault, place)
  if (typeof body === 'string' && /[^\x20-\x7e]/.test(body)) throw new Error('Refusals of the gate must be ASCII')
  const all = { ...SECURITY_HEADERS, ...headers, 'X-Correlation-Id': ID_PLACEHOLDER }
  const answer = { status, headers: Object.entries(all).flat(), body: typeof body === 'string' ? body : '' }
  answers?.set(key, answer)
  return answer
}
