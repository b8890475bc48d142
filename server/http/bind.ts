/**
 * Takes a request from the matched route to the answer, in the order of docs/architecture.md ("The way of a request"): mode, parsing of
 * path and query, permission on the parsed values, rate, negotiation, body, validation, Idempotency-Key, handler, response check.
 */
import { Readable } from 'node:stream'
import type { RouteDefinition } from '../../shared/kernel/route.ts'
import { FAULTS, Fault, fault } from '../../shared/kernel/errors.ts'
import {
  Answered,
  type BoundRoute,
  type HttpCall,
  type KeptBody,
  type ReadDetails,
  type UntypedInput,
} from './handlers.ts'
import { type BytesRequest, discardBody, recordBeforeSending } from './bytes.ts'
import type { Decision } from '../kernel/access/decision.ts'
import type { Log } from '../platform/log/log.ts'
import { type BodyLimits, type BodyReader, checkBodyType, hasBody, isForm, readBytes } from './body.ts'
import type { FrameContext, Serve } from './context.ts'
import { type createRequestHash, type Idempotency, NOT_REMEMBERED, type Remembering } from './idempotency.ts'
import { deniedEntry, readEntry } from './audit.ts'
import { answerType, send, type WireAnswer } from './wire.ts'
import { findMissingDecision } from './routing.ts'
import { ANONYMOUS, type Authorize, type Authorized, type HttpLedger, type Mode } from './ports.ts'
import type { RateLimiter } from './limits.ts'
import { problemsOf, readAddress, type RequestAddress, type RequestRead, requireValid } from './read-request.ts'
import type { FindTenant } from '../kernel/tenant.ts'

export interface BindDeps {
  readonly authorize: Authorize
  readonly ledger: HttpLedger
  readonly rate: RateLimiter
  readonly idempotency: Idempotency
  readonly requestHash: ReturnType<typeof createRequestHash>
  readonly mode: () => Mode
  /** Why the mode refuses requests, for people; null: there is no more to say. */
  readonly whyRefused?: (() => string | null) | undefined
  readonly limits: BodyLimits
  readonly bodies: BodyReader
  /** True: an answer that breaks the contract becomes a 500. False: it is only logged. */
  readonly strictResponses: boolean
  readonly tenant: FindTenant
  readonly stopping: AbortSignal
}

type Params = Readonly<Record<string, string>>
/** A call before its tenant was found. */
type CallWithoutTenant = Omit<HttpCall, 'tenant'>
type Json = Extract<BoundRoute, { kind: 'json' }>
type Bytes = Extract<BoundRoute, { kind: 'bytes' }>

export function createServe(deps: BindDeps): Serve {
  return async (ctx, bound, segments) => {
    const { route } = bound
    ctx.state.route = route
    checkMode(route, deps)
    const address = readAddress(route, segments, ctx.req.url ?? '')
    const {
      principal,
      isStillAllowed: still,
      isStillEnabled: enabled,
      decision,
    } = await admit(deps, ctx, route, address)
    if (address.unreadable !== null) throw address.unreadable
    const params = address.params ?? address.sent
    let readDetails: ReadDetails = {}
    const decisions: Decision[] = []
    const call: CallWithoutTenant = {
      actor: principal ?? ANONYMOUS,
      principal,
      source: ctx.state.source,
      arrival: ctx.state.arrival,
      correlationId: ctx.state.correlationId,
      ...NOT_REMEMBERED,
      describeRead: (details) => {
        readDetails = { ...readDetails, ...details }
      },
      reportDecision: (decision) => {
        decisions.push(decision)
      },
    }
    let answer: WireAnswer
    try {
      answer =
        bound.kind === 'bytes'
          ? await handleBytes(deps, ctx, bound, bytesRequest(ctx, address), call)
          : await answerJson(deps, ctx, bound, { address, params, call })
    } catch (error) {
      if (error instanceof Fault && isDenial(error)) await deps.ledger.record(call, deniedEntry(route, params, error))
      throw error
    }
    const missing =
      answer.status < 400 ? findMissingDecision(route, params, { byRoute: decision, byService: decisions }) : null
    if (missing !== null) {
      ctx.state.log.error({ route: route.id, missing }, 'an answer was made without a permission decision')
      discardBody(answer)
      throw fault('ServerError', 'The answer was made without a permission decision.')
    }
    if (route.audit.by === 'read' && answer.status < 400) {
      const entry = readEntry(route.audit, params, readDetails)
      await recordBeforeSending(answer, () => deps.ledger.record(call, entry))
    }
    if (isEventStream(answer)) {
      onStop(deps.stopping, ctx)
      if (still !== undefined) endWhenNotAllowed(still, ctx, ctx.state.abort)
    } else if (enabled !== undefined && answer.body instanceof Readable) {
      endWhenNotAllowed(enabled, ctx, () => discardBody(answer))
    }
    await send(ctx, answer)
  }
}

