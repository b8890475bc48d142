/** The address of a request: path parameters and query members, decoded once and parsed by the contract before anybody is judged by them. */
import { Fault } from '../../shared/kernel/errors.ts'
import type { RouteDefinition } from '../../shared/kernel/route.ts'
import { decodeOnce, firstOfEach, membersForSchema, parseQuery } from './target.ts'
import { type ParsedAddress, parseAddress } from './validate.ts'

type Texts = Readonly<Record<string, string>>

export interface RequestAddress {
  /** By the contract, `/evidence/007` names 7; null: the path breaks the contract. */
  readonly params: Texts | null
  /** Null: the query breaks the contract. */
  readonly query: Readonly<Record<string, unknown>> | null
  /** Both, with their problems. */
  readonly parsed: ParsedAddress
  /** Parameters as they were sent: for naming a request that was refused, never for judging it. */
  readonly sent: Texts
  readonly members: Readonly<Record<string, string | string[]>>
  /** Of each query member the first, as sent. */
  readonly first: Texts
  /** Null: the percent encoding is sound. */
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

/** What the ledger, the permission check and the handlers of bytes are given is text. */
function textsOf(route: RouteDefinition, params: unknown): Texts {
  const entries = Object.entries(params as Readonly<Record<string, unknown>>)
  return Object.fromEntries(
    entries.map(([name, value]) => {
      if (typeof value !== 'string' && typeof value !== 'number')
        throw new Error(`${route.id} parses its parameter ${name} into something that is no text`)
      return [name, String(value)]
    }),
  )
}
