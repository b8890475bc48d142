import { type CompiledQuery, type Kysely, type RawBuilder, sql } from 'kysely'
import { isGathered, type Viewer, viewable } from '../access/viewable.store.ts'
import { idsTouching } from '../database/overlapping.ts'
import type { Database } from '../database/database.ts'
import { countTerms, isSmall, type NewestCounts, type RowRange } from '../database/newest-rows.ts'
import type { Tables } from '../database/tables.ts'
import {
  asInteger,
  beginsWith,
  byIndex,
  eachTime,
  hasWords,
  hasWordsByRow,
  joinInOrder,
  jsonMember,
  jsonNumber,
  notAmong,
  sortedAside,
  withoutIndex,
  wordsRow,
} from '../database/expressions.ts'

/** The list of evidence, from the index that migrations/first-release/evidence-list.ts keeps. */

type Db = Kysely<Tables>
type Condition = RawBuilder<unknown>

/** In the order of the column `type`. */
export const LISTED_TYPES = ['video', 'audio', 'image', 'document', 'text', 'other', 'none'] as const
export type ListedType = (typeof LISTED_TYPES)[number]

export const SORT_COLUMNS = {
  recorded: 'recorded_ticks',
  created: 'created_ticks',
  name: 'name_key',
  length: 'length',
  type: 'type',
} as const
/** `deleted`: when it came into the recycle bin, which alone is sorted by that; the index does not hold it. */
export type ListSort = keyof typeof SORT_COLUMNS | 'deleted'

/** What is asked for; of several types, statuses, officers, devices or categories any one, of several tags all. */
export interface ListFilter {
  readonly text?: string
  readonly tagKeys?: readonly string[]
  readonly state?: string
  readonly types?: readonly ListedType[]
  readonly statuses?: readonly string[]
  readonly fromTicks?: bigint
  readonly toTicks?: bigint
  readonly caseId?: number
  readonly unfinished?: boolean
  /** Who had the camera when it recorded, or whom a docking gave the files to. */
  readonly officers?: readonly number[]
  readonly devices?: readonly string[]
  /** As evidence holds them. */
  readonly categories?: readonly string[]
  readonly protected?: boolean
  readonly notes?: boolean
  readonly marks?: boolean
  readonly inNoCase?: boolean
  /** By the beginning alone, the second one outside; what only reaches into that time is not meant. */
  readonly began?: { readonly from: bigint; readonly to: bigint }
  readonly leastLength?: number
  readonly mostLength?: number
  /** The recycle bin instead of everything else. */
  readonly deleted?: boolean
}

export interface ListOrder {
  readonly sort: ListSort
  readonly direction: 'asc' | 'desc'
}

/** The last row of the page before. */
export interface Place {
  /** The value that was sorted by; ticks do not fit a JavaScript number. */
  readonly key: string
  readonly id: number
}

export interface ListPage extends ListOrder {
  readonly after?: Place
  readonly offset: number
  readonly count: number
}

/**
 * `walk` follows the order and leaves out what the filter does not take; `gather` takes what the filter finds and sorts it. Which of the
 * two is quick depends on how many match, and SQLite cannot know.
 */
type Way = 'walk' | 'gather'

const MOST_WORDS = 16

/** Words as the index has them; null where the text holds none. */
export function matchOf(text: string): string | null {
  const words = text.match(/[\p{L}\p{N}\p{M}_%]+/gu)?.filter((word) => /[\p{L}\p{N}_%]/u.test(word)) ?? []
  return words.length === 0
    ? null
    : words
        .slice(0, MOST_WORDS)
        .map((word) => `"${word}"*`)
        .join(' AND ')
}

/** What lies in the recycle bin; `evidence_deleted` is an index of it alone. */
const DELETED_IDS = sql`SELECT evidence_id FROM evidence ${byIndex('evidence_deleted')} WHERE lifecycle_state = 'Deleted'`
const DELETED = sql`evidence d ${byIndex('evidence_deleted')} WHERE d.lifecycle_state = 'Deleted'`
const UNFINISHED = sql`l.evidence_id IN (
  SELECT evidence_id FROM resources WHERE state = 'None' AND role = 'original' UNION SELECT evidence_id FROM evidence WHERE unfinished = 1)`

