/**
 * Parses the body (JSON or form) and validates it with path and query by the contract. The functions are pure, so that they run on the
 * event loop for small bodies and on a thread for large ones (`body-thread.ts`).
 */
import { createHash } from 'node:crypto'
import { fault } from '../../shared/kernel/errors.ts'
import type { RouteDefinition } from '../../shared/kernel/route.ts'
import { type JsonSize, parseSized, sizeOfJson } from './json.ts'
import { type ParsedAddress, parseAddress, type ParsedInput, validate } from './validate.ts'

export interface RequestAsSent {
  readonly params: Readonly<Record<string, string>>
  /** The parameters as parsed by the contract; part of the hash for an Idempotency-Key. */
  readonly parsedParams: Readonly<Record<string, string>>
  readonly query: Readonly<Record<string, string | string[]>>
  /** Undefined when there is no body. */
  readonly bytes: Uint8Array | undefined
  readonly form: boolean
  /** Whether the hash of the request is needed. */
  readonly hashed: boolean
}

export interface RequestRead {
  readonly parsed: ParsedInput
  /** Of the parsed values, not of the bytes: member order and white space make no difference. Empty when it is not needed. */
  readonly hash: string
}

const NO_JSON: JsonSize = { parts: 0, members: 0 }

/** @throws Fault InvalidModel, BodyTooLarge */
export function sizeOfBody(route: RouteDefinition, { bytes, form }: RequestAsSent): JsonSize {
  return bytes === undefined || form ? NO_JSON : sizeOfJson(bytes, route.bodyParts)
}

/**
 * @param address path and query, if they are parsed already
 * @throws Fault InvalidModel, BodyTooLarge, and codes that the schemas name
 */
export function readRequest(
  route: RouteDefinition,
  sent: RequestAsSent,
  size = sizeOfBody(route, sent),
  address: ParsedAddress = parseAddress(route, sent.params, sent.query),
): RequestRead {
  const { parsedParams: named, query } = sent
  const body = bodyOf(sent, size)
  const parsed = validate(route, address, body)
  // The hash takes the query as sent, so that answers from before an update of the program are still found.
  return { parsed, hash: sent.hashed ? hashOf({ params: named, query, body }) : '' }
}

function bodyOf({ bytes, form }: RequestAsSent, size: JsonSize): unknown {
  if (bytes === undefined) return undefined
  let text: string
  try {
    // The decoder removes a byte order mark.
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw fault('InvalidModel', 'The body cannot be read.', [{ Path: '', Message: 'The body is not UTF-8.' }])
  }
  return form ? parseForm(text) : parseSized(text, size)
}

/** RFC 6749 3.2: a parameter must not be repeated. */
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

/** Any unambiguous order is enough here. RFC 8785 would fail on lone surrogates. */
function sorted(_name: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
}
