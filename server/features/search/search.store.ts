import { type CompiledQuery, type Kysely, type RawBuilder, sql } from 'kysely'
import type { SearchMatch } from '../../../shared/search/search-query.ts'
import type { Database } from '../../kernel/database/database.ts'
import { countTerms, isSmall, type NewestCounts, type RowRange } from '../../kernel/database/newest-rows.ts'
import { idsTouching } from '../../kernel/database/overlapping.ts'
import type { Tables } from '../../kernel/database/tables.ts'
import { caseViewable, isGathered, type Viewer, viewable } from '../../kernel/access/viewable.store.ts'
import {
  among,
  asInteger,
  asNumber,
  byIndex,
  eachTime,
  greatestOf,
  hasWords,
  hasWordsByRow,
  inSetOr,
  joinInOrder,
  jsonPairs,
  leastOf,
  listOf,
  membersOf,
  positionOf,
  rowHasWords,
  secondsOf,
  sortedAside,
  withoutIndex,
  wordsRow,
} from '../../kernel/database/expressions.ts'
import { type Placed, placed, real } from './search-where.store.ts'

/** Queries of the search index (migrations/first-release/search.ts). Every query here is limited to objects that the caller can view. */

export type Db = Kysely<Tables>
export type Condition = RawBuilder<unknown>

/** Kinds by their number in the column `kind`. */
export const KINDS = ['Case', 'Evidence', 'User', 'Group', 'Device'] as const
export type Kind = (typeof KINDS)[number]
const kindOf = (kind: Kind): number => KINDS.indexOf(kind)

/** The caller, and what they may find. */
export interface Seeker extends Viewer {
  readonly kinds: readonly Kind[]
  /** Devices that may be found: without the policy ManageDevices only devices that the caller was ever associated with. */
  readonly devices: 'all' | 'own'
  /** Whether deleted objects are requested by a caller who may restore them. */
  readonly deleted: boolean
}

/** A condition on a custom field. Values are compared by the field's type in the template. */
export type FieldCondition =
  | {
      readonly kind: 'number' | 'date'
      readonly name: string
      readonly from: number | null
      readonly to: number | null
    }
  | { readonly kind: 'text' | 'exact'; readonly name: string; readonly value: string }

export interface SearchFilter extends Placed {
  readonly match: SearchMatch
  readonly fromTicks: bigint | null
  readonly toTicks: bigint | null
  readonly deviceId: string | null
  /** Sets of cases to which the evidence, or the case itself, must belong. Only cases that the caller can view. */
  readonly inCases: readonly {
    readonly cases: readonly number[]
    readonly itself: boolean
    readonly exclude: boolean
  }[]
  readonly unassociated: boolean
  /** Sets of categories, one for each category word of the query; all must match. */
  readonly inCategories: readonly { readonly ids: readonly number[]; readonly exclude: boolean }[]
  /** Conditions by kind, typed by its template; null when no object of the kind can match. */
  readonly fields: Readonly<Record<'Case' | 'Evidence', readonly FieldCondition[] | null>> | null
  /** No row outside of these is found: by the time that is asked for, or because the newest are enough. */
  readonly rows: RowRange | null
}

/** The filters of facets; each facet ignores its own. */
export interface FacetFilter {
  readonly types: readonly Kind[] | null
  readonly categories: readonly number[] | null
  readonly states: readonly string[] | null
  /** Values of the column `media`. */
  readonly media: readonly number[] | null
}

/** How many rows the words match, regardless of access; counted to one more than `most`. */
export async function countMatches(
  db: Pick<Database, 'read' | 'longRead'>,
  match: string,
  most: number,
): Promise<number> {
  const asked = sql<{ n: number }>`
    SELECT count(*) AS n FROM (SELECT 1 FROM search_words WHERE ${hasWords('search_words', match)} LIMIT ${most + 1}) counted`
  const [found] = await db.longRead(asked.compile(db.read), undefined, 'few')
  return found?.n ?? 0
}

/** So many rows that touch a time are looked through for the first and the last. */
const MOST_TOUCHING = 300_000

/**
 * The rows between the first and the last that touch the time from `fromTicks` on. Null where these are too many to be looked through, or where
 * most rows between them are of other times.
 */
