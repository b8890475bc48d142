import { type CompiledQuery, type Kysely, type RawBuilder, sql } from 'kysely'
import type { SearchMatch } from '../../../shared/search/search-query.ts'
import type { Database } from '../../kernel/database/database.ts'
import { asInteger } from '../../kernel/database/integers.ts'
import { idsTouching } from '../../kernel/database/overlapping.ts'
import type { Tables } from '../../kernel/database/tables.ts'
import { caseViewable, isGathered, type Viewer, viewable } from '../../kernel/access/viewable.store.ts'

/** What is found, from the index that migrations/first-release/search.ts keeps. Every question here asks for what the caller can view alone. */

type Db = Kysely<Tables>
type Condition = RawBuilder<unknown>

/** In the order of the column `kind`. */
export const KINDS = ['Case', 'Evidence', 'User', 'Group', 'Device'] as const
export type Kind = (typeof KINDS)[number]
const kindOf = (kind: Kind): number => KINDS.indexOf(kind)

/** Who asks, and what they may find at all. */
export interface Seeker extends Viewer {
  readonly kinds: readonly Kind[]
  /** Whose devices: without the policy ManageDevices only those that the caller was ever associated with. */
  readonly devices: 'all' | 'own'
  /** Deleted ones are asked for, by somebody who may restore them. */
  readonly deleted: boolean
}

/** Of a custom field; a value is compared as what the template says it is. */
export type FieldCondition =
  | {
      readonly kind: 'number' | 'date'
      readonly name: string
      readonly from: number | null
      readonly to: number | null
    }
  | { readonly kind: 'text' | 'exact'; readonly name: string; readonly value: string }

export interface SearchFilter {
  readonly match: SearchMatch
  readonly fromTicks: bigint | null
  readonly toTicks: bigint | null
  readonly deviceId: string | null
  /** Cases that evidence, or the case itself, has to belong to: all of these sets. Only ones that the caller can view. */
  readonly inCases: readonly {
    readonly cases: readonly number[]
    readonly itself: boolean
    readonly exclude: boolean
  }[]
  readonly unassociated: boolean
  /** Categories by a word of the query: in each of these sets. */
  readonly inCategories: readonly { readonly ids: readonly number[]; readonly exclude: boolean }[]
  /** By kind, as its template types them; null: no object of the kind can have them. */
  readonly fields: Readonly<Record<'Case' | 'Evidence', readonly FieldCondition[] | null>> | null
  readonly box: readonly [west: number, south: number, east: number, north: number] | null
}

/** What facets count; each of them leaves its own out. */
export interface FacetFilter {
  readonly types: readonly Kind[] | null
  readonly categories: readonly number[] | null
  readonly states: readonly string[] | null
  /** Places in the column `media`. */
  readonly media: readonly number[] | null
}

/** Whether the words find no more than `most` rows, whoever may view them. */
export async function matchesFew(
  db: Pick<Database, 'read' | 'longRead'>,
  match: string,
  most: number,
): Promise<boolean> {
  const asked = sql<{ n: number }>`
    SELECT count(*) AS n FROM (SELECT 1 FROM search_words WHERE search_words MATCH ${match} LIMIT ${most + 1})`
  const [found] = await db.longRead(asked.compile(db.read))
  return (found?.n ?? 0) <= most
}

const all = (parts: readonly Condition[]): Condition => sql.join(parts as Condition[], sql` AND `)
const list = (values: readonly unknown[]): Condition => sql`(${sql.join(values as unknown[])})`
const NEVER = sql`0`

const MINUTE = 600_000_000n
/** Beyond every time there is (decisions 1), and far enough from the ends of the integers to be reckoned with. */
const FIRST = -700_000_000_000_000_000n
const LAST = 300_000_000_000_000_000n

function overlap(from: bigint | null, to: bigint | null): Condition {
  const [first, last] = [from ?? FIRST, to ?? LAST]
  const least = last - first < MINUTE ? last - first : MINUTE
  return sql`min(s.to_ticks, ${last}) - max(s.from_ticks, ${first}) >= min(${least}, max(s.to_ticks - s.from_ticks, 0))`
}

function inBox([west, south, east, north]: NonNullable<SearchFilter['box']>): Condition {
  const across =
    west <= east ? sql`s.west <= ${east} AND s.east >= ${west}` : sql`(s.west <= ${east} OR s.east >= ${west})`
  return sql`(s.south <= ${north} AND s.north >= ${south} AND ${across})`
}

