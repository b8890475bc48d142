import type { z } from 'zod'
import type { GrantedLevel, SecurityPolicy } from './permissions.ts'
import type { FaultCode } from './errors.ts'
import type { Action } from './ledger-actions.ts'

export type Method = 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** Who settled the shape of an operation; published as `x-origin` (decisions, preamble). */
export type Origin = 'specification' | 'decision' | 'extension'

/** Which interface an operation belongs to; decides how its errors look (decisions 2). */
export const INTERFACES = [
  'case',
  'document',
  'device',
  'template',
  'cad',
  'token',
  'blob',
  'key',
  'search',
  'user',
  'operations',
] as const
export type Interface = (typeof INTERFACES)[number]

/** What the caller must hold. Declared by every route and published as `x-permission`. */
export type Permission =
  | { readonly kind: 'anyone' }
  /** The signature in the address stands for the authority (upload addresses). */
  | { readonly kind: 'signed-address' }
  /** A guest who opened a link (decisions 37): a cookie of its own, which opens these routes alone. Sessions and tokens do not. */
  | { readonly kind: 'share-link' }
  | { readonly kind: 'loopback-or-administrator' }
  | { readonly kind: 'member'; readonly guests: boolean }
  /** On a case the service judges, inside its transaction. `playing`: what `?purpose=play` needs instead (decisions 6). */
  | {
      readonly kind: 'level'
      readonly level: GrantedLevel
      readonly on: 'evidence' | 'case'
      readonly playing?: GrantedLevel
    }
  | { readonly kind: 'policy'; readonly policy: SecurityPolicy }
  | { readonly kind: 'administrator' }

/**
 * Who writes the ledger entry of a call (promise I1). `read`: the frame appends it when the answer is ready, and the answer waits for
 * it; `own`: the service appends it in its own transaction; `none`: says why nothing is written.
 */
export type Audit =
  | { readonly by: 'read'; readonly action: Action; readonly objectType: string; readonly objectParam?: string }
  | { readonly by: 'own'; readonly actions: readonly Action[] }
  | { readonly by: 'none'; readonly reason: string }

export interface RouteDefinition {
  /** Unique; becomes the OpenAPI operationId and the typed client's function name. */
  readonly id: string
  readonly interface: Interface
  readonly method: Method
  /** `:name` for parameters. */
  readonly path: string
  /** The same operation under further paths. */
  readonly aliases?: readonly string[]
  readonly origin: Origin
  readonly summary: string
  readonly description?: string
  readonly permission: Permission
  readonly audit: Audit
  readonly params?: z.ZodType
  readonly query?: z.ZodType
  readonly body?: z.ZodType
  /** The most bytes that a body may have here, where it is not what `mostBodyBytes` says for every route of its kind. */
  readonly bodyBytes?: number
  /** The most members and elements in all that it may have, where that is fewer than everywhere. */
  readonly bodyParts?: number
  /** Body types accepted beside the JSON ones (decisions 1), e.g. form encoding at the token endpoint. */
  readonly accepts?: readonly string[]
  /** A model that also travels under `application/vnd.{any vendor}.{name}+json; v={v}`; another v is refused (interfaces.md 9). */
  readonly vendorModel?: { readonly name: string; readonly v: string }
  /** Media types of a JSON answer, first the one for any type; without it application/json, text/json, text/plain (decisions 1). Of bytes: those they come as. */
  readonly offers?: readonly string[]
  /** Success statuses. `null` is an answer without a body; `'bytes'` one that is not JSON. */
  readonly responses: Readonly<Record<number, z.ZodType | null | 'bytes'>>
  /** Of a stream of server-sent events: by name what each carries. */
  readonly events?: Readonly<Record<string, z.ZodType>>
  readonly errors: readonly FaultCode[]
  /** Every create takes Idempotency-Key (decisions 1). */
  readonly idempotent?: true
  /** Members of its body that are secrets: what is remembered of a request with one, under an Idempotency-Key, does not let anybody try them out. */
  readonly secrets?: readonly string[]
  /** Not counted against the rate (decisions 1). */
  readonly uncounted?: true
  /** Answered to a locked session too (decisions 10); a route for anyone is then told whose session the request brings. */
  readonly whileLocked?: true
  /** Answered to a session whose person has to choose another password first (decisions 10); all else is refused. */
  readonly whilePasswordDue?: true
  /** Changes no evidence: answered by a station that takes no changes, so that people still come in to read. */
  readonly whileReadOnly?: true
}

/** Keeps the exact types of a definition, so that handlers and client are typed by it. */
export function route<const R extends RouteDefinition>(definition: R): R {
  return definition
}

const SMALL_BODY = 64 * 1024
const LARGE_BODY = 8 * 1024 * 1024

/** Bytes that a body may have (decisions 13): little on routes open to anyone and on those of one's own account, all of them under `/connect`. */
export function mostBodyBytes({ bodyBytes, permission, path }: RouteDefinition): number {
  if (bodyBytes !== undefined) return bodyBytes
  return permission.kind === 'anyone' || path.startsWith('/connect/') ? SMALL_BODY : LARGE_BODY
}

type Parsed<T> = T extends z.ZodType ? z.output<T> : undefined
export type ParamsOf<R extends RouteDefinition> = Parsed<R['params']>
export type QueryOf<R extends RouteDefinition> = Parsed<R['query']>
export type BodyOf<R extends RouteDefinition> = Parsed<R['body']>
export type AnswerOf<R extends RouteDefinition> = {
  [S in keyof R['responses']]: R['responses'][S] extends z.ZodType ? z.input<R['responses'][S]> : undefined
}[keyof R['responses']]