/** A filter that looks evidence up in another table: all that it finds, and whether one row is among them. */
interface LookUp {
  readonly set: Condition
  readonly each: Condition
}

const numbers = (ids: readonly number[]): Condition => sql.join([...ids])

/** Whose each of these is; of files of a folder the docking wrote it down. */
function officersOfAny(ids: Condition): Condition {
  return sql`
    SELECT r.evidence_id, a.principal_id FROM evidence_recordings r JOIN device_associations a ON a.device_id = r.device_id
      AND a.from_ticks <= r.recorded_ticks AND (a.to_ticks IS NULL OR a.to_ticks > r.recorded_ticks)
    WHERE r.evidence_id IN (${ids})
    UNION SELECT d.evidence_id, CAST(${jsonMember('d.officer', 'PrincipalId')} AS BIGINT) FROM dock_recordings d
    WHERE d.evidence_id IN (${ids}) AND d.officer IS NOT NULL
      AND NOT EXISTS (SELECT 1 FROM evidence_recordings r WHERE r.evidence_id = d.evidence_id)`
}

/** In another order all recordings would be read, and asked whose they were. */
const recordedBy = (officers: readonly number[]): Condition => sql`
  SELECT r.evidence_id FROM device_associations a ${joinInOrder()} evidence_recordings r ON r.device_id = a.device_id
    AND r.recorded_ticks >= a.from_ticks AND (a.to_ticks IS NULL OR a.to_ticks > r.recorded_ticks)
  WHERE a.principal_id IN (${numbers(officers)})`
/** Files of a folder have no proof of a camera: the docking wrote down whose they are, and gave them a policy. */
const givenTo = (officers: readonly number[]): Condition => sql`
  SELECT d.evidence_id FROM evidence_policies p ${joinInOrder()} dock_recordings d ON d.evidence_id = p.evidence_id
    AND ${jsonMember('d.officer', 'PrincipalId')} = CAST(p.principal_id AS TEXT)
  WHERE p.principal_id IN (${numbers(officers)}) AND NOT EXISTS (SELECT 1 FROM evidence_recordings r WHERE r.evidence_id = d.evidence_id)`

function lookUps({ officers, devices, categories, notes, marks }: ListFilter): LookUp[] {
  const found: LookUp[] = []
  if (officers !== undefined)
    found.push({
      set: sql`${recordedBy(officers)} UNION ${givenTo(officers)}`,
      each: sql`(EXISTS (SELECT 1 FROM evidence_recordings r JOIN device_associations a ON a.device_id = r.device_id
        AND a.from_ticks <= r.recorded_ticks AND (a.to_ticks IS NULL OR a.to_ticks > r.recorded_ticks)
        WHERE r.evidence_id = l.evidence_id AND a.principal_id IN (${numbers(officers)})) OR l.evidence_id IN (${givenTo(officers)}))`,
    })
  if (devices !== undefined)
    found.push({
      set: sql`SELECT s.object_id AS evidence_id FROM search_list s WHERE s.device_id IN (${sql.join([...devices])}) AND s.kind = 1`,
      each: sql`EXISTS (SELECT 1 FROM search_list s WHERE s.kind = 1 AND s.object_id = l.evidence_id AND s.device_id IN (${sql.join([...devices])}))`,
    })
  if (categories !== undefined)
    found.push({
      set: sql`SELECT c.evidence_id FROM evidence c WHERE c.category_id IN (${sql.join([...categories])})`,
      each: sql`EXISTS (SELECT 1 FROM evidence c WHERE c.evidence_id = l.evidence_id AND c.category_id IN (${sql.join([...categories])}))`,
    })
  if (notes === true)
    found.push({
      set: sql`SELECT n.evidence_id FROM notes n WHERE n.deleted_utc IS NULL AND n.evidence_id IS NOT NULL`,
      each: sql`EXISTS (SELECT 1 FROM notes n WHERE n.evidence_id = l.evidence_id AND n.deleted_utc IS NULL)`,
    })
  if (marks === true)
    found.push({
      set: sql`SELECT m.evidence_id FROM bookmarks m WHERE m.deleted_utc IS NULL`,
      each: sql`EXISTS (SELECT 1 FROM bookmarks m WHERE m.evidence_id = l.evidence_id AND m.deleted_utc IS NULL)`,
    })
  return found
}