/**
 * Values are texts. Compared with a number SQLite takes a text that is one for a number, and every other text for greater than all numbers.
 */
function fieldHolds(field: FieldCondition): Condition {
  const { name } = field
  switch (field.kind) {
    case 'number':
      return sql`(f.key = ${name} AND f.value >= CAST(${String(field.from ?? -Number.MAX_VALUE)} AS REAL) AND f.value <= CAST(${String(field.to ?? Number.MAX_VALUE)} AS REAL))`
    case 'date':
      return sql`(f.key = ${name} AND unixepoch(f.value, 'subsec') >= CAST(${String(field.from ?? -1e15)} AS REAL) AND unixepoch(f.value, 'subsec') <= CAST(${String(field.to ?? 1e15)} AS REAL))`
    case 'text':
      return sql`(f.key = ${name} AND instr(lower(f.value), lower(${field.value})) > 0)`
    case 'exact':
      return sql`(f.key = ${name} AND f.value = ${field.value})`
  }
}

function fieldsHold(fields: NonNullable<SearchFilter['fields']>): Condition {
  const of = (kind: 'Case' | 'Evidence', column: Condition): Condition => {
    const asked = fields[kind]
    if (asked === null) return NEVER
    return sql`(s.kind = ${kindOf(kind)} AND ${all(asked.map((field) => sql`EXISTS (SELECT 1 FROM json_each(${column}) f WHERE ${fieldHolds(field)})`))})`
  }
  return sql`(${of('Case', sql`(SELECT c.custom_fields FROM cases c WHERE c.case_id = s.object_id)`)}
    OR ${of('Evidence', sql`(SELECT e.custom_fields FROM evidence e WHERE e.evidence_id = s.object_id)`)})`
}

function ofCases({ cases, itself, exclude }: SearchFilter['inCases'][number]): Condition {
  if (cases.length === 0) return exclude ? sql`1` : NEVER
  const linked = sql`(s.kind = ${kindOf('Evidence')} AND s.object_id IN (SELECT k.evidence_id FROM case_links k WHERE k.case_id IN ${list(cases)}))`
  const found = itself ? sql`(${linked} OR (s.kind = ${kindOf('Case')} AND s.object_id IN ${list(cases)}))` : linked
  return exclude ? sql`NOT ${found}` : found
}

function ofCategories({ ids, exclude }: SearchFilter['inCategories'][number]): Condition {
  if (ids.length === 0) return exclude ? sql`1` : NEVER
  return exclude ? sql`coalesce(s.category_id NOT IN ${list(ids)}, 1)` : sql`s.category_id IN ${list(ids)}`
}

function canView(seeker: Seeker): Condition {
  const { kinds } = seeker
  const parts: Condition[] = []
  if (kinds.includes('Case')) parts.push(sql`(s.kind = 0 AND ${caseViewable('s.object_id', seeker)})`)
  if (kinds.includes('Evidence')) parts.push(sql`(s.kind = 1 AND ${viewable('s.object_id', seeker)})`)
  const people = kinds.filter((kind) => kind === 'User' || kind === 'Group')
  if (people.length > 0) parts.push(sql`s.kind IN ${list(people.map(kindOf))}`)
  if (kinds.includes('Device')) parts.push(sql`(s.kind = 4 AND ${ofDevices('s.object_id', seeker)})`)
  return parts.length === 0 ? NEVER : sql`(${sql.join(parts, sql` OR `)})`
}

const ofDevices = (number: string, { devices, identities }: Seeker): Condition =>
  devices === 'all'
    ? sql`1`
    : sql`${sql.ref(number)} IN (SELECT n.number FROM device_associations a JOIN search_devices n ON n.device_id = a.device_id
        WHERE a.principal_id IN ${list([...identities])})`

const touching = (tenant: string, { fromTicks: from, toTicks: to }: SearchFilter): Condition =>
  idsTouching(
    { table: 'search_list', short: 'search_list_short', id: 'search_id', from: 'from_ticks', to: 'to_ticks' },
    tenant,
    { from, to },
  )