/** The call as handlers get it. @throws Fault TenantNotFound */
const inTenant = ({ tenant }: Pick<BindDeps, 'tenant'>, params: Params, call: CallWithoutTenant): HttpCall => ({
  ...call,
  tenant: tenant(params['tenantId'] ?? params['tenantName']),
})

/** A 404 with a `reason` is a denial too: the caller learns only that nothing was found, the ledger gets the reason (decisions 2). */
const isDenial = ({ code, reason }: Fault): boolean =>
  code === 'Forbidden' || (reason !== undefined && FAULTS[code] === 404)

const isEventStream = (answer: WireAnswer): boolean =>
  Object.entries(answer.headers).some(
    ([name, value]) => name.toLowerCase() === 'content-type' && value.startsWith('text/event-stream'),
  )

/** Event streams have no end of their own, so a stop of the station ends them. Their handlers listen to the signal. */
function onStop(stopping: AbortSignal, ctx: FrameContext): void {
  if (stopping.aborted) ctx.state.abort()
  stopping.addEventListener('abort', ctx.state.abort)
  ctx.res.once('close', () => stopping.removeEventListener('abort', ctx.state.abort))
}

/** Milliseconds. A caller who loses the right gets no more bytes after five seconds at most (decisions 9 and 10). */
const RECHECK_EVERY = 2_000

function endWhenNotAllowed(still: () => Promise<boolean>, ctx: FrameContext, end: () => void): void {
  const { log, correlationId } = ctx.state
  const timer = setInterval(() => {
    still().then(
      (allowed) => {
        if (!allowed) end()
      },
      (error: unknown) => {
        log.error({ correlationId, err: error }, 'an answer was ended because the right to it could not be checked')
        end()
      },
    )
  }, RECHECK_EVERY)
  timer.unref()
  ctx.res.once('close', () => clearInterval(timer))
}

/** Operations routes answer in every mode. In read-only mode people can still sign in and read. */
function checkMode(route: RouteDefinition, deps: Pick<BindDeps, 'mode' | 'whyRefused'>): void {
  const mode = deps.mode()
  if (mode === 'ready' || route.interface === 'operations') return
  if (mode === 'not-ready')
    throw new Fault('NotReady', deps.whyRefused?.() ?? 'The station is starting or stopping.', { retryAfter: 5 })
  const reads =
    route.method === 'GET' ||
    route.method === 'HEAD' ||
    route.audit.by === 'read' ||
    route.interface === 'token' ||
    route.whileReadOnly === true
  if (!reads)
    throw new Fault('ReadOnly', deps.whyRefused?.() ?? 'The station takes no changes at the moment.', {
      retryAfter: 30,
    })
}

async function admit(
  deps: BindDeps,
  ctx: FrameContext,
  route: RouteDefinition,
  address: RequestAddress,
): Promise<Authorized> {
  const { source, arrival, origin, correlationId } = ctx.state
  const { req } = ctx
  const { params, query } = address
  const authorized = await deps.authorize(route, {
    method: ctx.method,
    headers: req.headers,
    params,
    query,
    apiKey: address.first['apikey'],
    source,
    arrival,
    origin,
    correlationId,
  })
  const { principal, refusal } = authorized
  if (principal !== null) ctx.state.principal = principal
  // A recognised caller with an invalid address gets all problems of address and body. The handler is not called.
  if (refusal === undefined || (principal !== null && params === null && refusal.code === 'InvalidModel')) {
    if (route.uncounted !== true) deps.rate.take(principal, source, req.headers.authorization)
    return authorized
  }
  // Refusals always count against the rate, so that guessing is limited.
  deps.rate.take(principal, source, req.headers.authorization)
  const call = { actor: principal ?? ANONYMOUS, source, correlationId }
  if (principal === null) deps.ledger.tally(call, deniedEntry(route, params ?? address.sent, refusal))
  else await deps.ledger.record(call, deniedEntry(route, params ?? address.sent, refusal))
  throw refusal
}

/** Uploads have a watchdog of their own. Every other body must arrive within `bodyMillis` (promise U8). */
async function handleBytes(
  deps: BindDeps,
  ctx: FrameContext,
  bound: Bytes,
  request: BytesRequest,
  call: CallWithoutTenant,
): Promise<WireAnswer> {
  const callInTenant = inTenant(deps, request.params, call)
  if (bound.route.interface === 'blob' || !hasBody(ctx.req)) return bound.handle(request, callInTenant)
  const timer = setTimeout(() => {
    if (!ctx.req.complete) ctx.req.destroy(fault('RequestTimeout', 'The body took too long to arrive.'))
  }, deps.limits.bodyMillis)
  try {
    return await bound.handle(request, callInTenant)
  } finally {
    clearTimeout(timer)
  }
}

/** @throws Fault InvalidModel when the address breaks the contract */
function bytesRequest(ctx: FrameContext, { parsed, params, first }: RequestAddress): BytesRequest {
  requireValid(parsed)
  const { req, state } = ctx
  return {
    method: ctx.method,
    params: params ?? {},
    query: first,
    headers: req.headers,
    url: req.url ?? '',
    origin: state.origin,
    body: req,
    signal: state.signal,
  }
}