/** What is sealed says so in the list; whatever else is protected has a more serious status, of which there are few. */
const PROTECTED = sql`l.status IN ('sealed', 'danger', 'open', 'differs', 'working', 'attention', 'waiting') AND (l.status = 'sealed' OR EXISTS (
  SELECT 1 FROM evidence p WHERE p.evidence_id = l.evidence_id AND p.lifecycle_state = 'Protected'))`

/** @param viewer only what they can view; null: everything */
function conditions(
  tenant: string,
  filter: ListFilter,
  viewer: Viewer | null,
  way: Way,
  bin: 'only' | 'without' | 'with' = filter.deleted === true ? 'only' : 'without',
  asked: 'some' | 'all' = 'some',
): Condition[] {
  const { text, tagKeys = [], state, types, statuses, fromTicks, toTicks, caseId, unfinished } = filter
  const looked = lookUps(filter)
  // What names few evidences by their ids: those are looked up, and no index of the whole tenant is read.
  const timed = fromTicks !== undefined
  const few =
    timed ||
    text !== undefined ||
    tagKeys.length > 0 ||
    caseId !== undefined ||
    unfinished === true ||
    looked.length > 0 ||
    bin === 'only' ||
    (viewer !== null && isGathered(viewer))
  const byId = way === 'gather' && few
  // A plus in front keeps SQLite from reading the index of the whole tenant.
  const found: Condition[] = [byId ? sql`${withoutIndex('l.tenant_id')} = ${tenant}` : sql`l.tenant_id = ${tenant}`]
  if (bin === 'only') found.push(sql`l.evidence_id IN (${DELETED_IDS})`)
  if (bin === 'without') found.push(notAmong(sql`l.evidence_id`, sql`d.evidence_id`, DELETED))
  if (viewer !== null) found.push(viewable('l.evidence_id', viewer, asked))
  if (caseId !== undefined)
    found.push(sql`l.evidence_id IN (SELECT evidence_id FROM case_links WHERE case_id = ${caseId})`)
  if (unfinished === true) found.push(UNFINISHED)
  if (state !== undefined) found.push(sql`${withoutIndex('l.state')} = ${state}`)
  if (types !== undefined) found.push(sql`l.type IN (${sql.join(types.map((type) => LISTED_TYPES.indexOf(type)))})`)
  if (statuses !== undefined) found.push(sql`l.status IN (${sql.join(statuses)})`)
  for (const key of tagKeys)
    found.push(
      way === 'walk'
        ? sql`EXISTS (SELECT 1 FROM evidence_tags g WHERE g.tag_key = ${key} AND g.evidence_id = l.evidence_id)`
        : sql`l.evidence_id IN (SELECT evidence_id FROM evidence_tags WHERE tag_key = ${key})`,
    )
  for (const { set, each } of looked) found.push(way === 'walk' ? each : sql`l.evidence_id IN (${set})`)
  if (filter.protected === true) found.push(PROTECTED)
  if (filter.inNoCase === true)
    found.push(sql`NOT EXISTS (SELECT 1 FROM case_links k WHERE k.evidence_id = l.evidence_id ${eachTime()})`)
  if (filter.began !== undefined)
    found.push(sql`l.recorded_ticks >= ${filter.began.from} AND l.recorded_ticks < ${filter.began.to}`)
  if (filter.leastLength !== undefined) found.push(sql`l.length >= ${filter.leastLength}`)
  if (filter.mostLength !== undefined) found.push(sql`l.length <= ${filter.mostLength}`)
  // What somebody views of a few is looked up anyway; its times are in its rows.
  if (byId && timed && !(viewer !== null && isGathered(viewer)))
    found.push(sql`l.evidence_id IN (${touching(tenant, filter)})`)
  if (fromTicks !== undefined) found.push(sql`l.ended_ticks >= ${fromTicks}`)
  if (toTicks !== undefined) found.push(sql`l.recorded_ticks <= ${toTicks}`)
  if (text !== undefined) found.push(sql`l.evidence_id IN (${foundBy(text)})`)
  return found
}

