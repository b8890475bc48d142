/** Counts what a question finds, up to a limit, and by the values of the facets: of frequent words among the newest rows as far as these suffice. */
import type { SearchAnswer } from '../../../shared/search/contract.ts'
import type { z } from 'zod'
import type { Database } from '../../kernel/database/database.ts'
import { countOf, countPassing, facetsOf } from './search.facets.ts'
import { enlarged, isOneWord, type RowRange, windowHolding } from '../../kernel/database/newest-rows.ts'
import type { Question } from './search.question.ts'
import { countedCube, countedHits, type SearchFilter } from './search.store.ts'

export type Counts = Pick<z.input<typeof SearchAnswer>, 'Total' | 'TotalIsAtLeast' | 'Facets'>

/**
 * Counts to one more than the exact limit, which shows that there are more.
 * @param exactTo totals and counts are exact up to this many @param wanted whether facets are
 */
export async function counted(
  { db, exactTo }: { readonly db: Database; readonly exactTo: number },
  question: Question,
  wanted: boolean,
): Promise<Counts> {
  const { tenant, seeker, facets, newest, signal } = question
  const most = exactTo + 1
  const totalOf = (n: number) => ({ Total: Math.min(n, exactTo), TotalIsAtLeast: n > exactTo })
  const asked = (filter: SearchFilter) =>
    db.longRead(countedCube(db.read, tenant, seeker, filter, most), signal, passesOf(filter))
  const first = firstWindow(question, most)
  if (!wanted) return { ...totalOf(await countedTotal(db, question, first, most)), Facets: null }
  const { found: cube, window } = await countedIn(question, first, most, asked, countOf)
  const whole = countOf(cube) < most
  const passing = countPassing(cube, facets)
  // A total above the exact limit is known already and not counted again.
  if (whole || passing >= most) return { ...totalOf(passing), Facets: facetsOf(cube, facets, !whole) }
  const larger = window === null || newest === null ? null : enlarged(newest, window, passing, most)
  return { ...totalOf(await countedTotal(db, question, larger, most)), Facets: facetsOf(cube, facets, true) }
}

/** @param first where it is counted first; null: in all rows */
async function countedTotal(db: Database, question: Question, first: RowRange | null, most: number): Promise<number> {
  const { tenant, seeker, facets, signal } = question
  const asked = async (filter: SearchFilter): Promise<number> =>
    (await db.longRead(countedHits(db.read, tenant, seeker, filter, facets, most), signal, passesOf(filter)))[0]?.n ?? 0
  return (await countedIn(question, first, most, asked, (n) => n)).found
}

/** Whether a filter has an index of its own, by which few rows are found: windows of the newest rows would be read for nothing. */
export const isLookedUp = (filter: SearchFilter): boolean =>
  filter.rows !== null ||
  filter.fromTicks !== null ||
  filter.toTicks !== null ||
  filter.deviceId !== null ||
  filter.inCases.length > 0 ||
  filter.box !== null ||
  filter.near !== null

/** Of all rows that have the word, only those of a window are read. */
const passesOf = ({ rows, match: { all } }: SearchFilter): 'all' | 'few' =>
  rows !== null && !rows.each && all !== null && isOneWord(all) ? 'few' : 'all'

/** The newest rows among which the words alone would be found often enough. */
export const firstWindow = ({ newest, filter }: Question, most: number): RowRange | null =>
  newest === null || isLookedUp(filter) ? null : windowHolding(newest, most)

/** Counts among the newest rows as long as these promise enough, and among all otherwise. */
async function countedIn<Found>(
  question: Question,
  first: RowRange | null,
  most: number,
  ask: (filter: SearchFilter) => Promise<Found>,
  numberOf: (found: Found) => number,
): Promise<{ found: Found; window: RowRange | null }> {
  const { filter, newest } = question
  for (let window = first; window !== null && newest !== null; ) {
    const found = await ask({ ...filter, rows: window })
    const n = numberOf(found)
    if (n >= most) return { found, window }
    window = enlarged(newest, window, n, most)
  }
  return { found: await ask(filter), window: null }
}
