/**
 * Bound routes: what a feature gives to the frame, each a route of the contract with its handler. There are two kinds of handler
 * (docs/architecture.md): JSON and bytes. Neither sees Koa.
 */
import type { Fault } from '../../shared/kernel/errors.ts'
import type { AnswerOf, BodyOf, ParamsOf, QueryOf, RouteDefinition } from '../../shared/kernel/route.ts'
import type { StartingCall } from '../kernel/unit-calls.ts'
import type { Tx } from '../kernel/database/database.ts'
import type { BytesAnswer, BytesRequest } from './bytes.ts'
import type { z } from 'zod'

/** Details of the ledger entry of a read, in addition to those that the route declares (`audit.by === 'read'`). */
export interface ReadDetails {
  readonly id?: string
  /** The current name of the object. */
  readonly name?: string
  /** `failed` when the object that was read has a fault. Default: `ok`. */
  readonly outcome?: 'ok' | 'failed'
  readonly bytes?: number
  readonly sha256?: string
  readonly detail?: Readonly<Record<string, unknown>>
}

export interface HttpCall extends StartingCall {
  /** The tenant that the path names, as registered; the station's where it names none. */
  readonly tenant: string
  /**
   * As `rememberAnswer` of a unit of work (kernel/unit-calls.ts). `answer` is the return value of the handler: a plain value or an `answer(…)`.
   * @param status for a plain value with another status than the route's first success status
   */
  rememberAnswer<T>(tx: Tx, answer: T, status?: number): Promise<T>
  /** For reads: adds details to the ledger entry that the frame writes before the answer. */
  describeRead(details: ReadDetails): void
}

/** A body that was stored unchanged before it was parsed. */
export interface KeptBody {
  readonly id: number
  /** The body was not valid for the route. */
  refused(why: Fault): Promise<unknown>
  /** The request repeats an earlier one under its Idempotency-Key. */
  repeated(): Promise<unknown>
}

export interface JsonInput<R extends RouteDefinition> {
  readonly params: ParamsOf<R>
  readonly query: QueryOf<R>
  readonly body: BodyOf<R>
  readonly call: HttpCall
  /** The configured origin that the request's Host matched. Links are built from this value only. */
  readonly origin: string
  /** Aborted when the client disconnects or the station stops. */
  readonly signal: AbortSignal
  /** For routes with `keep`: the id of the kept body. */
  keptBodyId(): number
}

/** An answer with its own status or headers; made by `answer`. */
export class Answered<S extends number = number, B = unknown> {
  readonly status: S
  readonly body: B
  readonly headers: Readonly<Record<string, string>>
  constructor(status: S, body: B, headers: Readonly<Record<string, string>>) {
    this.status = status
    this.body = body
    this.headers = headers
  }
}

/** For routes with several success statuses or with headers such as `Location`. */
export function answer<const S extends number, B>(
  status: S,
  body: B,
  headers: Readonly<Record<string, string>> = {},
): Answered<S, B> {
  return new Answered(status, body, headers)
}

type BodyAt<T> = T extends z.ZodType ? z.input<T> : undefined
type AnsweredOf<R extends RouteDefinition> = {
  [S in keyof R['responses'] & number]: Answered<S, BodyAt<R['responses'][S]>>
}[keyof R['responses'] & number]

/** A plain value gets the first success status of the route. */
export type Reply<R extends RouteDefinition> = AnswerOf<R> | AnsweredOf<R>

export type JsonHandler<R extends RouteDefinition> = (input: JsonInput<R>) => Promise<Reply<R>>
export type BytesHandler = (request: BytesRequest, call: HttpCall) => Promise<BytesAnswer>

export interface JsonOptions<R extends RouteDefinition> {
  /**
   * Makes the answer from the remembered one of an earlier call with the same Idempotency-Key. For answers with parts that must not be
   * stored, such as a signed address: remember the answer without it, and add it again here.
   */
  readonly revive?: (remembered: unknown, input: JsonInput<R>) => Promise<Reply<R>>
  /**
   * Checks the caller's permission again before a remembered answer is repeated. Required for routes of kind `level` with an
   * Idempotency-Key. @throws Fault as the handler does
   */
  readonly judge?: (input: JsonInput<R>) => Promise<unknown>
  /** Stores the unchanged body durably before it is parsed. */
  readonly keep?: KeepBody
}

export type KeepBody = (body: Uint8Array, call: HttpCall) => Promise<KeptBody>

/** Input of a handler without its types. The values were parsed by the schemas of the route, from which the types are derived. */
export interface UntypedInput {
  readonly params: unknown
  readonly query: unknown
  readonly body: unknown
  readonly call: HttpCall
  readonly origin: string
  readonly signal: AbortSignal
  keptBodyId(): number
}

export type BoundRoute =
  | {
      readonly kind: 'json'
      readonly route: RouteDefinition
      readonly handle: (input: UntypedInput) => Promise<unknown>
      readonly revive?: (remembered: unknown, input: UntypedInput) => Promise<unknown>
      readonly judge?: (input: UntypedInput) => Promise<unknown>
      readonly keep?: KeepBody
    }
  | { readonly kind: 'bytes'; readonly route: RouteDefinition; readonly handle: BytesHandler }

/** Binds a JSON handler to its contract entry. */
export function json<const R extends RouteDefinition>(
  route: R,
  handler: JsonHandler<R>,
  options: JsonOptions<R> = {},
): BoundRoute {
  const { revive, judge, keep } = options
  return {
    kind: 'json',
    route,
    handle: (input) => handler(input as JsonInput<R>),
    ...(keep === undefined ? {} : { keep }),
    ...(judge === undefined ? {} : { judge: (input: UntypedInput) => judge(input as JsonInput<R>) }),
    ...(revive === undefined
      ? {}
      : { revive: (remembered: unknown, input: UntypedInput) => revive(remembered, input as JsonInput<R>) }),
  }
}

/** Binds a bytes handler: content, uploads, event streams, XML. */
export function bytes(route: RouteDefinition, handler: BytesHandler): BoundRoute {
  return { kind: 'bytes', route, handle: handler }
}
