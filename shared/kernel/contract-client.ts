/** A typed client made from the contract: the UI's, and the tests'. Knows no route by itself. */
import type { z } from 'zod'
import { FAULTS, Fault, type FaultCode, type Problem } from './errors.ts'
import type { RouteDefinition } from './route.ts'

/** As much of `fetch` as is used, so that this file needs neither the DOM nor Node. */
export type FetchLike<Signal> = (
  url: string,
  init: { method: string; headers: Record<string, string>; body?: string; signal?: Signal },
) => Promise<{
  readonly status: number
  readonly headers: { get(name: string): string | null }
  text(): Promise<string>
}>

export interface ClientOptions<Signal> {
  /** Without a trailing slash; empty for the page's own origin. */
  readonly baseUrl: string
  readonly fetch: FetchLike<Signal>
  /** The bearer token of the moment; null for none. */
  readonly token?: () => string | null | Promise<string | null>
}

type InputOf<T> = T extends z.ZodType ? z.input<T> : undefined
type Member<Name extends string, T> = [T] extends [undefined]
  ? { [K in Name]?: undefined }
  : undefined extends T
    ? { [K in Name]?: T }
    : { [K in Name]: T }
type OutputOf<T> = T extends z.ZodType ? z.output<T> : undefined

type Names<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? Name | Names<`/${Rest}`>
  : Path extends `${string}:${infer Name}`
    ? Name
    : never
type PathParams<Path extends string> = [Names<Path>] extends [never] ? undefined : Readonly<Record<Names<Path>, string>>
/** By the schema where there is one, else by the names in the path. */
type ParamsIn<R extends RouteDefinition> = [InputOf<R['params']>] extends [undefined]
  ? PathParams<R['path']>
  : InputOf<R['params']>

/** What the path and the schemas of a route ask for. */
export type Arguments<R extends RouteDefinition, Signal = unknown> = Member<'params', ParamsIn<R>> &
  Member<'query', InputOf<R['query']>> &
  Member<'body', InputOf<R['body']>> & {
    readonly idempotencyKey?: string
    readonly signal?: Signal
  }

export type Result<R extends RouteDefinition> = {
  [S in keyof R['responses'] & number]: {
    readonly status: S
    readonly body: OutputOf<R['responses'][S]>
    readonly header: (name: string) => string | null
  }
}[keyof R['responses'] & number]

export interface Client<Signal> {
  /** The body of a success. @throws Fault for every refusal, with the correlation id among its headers. */
  call<R extends RouteDefinition>(route: R, given: Arguments<R, Signal>): Promise<Result<R>['body']>
  /** The same with status and headers, for routes with several successes. @throws Fault */
  send<R extends RouteDefinition>(route: R, given: Arguments<R, Signal>): Promise<Result<R>>
  /** The address of a route, for players, downloads and event streams. */
  url<R extends RouteDefinition>(route: R, given: Pick<Arguments<R>, 'params' | 'query'>): string
}

export function createClient<Signal>({ baseUrl, fetch, token }: ClientOptions<Signal>): Client<Signal> {
  const send = async <R extends RouteDefinition>(route: R, given: Arguments<R, Signal>): Promise<Result<R>> => {
    const headers: Record<string, string> = { Accept: 'application/json' }
    const bearer = (await token?.()) ?? null
    if (bearer !== null) headers['Authorization'] = `Bearer ${bearer}`
    if (given.idempotencyKey !== undefined) headers['Idempotency-Key'] = given.idempotencyKey
    const body = given.body === undefined ? undefined : JSON.stringify(given.body)
    if (body !== undefined) headers['Content-Type'] = 'application/json'
    const reply = await fetch(baseUrl + addressOf(route, given), {
      method: route.method,
      headers,
      ...(body === undefined ? {} : { body }),
      ...(given.signal === undefined ? {} : { signal: given.signal }),
    })
    const text = await reply.text()
    const answers = route.responses[reply.status]
    if (answers === undefined) throw faultFrom(reply.status, text, (name) => reply.headers.get(name))
    // The station has passed it through the schema of the route already (server/http/bind.ts).
    const value: unknown = answers === null || answers === 'bytes' ? undefined : JSON.parse(text)
    return { status: reply.status, body: value, header: (name: string) => reply.headers.get(name) } as Result<R>
  }
  return {
    send,
    call: async (route, given) => (await send(route, given)).body,
    url: (route, given) => baseUrl + addressOf(route, given),
  }
}

function addressOf(route: RouteDefinition, { params, query }: { params?: unknown; query?: unknown }): string {
  const values = Object.entries(params ?? {})
  const path = route.path.replaceAll(/:([A-Za-z0-9_]+)/g, (_all, name: string) => {
    const value = values.find(([known]) => known === name)?.[1]
    if (value === undefined || value === '') throw new Error(`${route.id} needs ${name}`)
    return encodeURIComponent(String(value))
  })
  const members = Object.entries(query ?? {}).flatMap(([name, value]) =>
    (Array.isArray(value) ? value : [value])
      .filter((one) => one !== undefined && one !== null)
      .map((one) => `${encodeURIComponent(name)}=${encodeURIComponent(String(one))}`),
  )
  return members.length === 0 ? path : `${path}?${members.join('&')}`
}

const BY_STATUS: Readonly<Record<number, FaultCode>> = {
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'NotFound',
  429: 'TooManyRequests',
  503: 'NotReady',
}

/** Of an ExceptionModel in either spelling; of an empty refusal (case service, 401 and 403) by its status. */
export function faultFrom(status: number, text: string, header: (name: string) => string | null): Fault {
  const model = membersOf(text)
  const said = model['ErrorCode'] ?? model['errorCode']
  const code =
    typeof said === 'string' && Object.hasOwn(FAULTS, said)
      ? (said as FaultCode)
      : (BY_STATUS[status] ?? (status < 500 ? 'InvalidModel' : 'ServerError'))
  const message = model['Message'] ?? model['message']
  const wait = Number(header('Retry-After') ?? Number.NaN)
  const correlationId = header('X-Correlation-Id')
  return new Fault(code, typeof message === 'string' ? message : `The station answered ${status}.`, {
    details: detailsOf(model['Details'] ?? model['details']),
    ...(Number.isFinite(wait) ? { retryAfter: wait } : {}),
    headers: correlationId === null ? {} : { 'X-Correlation-Id': correlationId },
  })
}

function membersOf(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? { ...value } : {}
  } catch {
    return {}
  }
}

function detailsOf(value: unknown): Problem[] {
  if (!Array.isArray(value)) return []
  return value.map((one: Readonly<Record<string, unknown>>) => ({
    Path: String(one['Path'] ?? one['path'] ?? ''),
    Message: String(one['Message'] ?? one['message'] ?? ''),
  }))
}
