/**
 * Finds a page of a list of evidence, with how many there are. What is few is gathered and sorted; what may be most of the station is walked
 * in its order.
 */
import type { Database } from '../../kernel/database/database.ts'
import { LEAST_SAMPLED, type NewestCounts, type RowRange, windowHolding } from '../../kernel/database/newest-rows.ts'
import { byRow, isGathered, type Viewer } from '../../kernel/access/viewable.store.ts'
import {
  countListed,
  countNewestWords,
  findsFew,
  gatheredPage,
  goesThroughWords,
  type ListFilter,
  type ListOrder,
  type ListPage,
  listedAtMost,
  listedPage,
  pageOfCommonWords,
  type Place,
  SORTED_BY_TEXT,
} from '../../kernel/evidence/list.store.ts'

interface PageDeps {
  readonly db: Database
  /** What is few here; tests choose, for their worlds are small. */
  readonly few: number
  /** How many rows are asked for the words first; null: none. */
  readonly sampled: number | null
}

interface Listed {
  readonly tenant: string
  readonly filter: ListFilter
  /** Null: everything. */
  readonly who: Viewer | null
}

/** So many that a filter finds are looked up by their ids and asked one by one who can view them. */
export const FEW = 10_000
/** So many times as many are looked at as hold the words on a page if these lie anywhere in the order. */
const CANDIDATES = 1.5
/** From here on a set of all that hold the words costs no more. */
const MOST_CANDIDATES = 50_000

export interface Found {
  readonly rows: readonly Place[]
  readonly total: number
  readonly atLeast: boolean
}

/** @param exactTo up to where the total must be exact */
export async function findPage(deps: PageDeps, listed: Listed, page: ListPage, exactTo: number): Promise<Found> {
  const newest = await frequentWords(deps, listed)
  return (await gathered(deps, listed, page, newest)) ?? (await walked(deps, { ...listed, newest }, page, exactTo))
}

/** Null where the words are rare, or not asked for. */
async function frequentWords({ db, sampled }: PageDeps, { filter }: Listed): Promise<NewestCounts | null> {
  const newest = sampled === null ? null : await countNewestWords(db, filter, sampled)
  return newest !== null && newest.all >= LEAST_SAMPLED ? newest : null
}

interface Walked extends Listed {
  /** How frequent the words are; null where they are not. */
  readonly newest: NewestCounts | null
}

/** What is few by the filter, or by what the caller can view at all, is found once, counted and sorted. */
async function gathered(
  { db, few: bound }: PageDeps,
  { tenant, filter, who }: Listed,
  page: ListPage,
  newest: NewestCounts | null,
): Promise<Found | null> {
  const { text: _, ...wordless } = filter
  const few = await findsFew(db, tenant, newest === null ? filter : wordless, bound)
  if (!few && (who === null || !isGathered(who))) return null
  const viewer = few && who !== null ? byRow(who) : who
  if (few || !goesThroughWords(filter))
    return foundOf(await db.longRead(gatheredPage(db.read, tenant, filter, viewer, page)))
  // Words may be in every evidence there is: each of the two threads that read goes through half of them.
  const middle = Math.floor((await listedAtMost(db.read)) / 2)
  const part = { ...page, offset: 0, count: page.offset + page.count }
  const halves = await Promise.all(
    [
      { from: 0, to: middle },
      { from: middle + 1, to: Number.MAX_SAFE_INTEGER },
    ].map(async (ids) => foundOf(await db.longRead(gatheredPage(db.read, tenant, filter, viewer, part, ids)))),
  )
  return {
    rows: inOrder(
      halves.flatMap(({ rows }) => rows),
      page,
    ).slice(page.offset, part.count),
    total: halves.reduce((sum, { total }) => sum + total, 0),
    atLeast: false,
  }
}

/**
 * The page of a filter that finds more than `exactTo`, as it is asked beside the count; null where it may pass too many rows for nothing.
 * What it finds by itself is more than `bound`, or it would have been gathered.
 */
