/**
 * Windows of the newest rows, for frequent words on PostgreSQL. Its index of words gives all rows that have a word, in no order: for 250,000 of
 * ten million that takes 50 to 180 ms, each time it is asked, before the newest of them are known. The newest rows lie together, and are read
 * and asked for the words at a million a second. So a page needs the last thousands of rows alone, and a count up to a limit the last hundred
 * thousands.
 */

/** Rows by their numbers; both are in it. */
export interface RowRange {
  readonly from: number
  readonly to: number
  /** Each of them is read and asked for the words. Otherwise the index of words finds all that have them, of whatever row. */
  readonly each: boolean
}

/** Of the newest rows, those that have the words. */
export interface NewestCounts {
  /** Number of the newest row. */
  readonly last: number
  /** So many rows were looked at, by their numbers. */
  readonly looked: number
  readonly all: number
  /** How many words, beginnings or phrases are asked for together. */
  readonly terms: number
}

/**
 * How many words, beginnings or phrases a question asks for. Of a phrase the index of words reads little more than its rarest word; what is
 * excluded is asked of the rows.
 * @param match in the language of FTS5
 */
export const countTerms = (match: string): number =>
  match.replace(/\) NOT \(.*$/s, '').match(/"(?:[^"]|"")*"/g)?.length ?? 0

/**
 * Whether a question is one word or beginning in any column. How many rows have it the server knows; so of all their places it reads only those of
 * a window. Of anything else it expects few rows, and reads all.
 */
export const isOneWord = (match: string): boolean => /^\(?"[\p{L}\p{N}]+"(?: ?\*)?\)?$/u.test(match)

/** So many of the newest rows are read and asked for the words, to learn how frequent these are. */
export const ROWS_LOOKED_AT = 16_384
/** Of fewer rows than so many times these, all are found as quickly. */
const LEAST_ROWS = 4
export const isSmall = (last: number, looked: number): boolean => last < LEAST_ROWS * looked

/** Fewer matches among the rows that were looked at say too little about the others. */
export const LEAST_SAMPLED = 40

/** More rows are taken than should be needed, since words are not spread evenly. */
const MARGIN = 1.3
/** So many rows are read for each that the index of words would give, before the index is asked instead: by measurement (docs/decisions/0023). */
const READ_PER_MATCH = 2
/** A page is looked for in so many times the rows that it should need, then in so many times these. */
const PAGE_MARGIN = 4
const NEXT_PAGE = 16

/**
 * Whether it takes longer to read the index of words than so many rows. For each term the index gives all rows that have it; how many these are
 * follows from those that have all terms, as if each were as frequent as the others.
 */
function isSlower({ last, looked, all, terms }: NewestCounts, rows: number): boolean {
  const ofEach = (all / looked) ** (1 / terms) * last
  return rows <= READ_PER_MATCH * terms * ofEach
}

/** @param rows how many of the newest; null where that is much of all, which then are asked at once */
export function windowOf(newest: NewestCounts, rows: number): RowRange | null {
  if (rows > newest.last / 2) return null
  return { from: newest.last - rows, to: Number.MAX_SAFE_INTEGER, each: isSlower(newest, rows) }
}

/** The newest rows, so many that about `most` of them have the words, and mostly somewhat more. Null for rare words. */
export function windowHolding(newest: NewestCounts, most: number): RowRange | null {
  const { looked, all } = newest
  return all < LEAST_SAMPLED ? null : windowOf(newest, Math.ceil((MARGIN * most * looked) / all))
}

/** A larger window, by how many were found in this one. Null where they were too few to tell, or where it would be much of all rows. */
export function enlarged(newest: NewestCounts, window: RowRange, found: number, most: number): RowRange | null {
  if (found < LEAST_SAMPLED) return null
  return windowOf(newest, Math.ceil((MARGIN * most * (newest.last - window.from)) / found))
}

/**
 * Where a page of the newest first is looked for, one after the other, before all rows are asked.
 * @param matching how many of the rows that were looked at match @param before the page ends before this row; null: it begins with the newest
 */
export function windowsOfPage(
  { last, looked }: NewestCounts,
  matching: number,
  before: number | null,
  count: number,
): RowRange[] {
  if (matching < LEAST_SAMPLED) return []
  const to = before ?? Number.MAX_SAFE_INTEGER
  const top = before ?? last
  const first = Math.ceil((PAGE_MARGIN * count * looked) / matching)
  return [first, first * NEXT_PAGE]
    .filter((rows) => rows <= last / 2 && rows < top)
    .map((rows) => ({ from: top - rows, to, each: true }))
}

/** A time that is asked for: its rows are read where the index of words would take longer. */
export function readEach(newest: NewestCounts, rows: Omit<RowRange, 'each'>): RowRange {
  const passed = Math.min(rows.to, newest.last) - rows.from
  return { ...rows, each: newest.all >= LEAST_SAMPLED && isSlower(newest, passed) }
}
