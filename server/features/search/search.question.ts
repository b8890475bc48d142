/** Converts a request to a query of the index. */
import type { z } from 'zod'
import { fault, type Problem } from '../../../shared/kernel/errors.ts'
import type { density, SearchBody } from '../../../shared/search/contract.ts'
import { type SEARCH_SORTS, SEARCHED_MEDIA } from '../../../shared/search/search-values.ts'
import { type CustomField, type FieldType, misfit } from '../../../shared/templates/custom-fields.ts'
import { parseTime } from '../../../shared/kernel/time.ts'
import type { FacetFilter, FieldCondition, NamedCounts, SearchFilter, Seeker } from './search.store.ts'

export type Asked = z.output<typeof SearchBody>
export type AskedDensity = z.output<NonNullable<(typeof density)['body']>>
export type Sort = (typeof SEARCH_SORTS)[number]

/** All data of one search. */
export interface Question {
  readonly tenant: string
  readonly seeker: Seeker
  readonly filter: SearchFilter
  /** Of the oldest lines and areas only the box around them was compared with the place that is asked for. */
  readonly isRough: boolean
  /** How many rows the words match, counted as far as it matters here; null without words. */
  readonly matches: number | null
  /** How frequent the words are among the newest rows; null where no windows of these are read (kernel/database/newest-rows.ts). */
  readonly newest: NamedCounts | null
  readonly facets: FacetFilter
  readonly exact: readonly number[]
  readonly sort: Sort
  readonly after: Place | null
  readonly count: number
  /** Signal of the request: reads stop when the client has disconnected. */
  readonly signal: AbortSignal | undefined
}

/** The last hit of the previous page. `tier` is the tier of relevance. */
export interface Place {
  readonly tier: number
  readonly id: number
  readonly key: string
}

type Fields = NonNullable<SearchFilter['fields']>

/** @param deleted whether the caller may find deleted objects */
export function facetFilter({ Types, CategoryIds, States, MediaTypes }: Asked, deleted: boolean): FacetFilter {
  return {
    types: Types ?? null,
    // Ids beyond 2⁵³ cannot exist here; a rounded id must not find another category.
    categories: CategoryIds == null ? null : CategoryIds.map(Number).filter(Number.isSafeInteger),
    states: States == null ? null : States.filter((state) => state !== 'Deleted' || deleted),
    media: MediaTypes == null ? null : MediaTypes.map((type) => SEARCHED_MEDIA.indexOf(type)),
  }
}

/** Conditions on custom fields, by their types in the templates. @throws Fault InvalidModel for a value that no field of the name can have */
export function fieldsAsked(
  asked: NonNullable<Asked['CustomFields']>,
  templates: Readonly<Record<'Case' | 'Evidence', readonly CustomField[]>>,
): Fields | null {
  if (asked.length === 0) return null
  const problems: Problem[] = []
  const fields: Record<'Case' | 'Evidence', FieldCondition[] | null> = { Case: [], Evidence: [] }
  for (const [at, one] of asked.entries()) {
    const found = (['Case', 'Evidence'] as const).map((kind) => {
      const type = templates[kind].find(({ name }) => name === one.Name)?.type ?? 'Text'
      const condition = conditionOf(one, type)
      if (condition === null) fields[kind] = null
      else fields[kind]?.push(condition)
      return condition
    })
    if (found.every((condition) => condition === null))
      problems.push({ Path: `CustomFields.${at}`, Message: 'is nothing that this field could be compared with' })
  }
  if (problems.length > 0) throw fault('InvalidModel', 'The custom fields cannot be compared.', problems)
  return fields
}

type Given = NonNullable<Asked['CustomFields']>[number]

function conditionOf({ Name, Value, From, To }: Given, type: FieldType): FieldCondition | null {
  const name = Name
  const [value, from, to] = [Value ?? '', From ?? '', To ?? '']
  if (type === 'Number' || type === 'Date') {
    const read = type === 'Number' ? numberOf : dateOf
    const [first, last] = value === '' ? [from, to] : [value, value]
    const [low, high] = [read(first, 'from'), read(last, 'to')]
    return low === undefined || high === undefined
      ? null
      : { kind: type === 'Number' ? 'number' : 'date', name, from: low, to: high }
  }
  if (from !== '' || to !== '') return null
  return { kind: type === 'Text' ? 'text' : 'exact', name, value }
}

/** Null for no bound; undefined for text that is no number. */
const numberOf = (text: string): number | null | undefined =>
  text === '' ? null : misfit({ type: 'Number' }, text) === null ? Number(text) : undefined

const DAY_SECONDS = 86_400

/** Seconds since 1970; a day ends with its last millisecond. */
function dateOf(text: string, edge: 'from' | 'to'): number | null | undefined {
  if (text === '') return null
  const day = /^\d{4}-\d{2}-\d{2}$/.test(text)
  const time = parseTime(day ? `${text}T00:00:00Z` : text, { utcMember: false })
  if (time === null) return undefined
  const seconds = Number(time.ticks / 10_000n) / 1000
  return day && edge === 'to' ? seconds + DAY_SECONDS - 0.001 : seconds
}

/** The members of the request for the ledger entry. */
export function ledgerDetail(asked: Asked | AskedDensity): Record<string, unknown> {
  const {
    FromUtc,
    ToUtc,
    Cursor,
    Facets: _facets,
    Count,
    CustomFields,
    ...rest
  } = { Cursor: null, Count: null, Facets: null, ...asked }
  const plain = {
    ...rest,
    FromUtc: FromUtc?.text,
    ToUtc: ToUtc?.text,
    CustomFields: CustomFields?.map(({ Name }) => Name),
    Count,
    Further: Cursor == null ? undefined : true,
  }
  return Object.fromEntries(
    Object.entries(plain)
      .filter(([, value]) => value !== undefined && value !== null)
      .map(([name, value]) => [name.charAt(0).toLowerCase() + name.slice(1), value]),
  )
}
