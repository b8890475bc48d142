/**
 * Reads a request by the contract of its route: path parameters and query members, percent-decoded once (decisions 1), and a body of JSON
 * or a form. Lists every problem with its path. The functions are pure, so that they run on the event loop for small bodies and on a thread
 * for large ones (body.ts).
 */
import { createHash } from 'node:crypto'
import type { z } from 'zod'
import { fault, Fault, type FaultCode, FAULTS, type Problem } from '../../shared/kernel/errors.ts'
import type { RouteDefinition } from '../../shared/kernel/route.ts'
import { type JsonSize, parseSized, sizeOfJson } from './json.ts'

/** The path of a request target, without query and fragment. */
export function pathOf(url: string): string {
  const end = url.search(/[?#]/)
  return end === -1 ? url : url.slice(0, end)
}

/** @throws Fault InvalidModel for an invalid percent encoding */
function decodeOnce(text: string, where: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    throw fault('InvalidModel', 'The address cannot be understood.', [
      { Path: where, Message: 'is not valid percent-encoded UTF-8' },
    ])
  }
}

/** @returns all members in order, as sent. */
export function parseQuery(url: string): [name: string, value: string][] {
  const start = url.indexOf('?')
  if (start === -1) return []
  return url
    .slice(start + 1)
    .split('&')
    .filter((part) => part !== '')
    .map((part) => {
      const equals = part.indexOf('=')
      const [name, value] = equals === -1 ? [part, ''] : [part.slice(0, equals), part.slice(equals + 1)]
      const decodedName = decodeOnce(name.replaceAll('+', ' '), '')
      return [decodedName, decodeOnce(value.replaceAll('+', ' '), decodedName)]
    })
}

/** The first value of each member, for bytes handlers and authorisation. */
export function firstOfEach(members: readonly (readonly [string, string])[]): Record<string, string> {
  return Object.fromEntries(members.toReversed())
}

/** Members for schemas: a repeated member becomes an array, an empty one counts as absent (decisions 1). */
function membersForSchema(members: readonly (readonly [string, string])[]): Record<string, string | string[]> {
  const grouped = Map.groupBy(
    members.filter(([, value]) => value !== ''),
    ([name]) => name,
  )
  return Object.fromEntries(
    [...grouped].map(([name, all]) => [
      name,
      all.length === 1 ? (all[0] as [string, string])[1] : all.map(([, value]) => value),
    ]),
  )
}

type Issues = readonly z.core.$ZodIssue[]

/** Path parameters and query members of a request, parsed by the contract of its route. */
export interface ParsedAddress {
  readonly params: unknown
  readonly query: unknown
  readonly paramIssues: Issues
  readonly queryIssues: Issues
}

interface ParsedInput {
  readonly params: unknown
  readonly query: unknown
  readonly body: unknown
}

function parseAddress(
  route: RouteDefinition,
  params: Readonly<Record<string, string>>,
  query: Readonly<Record<string, string | string[]>>,
): ParsedAddress {
  const [path, members] = [parsedBy(route.params, params), parsedBy(route.query, query)]
  return { params: path.value, query: members.value, paramIssues: path.issues, queryIssues: members.issues }
}

/**
 * @param body undefined when there is none
 * @throws Fault InvalidModel, or the code in `params.code` of the schema's issue when all problems have the same code
 */
function validate(route: RouteDefinition, address: ParsedAddress, body: unknown): ParsedInput {
  const parsed = parsedBy(route.body, body)
  const issues = [...address.paramIssues, ...address.queryIssues, ...parsed.issues]
  if (issues.length > 0) throw refusal(issues, route.body !== undefined && body === undefined)
  return { params: address.params, query: address.query, body: parsed.value }
}

/** For requests with a body that the frame does not read. @throws Fault as `validate` */
export function requireValid({ paramIssues, queryIssues }: ParsedAddress): void {
  const issues = [...paramIssues, ...queryIssues]
  if (issues.length > 0) throw refusal(issues, false)
}

function parsedBy(schema: z.ZodType | undefined, value: unknown): { value: unknown; issues: Issues } {
  if (schema === undefined) return { value: undefined, issues: [] }
  const result = schema.safeParse(value)
  return result.success ? { value: result.data, issues: [] } : { value: undefined, issues: result.error.issues }
}

function refusal(issues: Issues, noBody: boolean): Fault {
  const codes = new Set(issues.map(codeOf))
  const [only] = codes
  const code = codes.size === 1 && only !== undefined ? only : 'InvalidModel'
  const problems = listed(issues)
  const details = noBody
    ? problems.map((problem) => (problem.Path === '' ? { Path: '', Message: 'A body is required.' } : problem))
    : problems
  return fault(
    code,
    code === 'InvalidModel' ? 'The request is not valid.' : (details[0]?.Message ?? 'The request is not valid.'),
    details,
  )
}

/** Most problems in a refusal: enough for every form, without an answer much larger than its request. */
const MOST_PROBLEMS = 1_000

function listed(issues: readonly z.core.$ZodIssue[]): Problem[] {
  const problems: Problem[] = []
  for (const issue of issues) {
    if (problems.length > MOST_PROBLEMS) break
    for (const problem of problemsOf(issue)) problems.push(problem)
  }
  if (problems.length <= MOST_PROBLEMS) return problems
  return [...problems.slice(0, MOST_PROBLEMS), { Path: '', Message: 'There are further problems that are not listed.' }]
}

function codeOf(issue: z.core.$ZodIssue): FaultCode {
  const named: unknown = issue.code === 'custom' ? issue.params?.['code'] : undefined
  return typeof named === 'string' && Object.hasOwn(FAULTS, named) ? (named as FaultCode) : 'InvalidModel'
}

/** For a union, the problems of its closest member. */
export function problemsOf(issue: z.core.$ZodIssue, above: readonly PropertyKey[] = []): Problem[] {
  const path = [...above, ...issue.path]
  if (issue.code === 'unrecognized_keys')
    return issue.keys.map((key) => ({ Path: pathText([...path, key]), Message: 'There is no such member.' }))
  if (issue.code === 'invalid_union' && issue.errors.length > 0) {
    const deepest = issue.errors.toSorted((a, b) => depthOf(b) - depthOf(a) || a.length - b.length)[0] ?? []
    if (deepest.length > 0) return deepest.flatMap((inner) => problemsOf(inner, path))
  }
  return [{ Path: pathText(path), Message: issue.message }]
}

const depthOf = (issues: readonly z.core.$ZodIssue[]): number =>
  Math.max(0, ...issues.map((issue) => issue.path.length))

const pathText = (path: readonly PropertyKey[]): string => path.map(String).join('.')

type Texts = Readonly<Record<string, string>>

export interface RequestAddress {
  /** As parsed by the contract, which reads `/evidence/007` as 7; null when the path breaks the contract. */
  readonly params: Texts | null
  /** Null when the query breaks the contract. */
  readonly query: Readonly<Record<string, unknown>> | null
  /** Path and query with their problems. */
  readonly parsed: ParsedAddress
  /** Parameters as sent, for naming a refused request; never for permission checks. */
  readonly sent: Texts
  readonly members: Readonly<Record<string, string | string[]>>
  /** The first value of each query member, as sent. */
  readonly first: Texts
  /** The fault of an invalid percent encoding; null when the encoding is valid. */
  readonly unreadable: Fault | null
}

/** Parses path and query before the permission is checked on them. @param segments path parameters, still percent-encoded */
export function readAddress(route: RouteDefinition, segments: Texts, url: string): RequestAddress {
  try {
    const sent = Object.fromEntries(
      Object.entries(segments).map(([name, segment]) => [name, decodeOnce(segment, name)]),
    )
    const query = parseQuery(url)
    const members = membersForSchema(query)
    const parsed = parseAddress(route, sent, members)
    return {
      params: parsed.paramIssues.length > 0 ? null : textsOf(route, route.params === undefined ? sent : parsed.params),
      query: parsed.queryIssues.length > 0 ? null : ((parsed.query ?? {}) as Record<string, unknown>),
      parsed,
      sent,
      members,
      first: firstOfEach(query),
      unreadable: null,
    }
  } catch (error) {
    if (!(error instanceof Fault)) throw error
    const nothing = { params: undefined, query: undefined, paramIssues: [], queryIssues: [] }
    return { params: null, query: null, parsed: nothing, sent: segments, members: {}, first: {}, unreadable: error }
  }
}

/** Parameters as text, for the ledger, the permission check and bytes handlers. */
function textsOf(route: RouteDefinition, params: unknown): Texts {
  const entries = Object.entries(params as Readonly<Record<string, unknown>>)
  return Object.fromEntries(
    entries.map(([name, value]) => {
      if (typeof value !== 'string' && typeof value !== 'number')
        throw new Error(`${route.id} parses its parameter ${name} into neither text nor a number`)
      return [name, String(value)]
    }),
  )
}

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