/** What to match where the text is words and cannot be a number of an evidence too. */
const onlyWords = (text: string): string | null => (numberIn(text) === null ? matchOf(text) : null)

const numberIn = (text: string): number | null => (/^\d{1,15}$/.test(text.trim()) ? Number(text.trim()) : null)

function foundBy(text: string): Condition {
  const match = matchOf(text)
  const id = numberIn(text)
  if (match === null) return sql`SELECT 0 WHERE 1 = 0`
  const words = sql`SELECT ${wordsRow()} FROM evidence_words WHERE ${hasWords('evidence_words', match)}`
  return id === null ? words : sql`${words} UNION SELECT CAST(${id} AS BIGINT)`
}

/** Whatever began before the time ended would be read without its beginning: only where that is given is this less than everything. */
const touching = (tenant: string, { fromTicks, toTicks }: ListFilter): Condition =>
  idsTouching(
    {
      table: 'evidence_list',
      short: 'evidence_list_by_recording',
      id: 'evidence_id',
      from: 'recorded_ticks',
      to: 'ended_ticks',
    },
    tenant,
    { from: fromTicks ?? null, to: toTicks ?? null },
  )

const all = (parts: readonly Condition[]): Condition => sql.join(parts as Condition[], sql` AND `)

/**
 * What a filter finds by itself without reading the index of the whole tenant; each holds all that match.
 */
function narrowest(tenant: string, filter: ListFilter): Condition[] {
  const { text, tagKeys = [], caseId, unfinished, deleted, fromTicks } = filter
  return [
    ...(caseId === undefined ? [] : [sql`SELECT evidence_id FROM case_links WHERE case_id = ${caseId}`]),
    ...tagKeys.map((key) => sql`SELECT evidence_id FROM evidence_tags WHERE tag_key = ${key}`),
    ...(deleted === true ? [DELETED_IDS] : []),
    ...(text === undefined ? [] : [foundBy(text)]),
    ...(unfinished === true ? [sql`SELECT l.evidence_id FROM evidence_list l WHERE ${UNFINISHED}`] : []),
    ...lookUps(filter).map(({ set }) => set),
    ...(fromTicks !== undefined ? [touching(tenant, filter)] : []),
  ]
}

/** Whether one of the filter's own conditions finds no more than `most`, whoever may view them. */
export async function findsFew(
  db: Pick<Database, 'read' | 'longRead'>,
  tenant: string,
  filter: ListFilter,
  most: number,
): Promise<boolean> {
  for (const set of narrowest(tenant, filter)) {
    const asked = sql<{ n: number }>`SELECT count(*) AS n FROM (SELECT 1 FROM (${set}) found LIMIT ${most + 1}) counted`
    if (((await db.longRead(asked.compile(db.read)))[0]?.n ?? 0) <= most) return true
  }
  return false
}

/**
 * How frequent the words of a filter are among the newest rows of their index: for PostgreSQL (kernel/database/newest-rows.ts).
 * @param looked how many rows are looked at @returns null without words, and where the rows looked at are much of all
 */
export async function countNewestWords(
  db: Pick<Database, 'read' | 'longRead'>,
  { text }: ListFilter,
  looked: number,
): Promise<NewestCounts | null> {
  const words = text === undefined ? null : onlyWords(text)
  if (words === null) return null
  const last = await listedAtMost(db.read)
  if (isSmall(last, looked)) return null
  const asked = sql<{ n: number }>`SELECT count(*) AS n FROM evidence_words
    WHERE ${wordsRow()} > ${asInteger(last - looked)} AND ${hasWordsByRow('evidence_words', words)}`
  return { last, looked, terms: countTerms(words), all: (await db.longRead(asked.compile(db.read)))[0]?.n ?? 0 }
}