/** Everything but rights, the facets' own members and the words. */
function conditions(tenant: string, seeker: Seeker, filter: SearchFilter): Condition[] {
  const { fromTicks, toTicks, deviceId, inCases, unassociated, inCategories, fields, box, match } = filter
  const parts: Condition[] = [sql`+s.tenant_id = ${tenant}`]
  if (!seeker.deleted) parts.push(sql`s.state <> 'Deleted'`)
  if (fromTicks !== null || toTicks !== null) parts.push(overlap(fromTicks, toTicks))
  // Who can view little is led by that.
  if (fromTicks !== null && match.all === null && !isGathered(seeker))
    parts.push(sql`s.search_id IN (${touching(tenant, filter)})`)
  if (deviceId !== null) parts.push(sql`s.device_id = ${deviceId}`)
  parts.push(...inCases.map(ofCases), ...inCategories.map(ofCategories))
  if (unassociated)
    parts.push(sql`(s.kind = 1 AND NOT EXISTS (SELECT 1 FROM case_links u WHERE u.evidence_id = s.object_id))`)
  if (box !== null) parts.push(inBox(box))
  if (fields !== null) parts.push(fieldsHold(fields))
  if (match.without !== null)
    parts.push(sql`s.search_id NOT IN (SELECT rowid FROM search_words WHERE search_words MATCH ${match.without})`)
  return parts
}

