/**
 * What an interface hands to the frame: a list of bound routes, each a contract entry with its handler. There are two kinds of handler
 * and no third (docs/architecture.md): JSON, and bytes. Neither ever sees the framework.
 */
import type { Fault } from '../../shared/kernel/errors.ts'
import type { AnswerOf, BodyOf, ParamsOf, QueryOf, RouteDefinition } from '../../shared/kernel/route.ts'
import type { StartingCall } from '../kernel/unit-calls.ts'
import type { Tx } from '../kernel/database/database.ts'
import type { BytesAnswer, BytesRequest } from './bytes.ts'
import type { z } from 'zod'

/** What the ledger entry of a read says beside what its route declares (`audit.by === 'read'`). */
export interface Seen {
  readonly id?: string
  /** The object's name as it is at this moment. */
  readonly name?: string
  /** `failed` where what was looked at is not as it should be; `ok` when not given. */
  readonly outcome?: 'ok' | 'failed'
  readonly bytes?: number
  readonly sha256?: string
  readonly detail?: Readonly<Record<string, unknown>>
}

export interface HttpCall extends StartingCall {
  /**
   * As of a unit of work (kernel/unit-calls.ts). `answer` is what the handler returns: a plain value or an `answer(…)`.
   * @param status when `answer` is a plain value and not the route's first success status.
   */
  once<T>(tx: Tx, answer: T, status?: number): Promise<T>
  /** For reads: completes the ledger entry that the frame writes when the answer is ready. */
  seen(what: Seen): void
}

/** A body that was kept as it came, before anything of it was understood. */
export interface Kept {
  readonly id: number
  /** The frame could not read it as what the route takes. */
  refused(why: Fault): Promise<unknown>
  /** It was answered before, under its Idempotency-Key. */
  repeated(): Promise<unknown>
}

export interface JsonInput<R extends RouteDefinition> {
  readonly params: ParamsOf<R>
  readonly query: QueryOf<R>
  readonly body: BodyOf<R>
  readonly call: HttpCall
  /** The configured origin that the request's Host matched; links are built from it and from nothing else. */
  readonly origin: string
  /** Aborted when the client goes away or the station stops. */
  readonly signal: AbortSignal
  /** Of a route that keeps what comes: the number under which it was kept. */
  kept(): number
}

/** An answer with a status or headers of its own; made by `answer`. */
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

/** For routes with several success statuses, or where headers such as `Location` go along. */
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

/** A plain value is answered with the first success status that the route declares. */
export type Reply<R extends RouteDefinition> = AnswerOf<R> | AnsweredOf<R>

export type JsonHandler<R extends RouteDefinition> = (input: JsonInput<R>) => Promise<Reply<R>>
export type BytesHandler = (request: BytesRequest, call: HttpCall) => Promise<BytesAnswer>

export interface JsonOptions<R extends RouteDefinition> {
  /**
   * Given the remembered answer of an earlier call with the same Idempotency-Key, makes what is sent. For answers that carry what must
   * not lie in the database, such as a signed address: remember it without, and put it in again here.
   */
  readonly revive?: (remembered: unknown, input: JsonInput<R>) => Promise<Reply<R>>
  /**
   * Judges the caller once more before an answer that was remembered is given again. Routes of kind `level` that take an
   * Idempotency-Key need it. @throws Fault as the handler does
   */
  readonly judge?: (input: JsonInput<R>) => Promise<unknown>
  /** Keeps the body as it came, durably, before anything of it is understood; path parameters that break the contract come as sent. */
  readonly keep?: Keep
}

export type Keep = (body: Uint8Array, params: Readonly<Record<string, string>>, call: HttpCall) => Promise<Kept>

/** A handler as the frame keeps it: what it is given was parsed by the very schemas of `route`, which is where the types come from. */
export interface UntypedInput {
  readonly params: unknown
  readonly query: unknown
  readonly body: unknown
  readonly call: HttpCall
  readonly origin: string
  readonly signal: AbortSignal
  kept(): number
}

export type BoundRoute =
  | {
      readonly kind: 'json'
      readonly route: RouteDefinition
      readonly handle: (input: UntypedInput) => Promise<unknown>
      readonly revive?: (remembered: unknown, input: UntypedInput) => Promise<unknown>
      readonly judge?: (input: UntypedInput) => Promise<unknown>
      readonly keep?: Keep
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