/** Of evidences; both are in it. */
export interface IdRange {
  readonly from: number
  readonly to: number
}

/** Whether what somebody can view is looked up by going through all that hold the words of the filter, which can be done in parts. */
export const goesThroughWords = ({ text }: ListFilter): boolean => text !== undefined && onlyWords(text) !== null

/**
 * How many match, with one page of them, when all that match are few enough to be gathered: found once, counted and sorted. For a long read.
 * Without rows on the page one row tells the total, and its `id` is null.
 * @param ids only these, of a filter that goes through words, by a caller whose rights are looked up
 */
export function gatheredPage(
  db: Db,
  tenant: string,
  filter: ListFilter,
  viewer: Viewer | null,
  { sort, direction, after, offset, count }: ListPage,
  ids?: IdRange,
): CompiledQuery<{ total: number; id: number | null; key: string | null }> {
  const order = sql.raw(direction)
  const behind =
    after === undefined
      ? sql``
      : sql`WHERE (key, id) ${sql.raw(direction === 'asc' ? '>' : '<')} (${SORTED_BY_TEXT.has(sort) ? sql`${after.key}` : sql`CAST(${after.key} AS BIGINT)`}, ${after.id})`
  return sql<{ total: number; id: number | null; key: string | null }>`
    WITH found AS MATERIALIZED (
      SELECT l.evidence_id AS id, ${columnOf(sort)} AS key FROM evidence_list l
      WHERE ${all(lookedUp(tenant, filter, viewer, ids))})
    SELECT t.total, p.id, CAST(p.key AS TEXT) AS key FROM (SELECT count(*) AS total FROM found) t
    LEFT JOIN (SELECT id, key FROM found ${behind} ORDER BY key ${order}, id ${order} LIMIT ${count} OFFSET ${offset}) p ON TRUE
    ORDER BY p.key ${order}, p.id ${order}`.compile(db)
}

/** Words that half the station holds are held against the few that the caller can view as they come, and made no set of their own. */
function lookedUp(tenant: string, filter: ListFilter, viewer: Viewer | null, ids?: IdRange): Condition[] {
  const { text, ...rest } = filter
  const words = text === undefined ? null : onlyWords(text)
  if (viewer === null || !isGathered(viewer) || words === null) return conditions(tenant, filter, viewer, 'gather')
  // The plus keeps SQLite from asking the index once for each of the few instead.
  const within =
    ids === undefined
      ? sql``
      : sql` AND ${wordsRow()} >= ${asInteger(ids.from)} AND ${wordsRow()} <= ${asInteger(ids.to)}`
  const said = sql`SELECT w.id FROM (SELECT ${withoutIndex(wordsRow())} AS id FROM evidence_words WHERE ${hasWords('evidence_words', words)}${within}) w WHERE ${viewable('w.id', viewer)}`
  return [...conditions(tenant, rest, viewer, 'gather'), sql`l.evidence_id IN (${said})`]
}

/**
 * How many match, counted up to one more than `most`, which may be infinite. For a long read. To the end, what lies in the recycle bin is
 * counted and taken off, because to ask each row would take longer.
 * @param newest the words are looked for among these rows alone
 */
export function countListed(
  db: Db,
  tenant: string,
  filter: ListFilter,
  viewer: Viewer | null,
  most: number,
  newest: RowRange | null = null,
): CompiledQuery<{ total: number }> {
  const counted = (bin: 'only' | 'with') =>
    sql`(SELECT count(*) FROM evidence_list l WHERE ${all(conditions(tenant, filter, viewer, 'gather', bin, 'all'))})`
  if (most === Number.POSITIVE_INFINITY)
    return sql<{ total: number }>`
      SELECT ${filter.deleted === true ? counted('only') : sql`${counted('with')} - ${counted('only')}`} AS total`.compile(
      db,
    )
  const { first, rest } = asTheyCome(filter, newest)
  const from =
    first === null
      ? sql`evidence_list l WHERE`
      : sql`(${first}) f ${joinInOrder()} evidence_list l ON l.evidence_id = f.evidence_id WHERE`
  return sql<{ total: number }>`
    SELECT count(*) AS total FROM (SELECT 1 FROM ${from} ${all(conditions(tenant, rest, viewer, 'gather'))} LIMIT ${most + 1}) counted`.compile(
    db,
  )
}