function facetConditions({ types, categories, states, media }: FacetFilter): Condition[] {
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

/** Words first: a plain join would let SQLite walk the whole list instead. */
const found = (match: string | null): Condition =>
  match === null ? sql`search_list s` : sql`search_words w CROSS JOIN search_list s ON s.search_id = w.rowid`
const says = (match: string | null, { box }: SearchFilter): Condition[] =>
  match === null
    ? []
    : [
        sql`w.search_words MATCH ${match}`,
        // What lies in a part of the map is few as a rule, and stands in an index of its own.
        ...(box === null
          ? []
          : [sql`+w.rowid IN (SELECT s.search_id FROM search_list s WHERE s.west IS NOT NULL AND ${inBox(box)})`]),
      ]

/**
 * Who can view little of what half the station matches: each match is held against the few first, before its row is looked up. The plus
 * keeps SQLite from asking the index once for each of them instead.
 */
function amongFew(seeker: Seeker): Condition {
  const { kinds } = seeker
  const rows = (what: Condition): Condition => sql`SELECT v.search_id FROM search_list v WHERE ${what}`
  const few = [
    ...(kinds.includes('Case') ? [rows(sql`v.kind = 0 AND ${caseViewable('v.object_id', seeker)}`)] : []),
    ...(kinds.includes('Evidence') ? [rows(sql`v.kind = 1 AND ${viewable('v.object_id', seeker)}`)] : []),
    ...(kinds.includes('User') ? [rows(sql`v.kind IN (2, 3)`)] : []),
    ...(kinds.includes('Device') ? [rows(sql`v.kind = 4 AND ${ofDevices('v.object_id', seeker)}`)] : []),
  ]
  return few.length === 0 ? NEVER : sql`+w.rowid IN (${sql.join(few, sql` UNION ALL `)})`
}

/** Every question holds this, with the very words that it is led by: what the caller can view, and nothing else. */
const mayView = (match: string | null, seeker: Seeker): Condition =>
  match !== null && isGathered(seeker) ? amongFew(seeker) : canView(seeker)
const placeOf = (match: string | null): Condition => (match === null ? sql`s.search_id` : sql`w.rowid`)

export interface CubeCell {
  readonly kind: number
  readonly category_id: number | null
  readonly state: string
  readonly protected: number
  readonly media: number | null
  readonly n: number
}

/** How many there are of each combination of what facets count; of at most `most`, the newest. For a long read. */
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
    ) GROUP BY kind, category_id, state, protected, media`.compile(db)
}

/** How many there are, of at most `most`. For a long read. */
export const countedHits = (
  db: Db,
  tenant: string,
  seeker: Seeker,
  filter: SearchFilter,
  facets: FacetFilter,
  most: number,
): CompiledQuery<{ n: number }> => {
  const { all: match } = filter.match
  // Without words the order leads SQLite by the ids that a time names, where it would else walk through everything.
  const order = match === null ? sql`ORDER BY s.search_id DESC` : sql``
  const parts = [
    ...says(match, filter),
    ...facetConditions(facets),
    ...conditions(tenant, seeker, filter),
    mayView(match, seeker),
  ]
  return sql<{
    n: number
  }>`SELECT count(*) AS n FROM (SELECT 1 FROM ${found(match)} WHERE ${all(parts)} ${order} LIMIT ${most})`.compile(db)
}

/** One part of an order: rows that match, by when they came. */
export interface Stretch {
  readonly match: string | null
  readonly notMatch: string | null
  /** Only these, or none of these. */
  readonly only: readonly number[] | null
  readonly not: readonly number[]
  readonly direction: 'asc' | 'desc'
  readonly after: number | null
  readonly count: number
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

/** `named`: the words stand in its name or its numbers; only where it is `sure`. */
export interface LookedRow extends HitRow {
  readonly named: 0 | 1
  readonly sure: 0 | 1
}

/**
 * The newest that are found, whatever facets leave out. For a long read.
 * @param names so many names are looked through; null: all, the words are known to find no more
 */
export function newestRows(
  db: Db,
  tenant: string,
  seeker: Seeker,
  filter: SearchFilter,
  count: number,
  names: number | null,
): CompiledQuery<LookedRow> {
  const { all: match, named } = filter.match
  const those = sql`SELECT rowid FROM search_words WHERE search_words MATCH ${named} ORDER BY rowid DESC`
  const isNamed =
    named === null
      ? sql`0 AS named, 1 AS sure`
      : names === null
        ? sql`s.search_id IN (${those}) AS named, 1 AS sure`
        : sql`s.search_id IN (${those} LIMIT ${names}) AS named,
            s.search_id >= coalesce((${those} LIMIT 1 OFFSET ${names - 1}), 0) AS sure`
  return sql<LookedRow>`SELECT ${HIT}, ${isNamed} FROM ${found(match)}
    WHERE ${all([...says(match, filter), ...conditions(tenant, seeker, filter), mayView(match, seeker)])}
    ORDER BY ${placeOf(match)} DESC LIMIT ${count}`.compile(db)
}

/** Which of these the words name. For a long read: all that they name is passed once; to ask for each by itself would make it anew each time. */
export const namedAmong = (db: Db, named: string, ids: readonly number[]): CompiledQuery<{ search_id: number }> =>
  sql<{ search_id: number }>`SELECT rowid AS search_id FROM search_words WHERE search_words MATCH ${named}
    AND rowid >= ${asInteger(Math.min(...ids))} AND rowid <= ${asInteger(Math.max(...ids))}
    AND +rowid IN (SELECT value FROM json_each(${JSON.stringify(ids)}))`.compile(db)

/** For a long read. */
export function hitsByPlace(
  db: Db,
  tenant: string,
  seeker: Seeker,
  filter: SearchFilter,
  facets: FacetFilter,
  { match, notMatch, only, not, direction, after, count }: Stretch,
): CompiledQuery<HitRow> {
  const place = placeOf(match)
  const parts: Condition[] = [...says(match, filter)]
  if (after !== null) parts.push(sql`${place} ${sql.raw(direction === 'desc' ? '<' : '>')} ${asInteger(after)}`)
  if (only !== null) parts.push(only.length === 0 ? NEVER : sql`s.search_id IN ${list(only)}`)
  if (not.length > 0) parts.push(sql`s.search_id NOT IN ${list(not)}`)
  parts.push(...facetConditions(facets), ...conditions(tenant, seeker, filter), mayView(match, seeker))
  if (notMatch !== null)
    parts.push(sql`s.search_id NOT IN (SELECT rowid FROM search_words WHERE search_words MATCH ${notMatch})`)
  return sql<HitRow>`SELECT ${HIT} FROM ${found(match)} WHERE ${all(parts)}
    ORDER BY ${place} ${sql.raw(direction)} LIMIT ${count}`.compile(db)
}

/**
 * By name. `walk` follows the order of names and leaves out what does not match; else what matches is gathered and sorted. Which of them
 * is quick depends on how many match, and SQLite cannot know. For a long read.
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
    if (match !== null)
      parts.push(sql`s.search_id IN (SELECT rowid FROM search_words WHERE search_words MATCH ${match})`)
    return sql<HitRow>`SELECT ${HIT} FROM search_list s INDEXED BY search_list_by_name WHERE ${all(parts)}
      ORDER BY s.name_key, s.search_id LIMIT ${count}`.compile(db)
  }
  if (after !== null) parts.push(sql`(+s.name_key, +s.search_id) > (${after.key}, ${after.id})`)
  return sql<HitRow>`SELECT ${HIT} FROM ${found(match)} WHERE ${all([...says(match, filter), ...parts])}
    ORDER BY +s.name_key, +s.search_id LIMIT ${count}`.compile(db)
}