interface JsonRequest {
  readonly address: RequestAddress
  /** Parsed by the contract, or as sent when they break it. */
  readonly params: Params
  readonly call: CallWithoutTenant
}

async function answerJson(deps: BindDeps, ctx: FrameContext, bound: Json, request: JsonRequest): Promise<WireAnswer> {
  const { route } = bound
  const type = answerType(route, ctx.req.headers.accept)
  checkBodyType(ctx.req, route)
  const bytes = await readBytes(ctx.req, route, deps.limits)
  const callInTenant = (): HttpCall => inTenant(deps, request.params, request.call)
  const keptBody = bytes === undefined ? undefined : await bound.keep?.(bytes, callInTenant())
  const key = keyOf(ctx)
  const { sent: params, members: query, parsed: address } = request.address
  const sent = { params, query, parsedParams: request.params, bytes, form: isForm(ctx.req), hashed: key !== undefined }
  const { parsed, hash } = await readOrReportRefusal(
    () => deps.bodies.read(route, sent, address, bound.keep === undefined),
    keptBody,
  )
  const inputWith = (remembering: Remembering): UntypedInput => ({
    ...parsed,
    call: { ...callInTenant(), ...remembering },
    origin: ctx.state.origin,
    signal: ctx.state.signal,
    keptBodyId: () => {
      if (keptBody === undefined) throw new Error(`${route.id} keeps no body`)
      return keptBody.id
    },
  })
  const status = firstStatus(route)
  const answer = await deps.idempotency.run<Answered>(
    {
      route,
      principal: request.call.principal,
      key,
      hash: deps.requestHash(route, parsed.body, hash),
      status,
    },
    async (remembering) => asAnswered(await bound.handle(inputWith(remembering)), status),
    async (earlier) => {
      await keptBody?.repeated()
      // The answer goes out again to the holder of the key. This is an act of its own, with its own entry.
      const object = { type: 'operation', id: route.id, name: '' }
      // The caller may have lost the right since the first answer, so the permission is checked again.
      await bound.judge?.(inputWith(NOT_REMEMBERED))
      await deps.ledger.record(request.call, { action: 'answer.repeated', object, outcome: 'ok' })
      if (bound.revive === undefined) return new Answered(earlier.status, earlier.body, earlier.headers)
      const revived = asAnswered(await bound.revive(earlier.body, inputWith(NOT_REMEMBERED)), earlier.status)
      return new Answered(earlier.status, revived.body, { ...earlier.headers, ...revived.headers })
    },
  )
  return encode(route, answer, type, deps.strictResponses, ctx.state.log)
}

/** A kept body that cannot be read stays, with the reason. Handlers of such routes work from the kept body, not from the parsed one. */
async function readOrReportRefusal(read: () => Promise<RequestRead>, kept: KeptBody | undefined): Promise<RequestRead> {
  try {
    return await read()
  } catch (error) {
    if (error instanceof Fault) await kept?.refused(error)
    throw error
  }
}

/** Several keys in one request give an invalid key, since Node joins them with a comma and a space. */
function keyOf(ctx: FrameContext): string | undefined {
  const key = ctx.req.headers['idempotency-key']
  return Array.isArray(key) ? key.join(',') : key
}

const asAnswered = (value: unknown, status: number): Answered =>
  value instanceof Answered ? value : new Answered(status, value, {})

function firstStatus(route: RouteDefinition): number {
  return Math.min(...Object.keys(route.responses).map(Number))
}

/** Passes the answer through the schema of the contract, which drops members that it does not name. */
function encode(route: RouteDefinition, answered: Answered, type: string, strict: boolean, log: Log): WireAnswer {
  const headers = { 'Cache-Control': 'no-store', ...answered.headers }
  const schema = route.responses[answered.status]
  let body = answered.body
  if (schema === undefined || schema === 'bytes') {
    mismatch(route, answered.status, [{ Path: '', Message: 'The contract does not name this status.' }], strict, log)
  } else if (schema === null) {
    return { status: answered.status, headers }
  } else {
    const checked = schema.safeParse(body)
    if (checked.success) body = checked.data
    else
      mismatch(
        route,
        answered.status,
        checked.error.issues.flatMap((issue) => problemsOf(issue)),
        strict,
        log,
      )
  }
  return {
    status: answered.status,
    headers: { ...headers, 'Content-Type': type, Vary: 'Accept' },
    body: JSON.stringify(body ?? null),
  }
}

function mismatch(
  route: RouteDefinition,
  status: number,
  problems: readonly unknown[],
  strict: boolean,
  log: Log,
): void {
  log.error({ route: route.id, status, problems }, 'an answer breaks the contract')
  if (strict) throw fault('ServerError', 'The answer breaks the contract.')
}