/** What of a filter is read as it comes, and no further than is counted: as a set all that hold it would be read first. */
function asTheyCome(filter: ListFilter, newest: RowRange | null): { first: Condition | null; rest: ListFilter } {
  const { text, ...wordless } = filter
  const words = text === undefined ? null : onlyWords(text)
  if (words !== null) {
    const has = newest?.each === true ? hasWordsByRow('evidence_words', words) : hasWords('evidence_words', words)
    const among = newest === null ? sql`` : sql` AND ${wordsRow()} >= ${asInteger(newest.from)}`
    return { first: sql`SELECT ${wordsRow()} AS evidence_id FROM evidence_words WHERE ${has}${among}`, rest: wordless }
  }
  const [key, ...tagKeys] = filter.tagKeys ?? []
  if (key === undefined) return lookedUpAsTheyCome(filter)
  const first = sql`SELECT DISTINCT evidence_id FROM evidence_tags WHERE tag_key = ${key}`
  return { first, rest: { ...filter, tagKeys } }
}

const LOOKED_UP = ['officers', 'devices', 'categories', 'notes', 'marks'] as const

/** The first of them; the others are asked of each that it gives. */
function lookedUpAsTheyCome(filter: ListFilter): { first: Condition | null; rest: ListFilter } {
  const name = LOOKED_UP.find((one) => filter[one] !== undefined)
  if (name === undefined) return { first: null, rest: filter }
  const { [name]: own, ...rest } = filter
  const sets = lookUps({ [name]: own }).map(({ set }) => sql`SELECT DISTINCT evidence_id FROM (${set}) given`)
  return { first: sets[0] ?? null, rest }
}

/**
 * How many match, how long and how large they are together. For a long read. A duration is the lead's own, and of a recording without one
 * that of what was made of it to be played, as each row of the list has it.
 */
export const sumsOfListed = (
  db: Db,
  tenant: string,
  filter: ListFilter,
  viewer: Viewer | null,
): CompiledQuery<{ count: number; bytes: number; seconds: number }> =>
  sql<{ count: number; bytes: number; seconds: number }>`
    SELECT count(*) AS count, coalesce(sum(l.length), 0) AS bytes, coalesce(sum(coalesce(
      (SELECT ${jsonNumber('r.media', 'DurationSeconds')} FROM resources r WHERE r.resource_id = l.lead_id),
      CASE WHEN l.type <= ${LISTED_TYPES.indexOf('audio')} THEN (
        SELECT max(${jsonNumber('p.media', 'DurationSeconds')}) FROM resources p WHERE p.evidence_id = l.evidence_id
        AND p.parent_id = l.lead_id AND (p.role = 'playable' OR ${beginsWith('p.mime_type', 'audio/')})) END)), 0) AS seconds
    FROM evidence_list l WHERE ${all(conditions(tenant, filter, viewer, 'gather', undefined, 'all'))}`.compile(db)

/** At least how many rows a walk may pass. */
export const listedAtMost = async (db: Db): Promise<number> =>
  (await sql<{ last: number | null }>`SELECT max(evidence_id) AS last FROM evidence_list`.execute(db)).rows[0]?.last ??
  0

/** Of these the values are texts; of all others numbers. Times of deletion are all written alike, so that their texts are in their order. */
export const SORTED_BY_TEXT: ReadonlySet<ListSort> = new Set(['name', 'deleted'])

const columnOf = (sort: ListSort): Condition =>
  sort === 'deleted'
    ? sql`(SELECT d.deleted_utc FROM evidence d WHERE d.evidence_id = l.evidence_id)`
    : sql.ref(`l.${SORT_COLUMNS[sort]}`)

