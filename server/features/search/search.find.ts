/** Finds the rows that answer a question, and counts them. */
import { COUNTED, type SearchAnswer } from '../../../shared/search/contract.ts'
import type { z } from 'zod'
import { isGathered } from '../../kernel/access/viewable.store.ts'
import type { Database } from '../../kernel/database/database.ts'
import { dialectOf } from '../../kernel/database/kysely.ts'
import { countOf, countPassing, facetsOf } from './search.facets.ts'
import { MOST_LOOKED, pageFrom, unsureOf } from './search.few-rows.ts'
import type { Question } from './search.question.ts'
import {
  type CubeCell,
  countedCube,
  countedHits,
  type HitRow,
  hitsByName,
  hitsByPlace,
  type LookedRow,
  namedAmong,
  newestHolding,
  newestRows,
  type SearchFilter,
  type Stretch,
} from './search.store.ts'

export type Counts = Pick<z.input<typeof SearchAnswer>, 'Total' | 'TotalIsAtLeast' | 'Facets'>
export type FoundRow = HitRow & { tier: number }

export interface FinderDeps {
  readonly db: Database
  /** How many names the first read checks for the words. */
  readonly namesLookedAt: number
  /** How many matches count as few. */
  readonly fewMatches: number
  /** How many rows are looked at to learn how frequent words are. */
  readonly sampledRows: number
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

/** Counts to one more than the exact limit, which shows that there are more. */
async function counted(finder: Finder, question: Question, wanted: boolean): Promise<Counts> {
  const { db } = finder
  const { tenant, seeker, filter, facets, signal } = question
  const most = COUNTED + 1
  const cube = wanted ? await cubeOf(finder, question, most) : null
  const whole = cube !== null && countOf(cube) < most
  const passing = cube === null ? 0 : countPassing(cube, facets)
  // A total above the exact limit is known already and not counted again.
  const total =
    whole || passing >= most
      ? passing
      : ((await db.longRead(countedHits(db.read, tenant, seeker, filter, facets, most), signal))[0]?.n ?? 0)
  return {
    Total: Math.min(total, COUNTED),
    TotalIsAtLeast: total > COUNTED,
    Facets: cube === null ? null : facetsOf(cube, facets, !whole),
  }
}

/**
 * SQLite follows the order of rows through an index of words; PostgreSQL would leave the index for the order, as if all could be viewed. For
 * whoever views what is in no case that is mostly so.
 */
const gathers = ({ fewMatches, onPostgres }: Finder, { matches, seeker }: Question): boolean =>
  matches !== null && matches <= fewMatches && seeker.unassociated === 'None' && onPostgres

async function cubeOf(
  { db, onPostgres, fewMatches, sampledRows }: Finder,
  { tenant, seeker, filter, matches, signal }: Question,
  most: number,
): Promise<CubeCell[]> {
  const { all: match } = filter.match
  const asked = (within: SearchFilter) => db.longRead(countedCube(db.read, tenant, seeker, within, most), signal)
  // The newest of frequent words lie close together; PostgreSQL would find all that match first.
  if (onPostgres && match !== null && (matches ?? 0) > fewMatches && !isGathered(seeker) && !isNarrow(filter)) {
    const rows = await newestHolding(db, match, most, sampledRows)
    const newest = rows === null ? [] : await asked({ ...filter, rows })
    if (countOf(newest) >= most) return newest
  }
  return asked(filter)
}

/** All found rows when they are few; null when they are many, or probably many. */
async function lookedAt(finder: Finder, question: Question): Promise<LookedRow[] | null> {
  const { db, onPostgres, namesLookedAt } = finder
  const { tenant, seeker, filter, matches, signal } = question
  let fewWords = false
  if (!isGathered(seeker)) {
    // Without words every row is read, so a failed attempt would double the cost.
    if (matches === null) return null
    // A caller who can view most of the station finds about as many rows as the words match, so the matches are counted first.
    fewWords = !isNarrow(filter) && matches <= MOST_LOOKED
    if (!fewWords && !isNarrow(filter)) return null
  }
  const rows = await db.longRead(
    newestRows(
      db.read,
      tenant,
      seeker,
      filter,
      MOST_LOOKED + 1,
      fewWords || onPostgres ? null : namesLookedAt,
      gathers(finder, question),
    ),
    signal,
  )
  if (rows.length > MOST_LOOKED) return null
  const unsure = unsureOf(rows, question)
  if (unsure.length === 0 || filter.match.named === null) return rows
  const named = await db.longRead(namedAmong(db.read, filter.match.named, unsure), signal)
  const ids = new Set(named.map((row) => row.search_id))
  return rows.map((row) => (row.sure === 1 ? row : { ...row, sure: 1, named: ids.has(row.search_id) ? 1 : 0 }))
}

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
  const { db } = finder
  const { tenant, seeker, filter, facets, after, count, signal } = question
  const found: FoundRow[] = []
  for (const stretch of stretchesOf(question)) {
    if (found.length > count) break
    const more = {
      ...stretch,
      after: after?.tier === stretch.tier ? after.id : null,
      count: count + 1 - found.length,
      gather: gathers(finder, question),
    }
    const rows = await db.longRead(hitsByPlace(db.read, tenant, seeker, filter, facets, more), signal)
    found.push(...rows.map((row) => ({ ...row, tier: stretch.tier })))
  }
  return found
}

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