export async function rowsTouching(
  db: Pick<Database, 'read' | 'longRead'>,
  tenant: string,
  filter: Pick<SearchFilter, 'fromTicks' | 'toTicks'>,
): Promise<Omit<RowRange, 'each'> | null> {
  const asked = sql<{ n: number; first: number | null; last: number | null }>`
    SELECT count(*) AS n, min(search_id) AS first, max(search_id) AS last
    FROM (SELECT search_id FROM (${touching(tenant, filter)}) touching LIMIT ${MOST_TOUCHING + 1}) few`
  const { n, first, last } = (await db.longRead(asked.compile(db.read)))[0] ?? { n: 0, first: null, last: null }
  if (first === null || last === null) return { from: 1, to: 0 }
  return n > MOST_TOUCHING || last - first > 4 * n + FEW_ROWS ? null : { from: first, to: last }
}
const FEW_ROWS = 10_000

/** Of the newest rows, those that have the words, and those that have them in the name or in a number; 0 where this does not matter. */
export interface NamedCounts extends NewestCounts {
  readonly named: number
}

/** Counts the newest rows that have the words. @param looked how many are looked at @returns null without words, and where these are much of all rows */
export async function countNewest(
  db: Pick<Database, 'read' | 'longRead'>,
  { all: match, named }: SearchMatch,
  looked: number,
): Promise<NamedCounts | null> {
  if (match === null) return null
  const { rows } = await sql<{ last: number | null }>`SELECT max(search_id) AS last FROM search_list`.execute(db.read)
  const last = rows[0]?.last ?? 0
  if (isSmall(last, looked)) return null
  const has = (words: string): Condition => hasWordsByRow('search_words', words)
  const asked = sql<{ n: number; named: number }>`
    SELECT count(*) FILTER (WHERE ${has(match)}) AS n, count(*) FILTER (WHERE ${named === null ? NEVER : has(named)}) AS named
    FROM search_words WHERE ${wordsRow()} > ${asInteger(last - looked)}`
  const [counts] = await db.longRead(asked.compile(db.read))
  return { last, looked, terms: countTerms(match), all: counts?.n ?? 0, named: counts?.named ?? 0 }
}

const all = (parts: readonly Condition[]): Condition => sql.join(parts as Condition[], sql` AND `)
const list = (values: readonly unknown[]): Condition => sql`(${sql.join(values as unknown[])})`
const NEVER = sql`FALSE`
const ALWAYS = sql`TRUE`

const MINUTE = 600_000_000n
/** Outside all valid times (decisions 1), and far enough from the integer limits for arithmetic. */
const FIRST = -700_000_000_000_000_000n
const LAST = 300_000_000_000_000_000n

function overlap(from: bigint | null, to: bigint | null): Condition {
  const [first, last] = [from ?? FIRST, to ?? LAST]
  const least = last - first < MINUTE ? last - first : MINUTE
  return sql`${leastOf(sql.ref('s.to_ticks'), last)} - ${greatestOf(sql.ref('s.from_ticks'), first)} >= ${leastOf(least, greatestOf(sql`s.to_ticks - s.from_ticks`, sql.lit(0)))}`
}

function fieldHolds(field: FieldCondition): Condition {
  const { name } = field
  switch (field.kind) {
    case 'number':
      return sql`(f.key = ${name} AND ${asNumber('f.value')} >= ${real(field.from ?? -Number.MAX_VALUE)} AND ${asNumber('f.value')} <= ${real(field.to ?? Number.MAX_VALUE)})`
    case 'date':
      return sql`(f.key = ${name} AND ${secondsOf('f.value')} >= ${real(field.from ?? -1e15)} AND ${secondsOf('f.value')} <= ${real(field.to ?? 1e15)})`
    case 'text':
      return sql`(f.key = ${name} AND ${positionOf(sql`lower(f.value)`, sql`lower(${field.value})`)} > 0)`
    case 'exact':
      return sql`(f.key = ${name} AND f.value = ${field.value})`
  }
}