/** Ids of one page, in order, each with the value that was sorted by. For a long read. */
export const listedPage = (
  db: Db,
  tenant: string,
  filter: ListFilter,
  viewer: Viewer | null,
  page: ListPage,
  way: Way,
): CompiledQuery<{ id: number; key: string }> => listedQuery(tenant, filter, viewer, page, way).compile(db)

function listedQuery(
  tenant: string,
  filter: ListFilter,
  viewer: Viewer | null,
  { sort, direction, after, offset, count }: ListPage,
  way: Way,
): RawBuilder<{ id: number; key: string }> {
  const column = columnOf(sort)
  const walked = way === 'walk' && sort !== 'deleted' ? WALKED[sort] : null
  const [key, id] =
    walked !== null ? [column, sql`l.evidence_id`] : [sortedAside(column), sortedAside(sql`l.evidence_id`)]
  const parts = conditions(tenant, filter, viewer, walked === null ? 'gather' : way)
  if (after !== undefined) {
    const value = SORTED_BY_TEXT.has(sort) ? sql`${after.key}` : sql`CAST(${after.key} AS BIGINT)`
    parts.push(sql`(${key}, ${id}) ${sql.raw(direction === 'asc' ? '>' : '<')} (${value}, ${after.id})`)
  }
  const order = sql.raw(direction)
  const from = walked !== null ? sql`evidence_list l ${byIndex(walked)}` : sql`evidence_list l`
  return sql<{ id: number; key: string }>`
    SELECT l.evidence_id AS id, CAST(${column} AS TEXT) AS key FROM ${from} WHERE ${all(parts)}
    ORDER BY ${key} ${order}, ${id} ${order} LIMIT ${count} OFFSET ${offset}`
}

/**
 * The page of a walk whose filter has common words: the first `candidates` of the order that everything else takes, and of those what holds
 * the words. So the words are compared with these alone instead of being made a set of all that hold them; by time, as evidence comes in,
 * their ids lie close together, and the words are read from there alone. Null where that cannot be.
 * Fewer than were asked for say nothing: then more candidates were needed.
 */
export function pageOfCommonWords(
  db: Db,
  tenant: string,
  filter: ListFilter,
  viewer: Viewer | null,
  page: ListPage,
  candidates: number,
): CompiledQuery<{ id: number; key: string }> | null {
  const { text, ...rest } = filter
  const words = text === undefined ? null : onlyWords(text)
  if (words === null) return null
  const first = listedQuery(tenant, rest, viewer, { ...page, offset: 0, count: candidates }, 'walk')
  const order = sql.raw(page.direction)
  const key = SORTED_BY_TEXT.has(page.sort) ? sql`key` : sql`CAST(key AS BIGINT)`
  return sql<{ id: number; key: string }>`
    WITH candidates AS MATERIALIZED (${first})
    SELECT id, key FROM candidates WHERE id IN (
      SELECT ${wordsRow()} FROM evidence_words WHERE ${hasWordsByRow('evidence_words', words)}
      AND ${wordsRow()} BETWEEN (SELECT min(id) FROM candidates) AND (SELECT max(id) FROM candidates) AND ${withoutIndex(wordsRow())} IN (SELECT id FROM candidates))
    ORDER BY ${key} ${order}, id ${order} LIMIT ${page.count} OFFSET ${page.offset}`.compile(db)
}

const WALKED: Readonly<Record<Exclude<ListSort, 'deleted'>, string>> = {
  recorded: 'evidence_list_by_recording',
  created: 'evidence_list_by_creation',
  name: 'evidence_list_by_name',
  length: 'evidence_list_by_length',
  type: 'evidence_list_by_type',
}

