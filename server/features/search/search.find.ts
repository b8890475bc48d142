/** Finds the rows that answer a question, and counts them. */
import { isGathered } from '../../kernel/access/viewable.store.ts'
import type { Database } from '../../kernel/database/database.ts'
import { LEAST_SAMPLED, windowsOfPage } from '../../kernel/database/newest-rows.ts'
import { dialectOf } from '../../kernel/database/kysely.ts'
import { counted, type Counts, firstWindow, isLookedUp } from './search.count.ts'
import { countPassing, facetsOf } from './search.facets.ts'
import { pageFrom, unsureOf } from './search.few-rows.ts'
import type { Question } from './search.question.ts'
import {
  type HitRow,
  hitsByName,
  hitsByPlace,
  type LookedRow,
  namedAmong,
  type NamedCounts,
  newestRows,
  type SearchFilter,
  type Stretch,
} from './search.store.ts'

export type FoundRow = HitRow & { tier: number }

export interface FinderDeps {
  readonly db: Database
  /** How many names the first read checks for the words. */
  readonly namesLookedAt: number
  /** How many matches count as few. */
  readonly fewMatches: number
  /** So many found rows are looked at one by one. */
  readonly mostLooked: number
  /** Totals and counts are exact up to this many. */
  readonly exactTo: number
}

/** @returns counts, and the rows of the page with one more, which shows that there is another page */
export type Find = (question: Question, facets: boolean) => Promise<[Counts, FoundRow[]]>

interface Finder extends FinderDeps {
  readonly onPostgres: boolean
}

export function createFinder(deps: FinderDeps): Find {
  const finder: Finder = { ...deps, onPostgres: dialectOf(deps.db.read) === 'postgres' }
  return (question, facets) => answered(finder, question, facets)
}

/**
 * SQLite follows the order of rows through an index of words; PostgreSQL would leave the index for the order, as if all could be viewed. For
 * whoever views what is in no case that is mostly so.
 */
const gathers = ({ fewMatches, onPostgres }: Finder, { matches, seeker }: Question): boolean =>
  matches !== null && matches <= fewMatches && seeker.unassociated === 'None' && onPostgres

/** All found rows when they are few; null when they are many, or probably many. */
async function lookedAt(finder: Finder, question: Question): Promise<LookedRow[] | null> {
  const { db, onPostgres, namesLookedAt, mostLooked } = finder
  const { tenant, seeker, filter, matches, signal } = question
  let fewWords = false
  if (!isGathered(seeker)) {
    // Without words every row is read, so a failed attempt would double the cost.
    if (matches === null) return null
    // A caller who can view most of the station finds about as many rows as the words match, so the matches are counted first.
    fewWords = !isNarrow(filter) && matches <= mostLooked
    if (!fewWords && !isNarrow(filter)) return null
  }
  if (await hasManyNewest(finder, question)) return null
  const rows = await db.longRead(
    newestRows(
      db.read,
      tenant,
      seeker,
      filter,
      mostLooked + 1,
      fewWords || onPostgres ? null : namesLookedAt,
      gathers(finder, question),
    ),
    signal,
  )
  if (rows.length > mostLooked) return null
  const unsure = unsureOf(rows, question)
  if (unsure.length === 0 || filter.match.named === null) return rows
  const named = await db.longRead(namedAmong(db.read, filter.match.named, unsure), signal)
  const ids = new Set(named.map((row) => row.search_id))
  return rows.map((row) => (row.sure === 1 ? row : { ...row, sure: 1, named: ids.has(row.search_id) ? 1 : 0 }))
}

/** Whether frequent words are found too often to be looked at one by one: the newest rows show it, and the others need not be read for it. */
async function hasManyNewest({ db, mostLooked }: Finder, question: Question): Promise<boolean> {
  const { tenant, seeker, filter, signal } = question
  const window = firstWindow(question, WINDOW_OF_FEW * mostLooked)
  if (window === null) return false
  const asked = newestRows(db.read, tenant, seeker, { ...filter, rows: window }, mostLooked + 1, null, false)
  return (await db.longRead(asked, signal)).length > mostLooked
}
/** Other filters may exclude so many of the rows with the words, and there still are many. */
const WINDOW_OF_FEW = 8