/** Whether JSON writes a text as it is. */
const isPlain = (text: string): boolean => !/["\\\p{Cc}]/u.test(text)

/** What the JSON of the fields holds where the condition is true. It is looked for before the JSON is read, which costs more. */
function mayHold({ name, ...asked }: FieldCondition): Condition {
  const fields = sql.ref('o.custom_fields')
  const sought = asked.kind === 'text' || asked.kind === 'exact' ? asked.value : name
  if (!isPlain(sought)) return ALWAYS
  if (asked.kind === 'text') return sql`${positionOf(sql`lower(${fields})`, sql`lower(${sought})`)} > 0`
  return sql`${positionOf(fields, sql`${sought}`)} > 0`
}

function fieldsHold(fields: NonNullable<SearchFilter['fields']>): Condition {
  const of = (kind: 'Case' | 'Evidence', from: Condition): Condition => {
    const asked = fields[kind]
    if (asked === null) return NEVER
    const each = asked.map(
      (field) =>
        sql`EXISTS (SELECT 1 FROM ${from} AND ${mayHold(field)} AND EXISTS (
          SELECT 1 FROM ${jsonPairs(sql.ref('o.custom_fields'))} f WHERE ${fieldHolds(field)}))`,
    )
    return sql`(${withoutIndex('s.kind')} = ${kindOf(kind)} AND ${all(each)})`
  }
  return sql`(${of('Case', sql`cases o WHERE o.case_id = s.object_id`)}
    OR ${of('Evidence', sql`evidence o WHERE o.evidence_id = s.object_id`)})`
}

function ofCases({ cases, itself, exclude }: SearchFilter['inCases'][number]): Condition {
  if (cases.length === 0) return exclude ? ALWAYS : NEVER
  const linked = sql`(s.kind = ${kindOf('Evidence')} AND s.object_id IN (SELECT k.evidence_id FROM case_links k WHERE k.case_id IN ${list(cases)}))`
  const found = itself ? sql`(${linked} OR (s.kind = ${kindOf('Case')} AND s.object_id IN ${list(cases)}))` : linked
  return exclude ? sql`NOT ${found}` : found
}

function ofCategories({ ids, exclude }: SearchFilter['inCategories'][number]): Condition {
  if (ids.length === 0) return exclude ? ALWAYS : NEVER
  return exclude ? sql`coalesce(s.category_id NOT IN ${list(ids)}, TRUE)` : sql`s.category_id IN ${list(ids)}`
}

/**
 * For a caller who views much, rows are read in their order until there are enough. By an index of kinds SQLite would read all of a station, and
 * sort them.
 */
const kindColumn = (seeker: Seeker): Condition => (isGathered(seeker) ? sql`s.kind` : withoutIndex('s.kind'))

function canView(seeker: Seeker): Condition {
  const { kinds } = seeker
  const parts: Condition[] = []
  const kind = kindColumn(seeker)
  if (kinds.includes('Case')) parts.push(sql`(${kind} = 0 AND ${caseViewable('s.object_id', seeker)})`)
  if (kinds.includes('Evidence')) parts.push(sql`(${kind} = 1 AND ${viewable('s.object_id', seeker)})`)
  const people = kinds.filter((one) => one === 'User' || one === 'Group')
  if (people.length > 0) parts.push(sql`${kind} IN ${list(people.map(kindOf))}`)
  if (kinds.includes('Device')) parts.push(sql`(${kind} = 4 AND ${ofDevices('s.object_id', seeker)})`)
  return parts.length === 0 ? NEVER : sql`(${sql.join(parts, sql` OR `)})`
}

const ofDevices = (number: string, { devices, identities }: Seeker): Condition =>
  devices === 'all'
    ? ALWAYS
    : sql`${sql.ref(number)} IN (SELECT n.number FROM device_associations a JOIN search_devices n ON n.device_id = a.device_id
        WHERE a.principal_id IN (${among([...identities])}))`

const touching = (
  tenant: string,
  { fromTicks: from, toTicks: to }: Pick<SearchFilter, 'fromTicks' | 'toTicks'>,
): Condition =>
  idsTouching(
    { table: 'search_list', short: 'search_list_short', id: 'search_id', from: 'from_ticks', to: 'to_ticks' },
    tenant,
    { from, to },
  )

/** All conditions except access, the filters of facets and the words. */
export function conditions(tenant: string, seeker: Seeker, filter: SearchFilter): Condition[] {
  const { fromTicks, toTicks, deviceId, inCases, unassociated, inCategories, fields, match, rows } = filter
  const parts: Condition[] = [sql`${withoutIndex('s.tenant_id')} = ${tenant}`]
  if (!seeker.deleted) parts.push(sql`s.state <> 'Deleted'`)
  if (fromTicks !== null || toTicks !== null) parts.push(overlap(fromTicks, toTicks))
  if (rows !== null) parts.push(sql`s.search_id >= ${rows.from} AND s.search_id <= ${rows.to}`)
  // For callers who can view little, access decides the plan.
  else if (fromTicks !== null && match.all === null && !isGathered(seeker))
    parts.push(sql`s.search_id IN (${touching(tenant, filter)})`)
  if (deviceId !== null) parts.push(sql`s.device_id = ${deviceId}`)
  parts.push(...inCases.map(ofCases), ...inCategories.map(ofCategories))
  if (unassociated)
    parts.push(
      sql`(${kindColumn(seeker)} = 1 AND NOT EXISTS (SELECT 1 FROM case_links u WHERE u.evidence_id = s.object_id ${eachTime()}))`,
    )
  parts.push(...placed(filter))
  if (fields !== null) parts.push(fieldsHold(fields))
  if (match.without !== null) parts.push(sql`NOT ${rowHasWords(sql.ref('s.search_id'), match.without)}`)
  return parts
}

export function facetConditions({ types, categories, states, media }: FacetFilter): Condition[] {
  const parts: Condition[] = []
  if (types !== null) parts.push(types.length === 0 ? NEVER : sql`s.kind IN ${list(types.map(kindOf))}`)
  if (categories !== null) parts.push(categories.length === 0 ? NEVER : sql`s.category_id IN ${list(categories)}`)
  if (states !== null)
    parts.push(
      states.length === 0
        ? NEVER
        : sql`(s.state IN ${list(states)}${states.includes('Protected') ? sql` OR s.protected = 1` : sql``})`,
    )
  if (media !== null) parts.push(media.length === 0 ? NEVER : sql`s.media IN ${list(media)}`)
  return parts
}

/** Evaluates the words first: with a plain join SQLite may scan the whole list. */
export const found = (match: string | null): Condition =>
  match === null
    ? sql`search_list s`
    : sql`search_words w ${joinInOrder()} search_list s ON s.search_id = ${wordsRow('w')}`
export const says = (match: string | null, { box, near, apart, rows }: SearchFilter): Condition[] =>
  match === null
    ? []
    : [
        rows?.each === true ? hasWordsByRow('w.search_words', match) : hasWords('w.search_words', match),
        ...(rows === null
          ? []
          : [sql`${wordsRow('w')} >= ${asInteger(rows.from)} AND ${wordsRow('w')} <= ${asInteger(rows.to)}`]),
        // A part of the map usually contains few objects and has its own index.
        ...(box === null && near === null
          ? []
          : [
              sql`${withoutIndex(wordsRow('w'))} IN (SELECT s.search_id FROM search_list s WHERE s.west IS NOT NULL AND ${all(placed({ box, near, apart }))})`,
            ]),
      ]

/**
 * For callers who can view few objects: each match is compared with the few before its row is read. The plus keeps SQLite from querying the
 * index once for each of the few.
 */
function amongFew(match: string | null, seeker: Seeker): Condition {
  const { kinds } = seeker
  const rows = (what: Condition): Condition => sql`SELECT v.search_id FROM search_list v WHERE ${what}`
  const few = [
    ...(kinds.includes('Case') ? [rows(sql`v.kind = 0 AND ${caseViewable('v.object_id', seeker)}`)] : []),
    ...(kinds.includes('Evidence') ? [rows(sql`v.kind = 1 AND ${viewable('v.object_id', seeker)}`)] : []),
    ...(kinds.includes('User') ? [rows(sql`v.kind IN (2, 3)`)] : []),
    ...(kinds.includes('Device') ? [rows(sql`v.kind = 4 AND ${ofDevices('v.object_id', seeker)}`)] : []),
  ]
  return few.length === 0 ? NEVER : sql`${withoutIndex(placeOf(match))} IN (${sql.join(few, sql` UNION ALL `)})`
}

/** The access condition, which every query contains: only objects that the caller can view. */
export function mayView(match: string | null, seeker: Seeker): Condition {
  if (!isGathered(seeker)) return canView(seeker)
  return match === null ? inSetOr(amongFew(match, seeker), canView(seeker)) : amongFew(match, seeker)
}
export const placeOf = (match: string | null): Condition => (match === null ? sql`s.search_id` : wordsRow('w'))

export interface CubeCell {
  readonly kind: number
  readonly category_id: number | null
  readonly state: string
  readonly protected: number
  readonly media: number | null
  readonly n: number
}

/** Counts each combination of facet values, over at most the newest `most` rows. For a long read. */
export const countedCube = (
  db: Db,
  tenant: string,
  seeker: Seeker,
  filter: SearchFilter,
  most: number,
): CompiledQuery<CubeCell> => {
  const { all: match } = filter.match
  return sql<CubeCell>`
    SELECT kind, category_id, state, protected, media, count(*) AS n FROM (
      SELECT s.kind, s.category_id, s.state, s.protected, s.media FROM ${found(match)}
      WHERE ${all([...says(match, filter), ...conditions(tenant, seeker, filter), mayView(match, seeker)])} ORDER BY ${placeOf(match)} DESC LIMIT ${most}
    ) newest GROUP BY kind, category_id, state, protected, media`.compile(db)
}

/** Counts hits, up to `most`. For a long read. */
export const countedHits = (
  db: Db,
  tenant: string,
  seeker: Seeker,
  filter: SearchFilter,
  facets: FacetFilter,
  most: number,
): CompiledQuery<{ n: number }> => {
  const { all: match } = filter.match
  // Without words the sort order makes SQLite use the ids of the time range instead of scanning everything.
  const order = match === null ? sql`ORDER BY s.search_id DESC` : sql``
  const parts = [
    ...says(match, filter),
    ...facetConditions(facets),
    ...conditions(tenant, seeker, filter),
    mayView(match, seeker),
  ]
  return sql<{
    n: number
  }>`SELECT count(*) AS n FROM (SELECT 1 FROM ${found(match)} WHERE ${all(parts)} ${order} LIMIT ${most}) counted`.compile(
    db,
  )
}

/** One part of an order: matching rows by time of creation. */
export interface Stretch {
  readonly match: string | null
  readonly notMatch: string | null
  /** Only these, or none of these. */
  readonly only: readonly number[] | null
  readonly not: readonly number[]
  readonly direction: 'asc' | 'desc'
  readonly after: number | null
  readonly count: number
  /** What the words match is few: all of it is found and sorted. */
  readonly gather: boolean
}

export interface HitRow {
  readonly search_id: number
  readonly kind: number
  readonly object_id: number
  readonly state: string
  readonly protected: number
  readonly category_id: number | null
  readonly media: number | null
  readonly name_key: string
}
const HIT = sql`s.search_id, s.kind, s.object_id, s.state, s.protected, s.category_id, s.media, s.name_key`

/** `named`: the words occur in its name or numbers; known only when `sure`. */
export interface LookedRow extends HitRow {
  readonly named: 0 | 1
  readonly sure: 0 | 1
}

/**
 * The newest found rows, before the filters of facets. For a long read.
 * @param names how many names are checked; null: all, because the words match no more
 * @param gather as of a stretch
 */
export function newestRows(
  db: Db,
  tenant: string,
  seeker: Seeker,
  filter: SearchFilter,
  count: number,
  names: number | null,
  gather: boolean,
): CompiledQuery<LookedRow> {
  const { all: match, named } = filter.match
  const those = (words: string): Condition =>
    sql`SELECT ${wordsRow()} FROM search_words WHERE ${hasWords('search_words', words)} ORDER BY ${wordsRow()} DESC`
  const isNamed =
    named === null
      ? sql`0 AS named, 1 AS sure`
      : names === null
        ? sql`${rowHasWords(sql.ref('s.search_id'), named)} AS named, 1 AS sure`
        : sql`s.search_id IN (${those(named)} LIMIT ${names}) AS named,
            s.search_id >= coalesce((${those(named)} LIMIT 1 OFFSET ${names - 1}), 0) AS sure`
  return sql<LookedRow>`SELECT ${HIT}, ${isNamed} FROM ${found(match)}
    WHERE ${all([...says(match, filter), ...conditions(tenant, seeker, filter), mayView(match, seeker)])}
    ORDER BY ${gather ? sortedAside(placeOf(match)) : placeOf(match)} DESC LIMIT ${count}`.compile(db)
}

/** The rows among these whose names contain the words. For a long read: one pass over all names, instead of one for each row. */
export const namedAmong = (db: Db, named: string, ids: readonly number[]): CompiledQuery<{ search_id: number }> =>
  sql<{
    search_id: number
  }>`SELECT ${wordsRow()} AS search_id FROM search_words WHERE ${hasWords('search_words', named)}
    AND ${wordsRow()} >= ${asInteger(Math.min(...ids))} AND ${wordsRow()} <= ${asInteger(Math.max(...ids))}
    AND ${withoutIndex(wordsRow())} IN ${membersOf(listOf(ids))}`.compile(db)

/** For a long read. */
export function hitsByPlace(
  db: Db,
  tenant: string,
  seeker: Seeker,
  filter: SearchFilter,
  facets: FacetFilter,
  { match, notMatch, only, not, direction, after, count, gather }: Stretch,
): CompiledQuery<HitRow> {
  const place = placeOf(match)
  const parts: Condition[] = [...says(match, filter)]
  if (after !== null) parts.push(sql`${place} ${sql.raw(direction === 'desc' ? '<' : '>')} ${asInteger(after)}`)
  if (only !== null) parts.push(only.length === 0 ? NEVER : sql`s.search_id IN ${list(only)}`)
  if (not.length > 0) parts.push(sql`s.search_id NOT IN ${list(not)}`)
  parts.push(...facetConditions(facets), ...conditions(tenant, seeker, filter), mayView(match, seeker))
  if (notMatch !== null) parts.push(sql`NOT ${rowHasWords(sql.ref('s.search_id'), notMatch)}`)
  return sql<HitRow>`SELECT ${HIT} FROM ${found(match)} WHERE ${all(parts)}
    ORDER BY ${gather ? sortedAside(place) : place} ${sql.raw(direction)} LIMIT ${count}`.compile(db)
}

/**
 * Hits by name. `walk` follows the order of names and skips rows that do not match; otherwise matching rows are collected and sorted. The
 * faster way depends on the number of matches, which SQLite cannot know. For a long read.
 */
export function hitsByName(
  db: Db,
  tenant: string,
  seeker: Seeker,
  filter: SearchFilter,
  facets: FacetFilter,
  { after, count, walk }: { after: { key: string; id: number } | null; count: number; walk: boolean },
): CompiledQuery<HitRow> {
  const { all: match } = filter.match
  const parts = [
    ...facetConditions(facets),
    ...conditions(tenant, seeker, filter),
    mayView(walk ? null : match, seeker),
  ]
  if (walk) {
    parts.unshift(sql`s.tenant_id = ${tenant}`)
    if (after !== null) parts.push(sql`(s.name_key, s.search_id) > (${after.key}, ${after.id})`)
    if (match !== null) parts.push(rowHasWords(sql.ref('s.search_id'), match))
    return sql<HitRow>`SELECT ${HIT} FROM search_list s ${byIndex('search_list_by_name')} WHERE ${all(parts)}
      ORDER BY s.name_key, s.search_id LIMIT ${count}`.compile(db)
  }
  if (after !== null)
    parts.push(sql`(${withoutIndex('s.name_key')}, ${withoutIndex('s.search_id')}) > (${after.key}, ${after.id})`)
  return sql<HitRow>`SELECT ${HIT} FROM ${found(match)} WHERE ${all([...says(match, filter), ...parts])}
    ORDER BY ${sortedAside(sql.ref('s.name_key'))}, ${sortedAside(sql.ref('s.search_id'))} LIMIT ${count}`.compile(db)
}
