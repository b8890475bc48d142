/** Path parameters and query members of a request, decoded once and parsed by the contract before the permission is checked on them. */
import { Fault } from '../../shared/kernel/errors.ts'
import type { RouteDefinition } from '../../shared/kernel/route.ts'
import { decodeOnce, firstOfEach, membersForSchema, parseQuery } from './target.ts'
import { type ParsedAddress, parseAddress } from './validate.ts'

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

/** @param segments path parameters, still percent-encoded */
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