async function answered(finder: Finder, question: Question, facets: boolean): Promise<[Counts, FoundRow[]]> {
  const rows = await lookedAt(finder, question)
  if (rows !== null) return [countsOf(rows, question, facets), pageFrom(rows, question)]
  const total = counted(finder, question, facets)
  // Two threads read in parallel. Both are awaited, so that no rejection is unhandled.
  return Promise.all([
    total,
    question.sort === 'name' ? byName(finder, question, (await total).TotalIsAtLeast) : byPlace(finder, question),
  ])
}

async function byPlace(finder: Finder, question: Question): Promise<FoundRow[]> {
  const { after, count } = question
  const found: FoundRow[] = []
  for (const { tier, ...stretch } of stretchesOf(question)) {
    if (found.length > count) break
    const more = {
      ...stretch,
      after: after?.tier === tier ? after.id : null,
      count: count + 1 - found.length,
      gather: gathers(finder, question) || hasRareNames(question, stretch),
    }
    const rows = await rowsOf(finder.db, question, more)
    found.push(...rows.map((row) => ({ ...row, tier })))
  }
  return found
}

/** Of frequent words, in the newest rows first: a page that these fill needs no others. */
async function rowsOf(db: Database, question: Question, stretch: Stretch): Promise<HitRow[]> {
  const { tenant, seeker, filter, facets, newest, signal } = question
  const asked = (within: SearchFilter) =>
    db.longRead(hitsByPlace(db.read, tenant, seeker, within, facets, stretch), signal)
  const windows =
    newest === null || isLookedUp(filter) || stretch.direction === 'asc' || stretch.only !== null
      ? []
      : windowsOfPage(newest, matchingOf(newest, filter, stretch), stretch.after, stretch.count)
  for (const rows of windows) {
    const found = await asked({ ...filter, rows })
    if (found.length >= stretch.count) return found
  }
  return asked(filter)
}

type Words = Pick<Stretch, 'match' | 'notMatch'>

const isOfNames = ({ match: { named } }: SearchFilter, { match }: Words): boolean => named !== null && match === named

/** How many of the newest rows that were looked at match. */
function matchingOf({ all, named }: NamedCounts, filter: SearchFilter, words: Words): number {
  if (isOfNames(filter, words)) return named
  return words.notMatch === null ? all : all - named
}

/** Words that are rarely in names: the few rows are found by the index of names, and no order is followed to them. */
const hasRareNames = ({ newest, filter }: Question, words: Words): boolean =>
  newest !== null && newest.all >= LEAST_SAMPLED && newest.named < LEAST_SAMPLED && isOfNames(filter, words)

async function byName({ db }: Finder, question: Question, many: boolean): Promise<FoundRow[]> {
  const { tenant, seeker, filter, facets, after, count, signal } = question
  const page = { after, count: count + 1, walk: many || filter.match.all === null }
  const rows = await db.longRead(hitsByName(db.read, tenant, seeker, filter, facets, page), signal)
  return rows.map((row) => ({ ...row, tier: 0 }))
}

/** Whether other filters than the words exclude most matches. */
const isNarrow = (filter: SearchFilter): boolean =>
  filter.fromTicks !== null ||
  filter.toTicks !== null ||
  filter.deviceId !== null ||
  filter.inCases.length > 0 ||
  filter.inCategories.length > 0 ||
  filter.unassociated ||
  filter.fields !== null ||
  filter.box !== null ||
  filter.near !== null

/** Counts over all found rows. */
function countsOf(rows: readonly LookedRow[], { facets }: Question, wanted: boolean): Counts {
  const cube = rows.map((row) => ({ ...row, n: 1 }))
  return {
    Total: countPassing(cube, facets),
    TotalIsAtLeast: false,
    Facets: wanted ? facetsOf(cube, facets, false) : null,
  }
}

/** The tiers of relevance, in order, or the single stretch of another order. */
function stretchesOf({
  filter: { match },
  exact,
  sort,
  after,
}: Question): (Omit<Stretch, 'after' | 'count' | 'gather'> & { tier: number })[] {
  const plain = { match: match.all, notMatch: null, only: null, not: [] as readonly number[] }
  if (sort !== 'relevance') return [{ ...plain, tier: 0, direction: sort === 'oldest' ? 'asc' : 'desc' }]
  const tiers = [
    ...(exact.length === 0 ? [] : [{ ...plain, tier: 0, only: exact }]),
    ...(match.named === null ? [] : [{ ...plain, tier: 1, match: match.named, not: exact }]),
    { ...plain, tier: 2, notMatch: match.named, not: exact },
  ]
  return tiers.filter(({ tier }) => tier >= (after?.tier ?? 0)).map((tier) => ({ ...tier, direction: 'desc' as const }))
}