/** Most used first; `prefix` is compared with keys. */
export const countedTags = (
  db: Db,
  tenant: string,
  viewer: Viewer,
  prefix: string,
  count: number,
): CompiledQuery<{ tag: string; count: number }> =>
  sql<{ tag: string; count: number }>`
    SELECT min(t.tag) AS tag, count(DISTINCT t.evidence_id) AS count FROM evidence_tags t
    JOIN evidence_list l ON l.evidence_id = t.evidence_id AND l.tenant_id = ${tenant}
    WHERE ${viewable('l.evidence_id', viewer, 'all')} AND l.evidence_id NOT IN (${DELETED_IDS}) AND t.tag_key >= ${prefix} AND t.tag_key < ${`${prefix}\u{10ffff}`}
    GROUP BY t.tag_key ORDER BY 2 DESC, t.tag_key LIMIT ${count}`.compile(db)

/** What is counted by value. */
export type Facet = 'type' | 'status' | 'category' | 'device' | 'officer' | 'tag' | 'has'

export interface FacetRow {
  readonly total: number
  /** Null where nothing has a value. */
  readonly value: string | number | null
  readonly count: number
}

const FACETS: Readonly<Record<Exclude<Facet, 'has'>, { readonly value: Condition; readonly from: Condition }>> = {
  type: { value: sql`l.type`, from: sql`JOIN evidence_list l ON l.evidence_id = f.id` },
  status: { value: sql`l.status`, from: sql`JOIN evidence_list l ON l.evidence_id = f.id` },
  category: {
    value: sql`e.category_id`,
    from: sql`JOIN evidence e ON e.evidence_id = f.id AND e.category_id IS NOT NULL`,
  },
  device: {
    value: sql`s.device_id`,
    from: sql`JOIN search_list s ON s.kind = 1 AND s.object_id = f.id AND s.device_id IS NOT NULL`,
  },
  officer: {
    value: sql`o.principal_id`,
    from: sql`JOIN (${officersOfAny(sql`SELECT id FROM found`)}) o ON o.evidence_id = f.id`,
  },
  tag: { value: sql`g.tag`, from: sql`JOIN evidence_tags g ON g.evidence_id = f.id` },
}

/** What a row of evidence has or is; the names are those of the filters. */
const HAS: Readonly<Record<'protected' | 'notes' | 'marks' | 'noCase', Condition>> = {
  protected: sql`EXISTS (SELECT 1 FROM evidence e WHERE e.evidence_id = f.id AND e.lifecycle_state = 'Protected')`,
  notes: sql`EXISTS (SELECT 1 FROM notes n WHERE n.evidence_id = f.id AND n.deleted_utc IS NULL)`,
  marks: sql`EXISTS (SELECT 1 FROM bookmarks m WHERE m.evidence_id = f.id AND m.deleted_utc IS NULL)`,
  noCase: sql`NOT EXISTS (SELECT 1 FROM case_links k WHERE k.evidence_id = f.id)`,
}

/**
 * How many there are of each value among what matches and the viewer can view, most first; of more than `most` of the newest of them. For a
 * long read. One row tells the total where nothing has a value.
 */
export function facetOfListed(
  db: Db,
  tenant: string,
  filter: ListFilter,
  viewer: Viewer | null,
  facet: Facet,
  { way, most, values }: { readonly way: Way; readonly most: number; readonly values: number },
): CompiledQuery<FacetRow> {
  const newest = { sort: 'created', direction: 'desc', offset: 0, count: most } as const
  const counted =
    facet === 'has'
      ? sql.join(
          Object.entries(HAS).map(
            ([name, holds]) => sql`SELECT ${sql.lit(name)} AS value, count(*) AS n FROM found f WHERE ${holds}`,
          ),
          sql` UNION ALL `,
        )
      : sql`SELECT ${FACETS[facet].value} AS value, count(DISTINCT f.id) AS n FROM found f ${FACETS[facet].from} GROUP BY 1`
  return sql<FacetRow>`
    WITH found AS MATERIALIZED (${listedQuery(tenant, filter, viewer, newest, way)})
    SELECT t.total, v.value, coalesce(v.n, 0) AS count FROM (SELECT count(*) AS total FROM found) t
    LEFT JOIN (SELECT value, n FROM (${counted}) c WHERE n > 0 ORDER BY n DESC, value LIMIT ${values}) v ON TRUE
    ORDER BY v.n DESC, v.value`.compile(db)
}
