/**
 * What a request says: its body as JSON or form, held against the contract together with path and query. Pure, so that small bodies are
 * read where they came in and large ones on a thread (`body-thread.ts`).
 */
import { createHash } from 'node:crypto'
import { fault } from '../../shared/kernel/errors.ts'
import type { RouteDefinition } from '../../shared/kernel/route.ts'
import { type JsonSize, parseSized, sizeOfJson } from './json.ts'
import { type ParsedAddress, parseAddress, type ParsedInput, validate } from './validate.ts'

export interface RequestAsSent {
  readonly params: Readonly<Record<string, string>>
  /** The parameters as the contract parsed them: what is remembered under an Idempotency-Key is found by these. */
  readonly named: Readonly<Record<string, string>>
  readonly query: Readonly<Record<string, string | string[]>>
  /** Undefined: there was none. */
  readonly bytes: Uint8Array | undefined
  readonly form: boolean
  /** Whether its hash is needed. */
  readonly hashed: boolean
}

export interface RequestRead {
  readonly parsed: ParsedInput
  /** Over what the request says, not over its bytes: member order and white space are no difference. Empty where it is not needed. */
  readonly hash: string
}

const NO_JSON: JsonSize = { parts: 0, members: 0 }

/** @throws Fault InvalidModel, BodyTooLarge */
export function sizeOfBody(route: RouteDefinition, { bytes, form }: RequestAsSent): JsonSize {
  return bytes === undefined || form ? NO_JSON : sizeOfJson(bytes, route.bodyParts)
}

/**
 * @param address path and query, where they were parsed before
 * @throws Fault InvalidModel, BodyTooLarge, and what the schemas name
 */
export function readRequest(
  route: RouteDefinition,
  sent: RequestAsSent,
  size = sizeOfBody(route, sent),
  address: ParsedAddress = parseAddress(route, sent.params, sent.query),
): RequestRead {
  const { named, query } = sent
  const body = bodyOf(sent, size)
  const parsed = validate(route, address, body)
  // The query as sent: what was remembered before an update must still be found.
  return { parsed, hash: sent.hashed ? hashOf({ params: named, query, body }) : '' }
}

function bodyOf({ bytes, form }: RequestAsSent, size: JsonSize): unknown {
  if (bytes === undefined) return undefined
  let text: string
  try {
    // A byte order mark is stripped by the decoder.
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw fault('InvalidModel', 'The body cannot be read.', [{ Path: '', Message: 'The body is not UTF-8.' }])
  }
  return form ? parseForm(text) : parseSized(text, size)
}

/** RFC 6749 3.2: a parameter must not be there twice. */
function parseForm(text: string): Record<string, string> {
  const members = new Map<string, string>()
  for (const [name, value] of new URLSearchParams(text)) {
    if (members.has(name))
      throw fault('InvalidModel', 'The body cannot be read.', [{ Path: name, Message: 'The member is there twice.' }])
    if (name !== '__proto__') members.set(name, value)
  }
  return Object.fromEntries(members)
}

function hashOf(said: { readonly params: unknown; readonly query: unknown; readonly body: unknown }): string {
  return createHash('sha256').update(JSON.stringify(said, sorted)).digest('hex')
}

/** Not RFC 8785, which has no words for lone surrogates: here any unambiguous text will do. */
function sorted(_name: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
}