async function pageAhead(
  { db, few: bound }: PageDeps,
  { tenant, filter, who, newest }: Walked,
  page: ListPage,
  exactTo: number,
) {
  const least = Math.max(1, bound, exactTo)
  const passed = newest === null ? (await listedAtMost(db.read)) / least : newest.looked / newest.all
  const candidates = Math.ceil(CANDIDATES * (page.offset + page.count) * passed)
  if (candidates > MOST_CANDIDATES) return null
  if (filter.text !== undefined) return pageOfCommonWords(db.read, tenant, filter, who, page, candidates)
  // Whatever else is asked for might be rare, and then this would pass every row before the count is there.
  const { tagKeys = [], ...rest } = filter
  return tagKeys.length === 1 && Object.keys(rest).length === 0
    ? listedPage(db.read, tenant, filter, who, page, 'walk')
    : null
}

/** What may be most of the station: rows are asked in their order, each by itself, and counted as far as is wanted. */
async function walked(deps: PageDeps, listed: Walked, page: ListPage, wanted: number): Promise<Found> {
  const { db } = deps
  const { tenant, filter, who } = listed
  // A page behind what must be counted: its own rows tell whether there are so many, and nothing before it is passed twice.
  if (page.offset + page.count > wanted && page.offset > 0 && page.after === undefined) {
    const rows = await db.longRead(listedPage(db.read, tenant, filter, who, page, 'walk'))
    if (rows.length === page.count) return { rows, total: page.offset + rows.length - 1, atLeast: true }
    if (rows.length > 0) return { rows, total: page.offset + rows.length, atLeast: false }
  }
  const exactTo = Math.max(wanted, page.offset + page.count - 1)
  const counted = countedUpTo(deps, listed, exactTo)
  // Where there are more than are counted, as there mostly are, the page is there as soon as the count.
  const ahead = exactTo === Number.POSITIVE_INFINITY ? null : await pageAhead(deps, listed, page, exactTo)
  const [total, first] = await Promise.all([counted, ahead === null ? [] : db.longRead(ahead)])
  if (total <= page.offset) return { rows: [], total, atLeast: false }
  if (total > exactTo && first.length === page.count) return { rows: first, total: exactTo, atLeast: true }
  // To follow the order passes as many rows as lie between two that match; to gather passes all that match, and sorts them.
  const passed = (page.offset + page.count) * ((await listedAtMost(db.read)) / total)
  const rows = await db.longRead(
    listedPage(db.read, tenant, filter, who, page, passed <= total || total > exactTo ? 'walk' : 'gather'),
  )
  return { rows, total: Math.min(total, exactTo), atLeast: total > exactTo }
}

/** Up to one more than `most`: of words that are frequent among the newest rows alone, where these have so many. */
async function countedUpTo({ db }: PageDeps, { tenant, filter, who, newest }: Walked, most: number): Promise<number> {
  const counted = async (rows: RowRange | null): Promise<number> => {
    // Places by pages of several words meet in many pages without a row that has all of them.
    const passes = rows !== null && !rows.each && newest?.terms === 1 ? 'few' : 'all'
    const asked = countListed(db.read, tenant, filter, who, most, rows)
    return (await db.longRead(asked, undefined, passes))[0]?.total ?? 0
  }
  // Whatever else is asked for excludes some of them, and then more rows would be needed.
  const window = newest === null || Object.keys(filter).length > 1 ? null : windowHolding(newest, most + 1)
  const found = window === null ? 0 : await counted(window)
  return found > most ? found : await counted(null)
}

const foundOf = (rows: readonly { total: number; id: number | null; key: string | null }[]): Found => ({
  rows: rows.flatMap(({ id, key }) => (id === null || key === null ? [] : [{ id, key }])),
  total: rows[0]?.total ?? 0,
  atLeast: false,
})

/** As SQLite orders them: numbers that JavaScript cannot hold, and texts by their bytes. */
function inOrder(rows: readonly Place[], { sort, direction }: ListOrder): Place[] {
  const ofTexts = (one: string, other: string): number => Buffer.compare(Buffer.from(one), Buffer.from(other))
  const ofNumbers = (one: string, other: string): number => Number(BigInt(one) - BigInt(other))
  const compare = SORTED_BY_TEXT.has(sort) ? ofTexts : ofNumbers
  const turn = direction === 'asc' ? 1 : -1
  return rows.toSorted((one, other) => turn * (compare(one.key, other.key) || one.id - other.id))
}
