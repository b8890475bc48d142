/**
 * What people type to find something (decisions 7), as a list of terms and as the question that the index is asked. Pure. Whatever is
 * typed is a search: nothing in it can be wrong, and nothing of it reaches the index's own language but between quotes.
 */

/** Words before a colon that say where something is looked for. */
export const SEARCH_FIELDS = ['name', 'tag', 'device', 'officer', 'category', 'case'] as const
export type SearchField = (typeof SEARCH_FIELDS)[number]

export interface SearchTerm {
  readonly field: SearchField | null
  /** Never empty, on one line, without quotes. */
  readonly text: string
  readonly exclude: boolean
  /** Whether words that only begin like it are found too. */
  readonly prefix: boolean
}

/** More than this nobody means, and the index would work for minutes. */
const MOST_TERMS = 24
const MOST_LENGTH = 1_000

/** Letters and digits: all that the index holds of a text, but for what marks ids there. */
const SEARCHABLE = /[\p{L}\p{N}]/u
const FIELD = new RegExp(`^(${SEARCH_FIELDS.join('|')}):`, 'i')
/** Spaces of every kind, and what no text on one line holds. */
const APART = /[\s\p{Cc}\p{Co}\p{Zl}\p{Zp}\p{Zs}]/u

/**
 * Words, `"a phrase"`, `word*`, `-without`, and any of these behind `tag:` `device:` `officer:` `name:` `category:` `case:`. The last
 * word may be half typed: it counts as a beginning.
 */
export function parseSearch(typed: string): SearchTerm[] {
  const text = typed.slice(0, MOST_LENGTH).toWellFormed()
  const terms: SearchTerm[] = []
  let at = 0
  while (at < text.length && terms.length < MOST_TERMS) {
    if (APART.test(text.charAt(at))) {
      at += 1
      continue
    }
    const { term, next } = readTerm(text, at)
    at = next
    if (term !== null) terms.push(term)
  }
  return terms
}

function readTerm(text: string, from: number): { term: SearchTerm | null; next: number } {
  let at = from
  const exclude = text.charAt(at) === '-'
  if (exclude) at += 1
  const named = FIELD.exec(text.slice(at, at + 16))
  const field = (named?.[1]?.toLowerCase() ?? null) as SearchField | null
  if (named !== null) at += named[0].length
  const { words, next, open, star } = text.charAt(at) === '"' ? quoted(text, at + 1) : bare(text, at)
  const last = text.slice(next).search(/[^\s]/u) < 0
  const clean = words.replaceAll(/[\s"\p{Cc}\p{Co}\p{Zl}\p{Zp}\p{Zs}]+/gu, ' ').trim()
  if (!SEARCHABLE.test(clean)) return { term: null, next: Math.max(next, from + 1) }
  // What is left out is left out as it was typed: half a word would take away what nobody named.
  return { term: { field, text: clean, exclude, prefix: star || (last && open && !exclude) }, next }
}

interface Read {
  readonly words: string
  readonly next: number
  /** Whether more of it may be about to come. */
  readonly open: boolean
  readonly star: boolean
}

function quoted(text: string, from: number): Read {
  const end = text.indexOf('"', from)
  if (end < 0) return { words: text.slice(from), next: text.length, open: true, star: false }
  const star = text.charAt(end + 1) === '*'
  return { words: text.slice(from, end), next: end + (star ? 2 : 1), open: false, star }
}

function bare(text: string, from: number): Read {
  let at = from
  while (at < text.length && text.charAt(at) !== '"' && !APART.test(text.charAt(at))) at += 1
  const words = text.slice(from, at)
  return { words, next: at, open: true, star: words.endsWith('*') }
}

/** The columns of the index (migrations/first-release/search.ts). */
const COLUMNS: Readonly<Record<Exclude<SearchField, 'category' | 'case'>, string>> = {
  name: 'name',
  tag: 'tags',
  device: 'device',
  officer: 'people',
}

/** Questions in the index's own language (FTS5). */
export interface SearchMatch {
  /** Null: nothing has to be there. */
  readonly all: string | null
  /** The same with the words that stand in no field found in the name or a number; null where there are none. */
  readonly named: string | null
  /** What must not be there, where `all` is null. */
  readonly without: string | null
}

/** Of terms that the index can answer: those of the fields `category` and `case` name other objects and are left to the caller. */
export function matchOf(terms: readonly SearchTerm[]): SearchMatch {
  const asked = terms.filter(({ field }) => field !== 'category' && field !== 'case')
  const wanted = asked.filter(({ exclude }) => !exclude)
  const free = groupsOf(wanted.filter(({ field }) => field === null)).map(wordOf)
  const inFields = wanted.filter(({ field }) => field !== null).map(phraseOf)
  const without = asked.filter(({ exclude }) => exclude).map(phraseOf)
  const none = without.length === 0 ? '' : ` NOT (${without.join(' OR ')})`
  const joined = (parts: readonly string[]): string => `(${parts.join(' AND ')})`
  if (wanted.length === 0)
    return { all: null, named: null, without: without.length === 0 ? null : `(${without.join(' OR ')})` }
  return {
    all: joined([...free, ...inFields]) + none,
    named: free.length === 0 ? null : joined([`{name numbers} : ${joined(free)}`, ...inFields]) + none,
    without: null,
  }
}

/** A beginning of one letter would find nearly everything, and slowly. */
const SHORTEST_BEGINNING = 2

function phraseOf({ field, text, prefix }: SearchTerm): string {
  const letters = [...text].filter((letter) => SEARCHABLE.test(letter)).length
  const phrase = `"${text}"${prefix && (letters >= SHORTEST_BEGINNING || text.endsWith('*')) ? ' *' : ''}`
  if (field !== null) return `${COLUMNS[field as keyof typeof COLUMNS]} : ${phrase}`
  return /^\d{1,15}$/.test(text) ? `(${phrase} OR numbers : "${idWord(text)}")` : phrase
}

/** Words that are asked for by themselves, or that together look like the plate of a vehicle. */
interface Group {
  readonly terms: readonly [SearchTerm, ...SearchTerm[]]
  /** Its letters and digits alone, folded; null: no plate. */
  readonly plate: string | null
}

/** Country, district and number at most: `B HX 4411`. */
const MOST_WORDS_OF_PLATE = 3
const PLATE_LENGTHS = [4, 9] as const
/** What people write between the parts of a plate. */
const BETWEEN = /[-.·/]/u
const BETWEEN_WRITTEN = /^[-.·/\s]$/u

/** Plates are written with and without spaces and hyphens. Letters and digits, both of them, in three runs at most. */
function plateIn(terms: readonly SearchTerm[]): string | null {
  if (
    terms.some(
      ({ text, field, exclude }) => field !== null || exclude || !/^[\p{L}\p{N}][\p{L}\p{N}.·/-]*$/u.test(text),
    )
  )
    return null
  const letters = foldedLetters(terms.map(({ text }) => text).join('')).filter((letter) => !BETWEEN.test(letter))
  const plate = letters.join('')
  const runs = runsOf(plate)
  const [least, most] = PLATE_LENGTHS
  const isPlate =
    plate.length >= least &&
    plate.length <= most &&
    /^[a-z0-9]+$/.test(plate) &&
    runs.length >= 2 &&
    runs.length <= 3 &&
    /\d{2}/.test(plate) &&
    runs.every((run) => run.length <= 5)
  return isPlate ? plate : null
}

const runsOf = (plate: string): string[] => plate.match(/[a-z]+|\d+/g) ?? []

/** A word that is a plate by itself, else as many words as make one: of `B HX 4411` all of it. */
function groupsOf(terms: readonly SearchTerm[]): Group[] {
  const groups: Group[] = []
  let at = 0
  while (at < terms.length) {
    const group = groupAt(terms, at)
    groups.push(group)
    at += group.terms.length
  }
  return groups
}

function groupAt(terms: readonly SearchTerm[], at: number): Group {
  const alone: Group['terms'] = [terms[at] as SearchTerm]
  const own = plateIn(alone)
  if (own !== null) return { terms: alone, plate: own }
  for (let count = Math.min(MOST_WORDS_OF_PLATE, terms.length - at); count > 1; count--) {
    const some = terms.slice(at, at + count) as [SearchTerm, ...SearchTerm[]]
    const plate = plateIn(some)
    if (plate !== null) return { terms: some, plate }
  }
  return { terms: alone, plate: null }
}

/** The ways in which a plate may be written, as words with spaces between them. */
function writtenOf(plate: string): string[] {
  const [first = '', ...rest] = runsOf(plate)
  // Letters before the number: those of the district may stand apart, `B-HX 4411`.
  const heads = [first]
  if (/^[a-z]/.test(first))
    for (let cut = 1; cut < Math.min(first.length, 4); cut++)
      if (first.length - cut <= 2) heads.push(`${first.slice(0, cut)} ${first.slice(cut)}`)
  return rest.reduce((found, run) => found.flatMap((before) => [`${before}${run}`, `${before} ${run}`]), heads)
}

function wordOf({ terms, plate }: Group): string {
  const plain = terms.map(phraseOf)
  const together = plain.length === 1 ? plain.join('') : `(${plain.join(' AND ')})`
  if (plate === null) return together
  const begins = terms.at(-1)?.prefix === true ? ' *' : ''
  const written = writtenOf(plate).map((text) => `"${text}"${begins}`)
  return `(${[together, ...written.filter((one) => one !== together)].join(' OR ')})`
}

/**
 * Ids stand in the index as words of their own: as bare numbers `12` would find everything from 120 to 129 too. The mark in front is a
 * letter of nobody's, which nothing that is typed can hold, so that no beginning of a word finds every id.
 */
export const idWord = (id: string): string => `${ID_MARK}${id.replace(/^0+(?=\d)/, '')}`
const ID_MARK = '\ue000'

/** Without case and accents, letter by letter, so that places in the folded text are places in the text. */
function foldedLetters(text: string): string[] {
  return [...text].map((letter) => letter.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase())
}

/** What of a term is looked for in a text: its first word, folded. */
const firstWord = (text: string): string =>
  foldedLetters(text)
    .join('')
    .match(/[\p{L}\p{N}]+/u)?.[0] ?? ''

/** Folded beginnings of the words that a search looks for, to show where they stand. A plate is one of them however it was typed. */
export const wordsToShow = (terms: readonly SearchTerm[]): string[] => [
  ...new Set(
    groupsOf(terms.filter(({ exclude, field }) => !exclude && field !== 'category' && field !== 'case'))
      .flatMap(({ terms: some, plate }) =>
        plate === null
          ? some.map(({ text }) => firstWord(text))
          : // One letter of a plate begins too many words.
            [plate, ...some.map(({ text }) => firstWord(text)).filter((word) => word.length > 1)],
      )
      .filter((word) => word !== ''),
  ),
]

export interface FoundAt {
  readonly start: number
  readonly end: number
}

/** Where words begin like one of these, in order and without overlap; places count UTF-16 units. */
export function findWords(text: string, words: readonly string[]): FoundAt[] {
  if (words.length === 0) return []
  const letters = [...text]
  const folded = foldedLetters(text)
  const found: FoundAt[] = []
  let unit = 0
  let before = ' '
  let free = 0
  for (const [at, letter] of letters.entries()) {
    if (at >= free && SEARCHABLE.test(letter) && !SEARCHABLE.test(before)) {
      const length = Math.max(...words.map((word) => lettersOf(folded, at, word)))
      if (length > 0) {
        const end = unit + letters.slice(at, at + length).join('').length
        found.push({ start: unit, end })
        free = at + length
      }
    }
    if (!/\p{M}/u.test(letter)) before = letter
    unit += letter.length
  }
  return found
}

/** How many letters from a place on make up the word; 0 where it does not stand there. */
function lettersOf(folded: readonly string[], from: number, word: string): number {
  let rest = word
  let at = from
  // Within a plate there may be one space or hyphen in each place.
  const isPlate = /\d/.test(word) && /[a-z]/.test(word)
  while (rest !== '') {
    if (isPlate && at > from && BETWEEN_WRITTEN.test(folded[at] ?? '')) at += 1
    const letter = folded[at]
    if (letter === undefined || !(letter === '' || rest.startsWith(letter))) return 0
    rest = rest.slice(letter.length)
    at += 1
  }
  // Accents that stand behind their letter belong to it.
  while (folded[at] === '') at += 1
  return at - from
}

const AROUND = 70
/** A description of megabytes is not read through for the sake of a line. */
const MOST_READ = 20_000

/** A line of the first text that holds one of the words, with what stands around it; null where none does. */
export function snippetOf(texts: readonly string[], words: readonly string[]): string | null {
  for (const text of texts) {
    const read = text.slice(0, MOST_READ)
    const [first] = findWords(read, words)
    if (first === undefined) continue
    const from = first.start <= AROUND ? 0 : beginningOfWord(read, first.start - AROUND)
    const to = first.end + AROUND >= read.length ? read.length : endOfWord(read, first.end + AROUND)
    const line = read.slice(from, to).toWellFormed().replaceAll(/\s+/g, ' ').trim()
    return `${from > 0 ? '… ' : ''}${line}${to < text.length ? ' …' : ''}`
  }
  return null
}

function beginningOfWord(text: string, from: number): number {
  const space = text.slice(from, from + 30).search(/\s/)
  return space < 0 ? from : from + space + 1
}

function endOfWord(text: string, to: number): number {
  const space = text.slice(to - 30, to).search(/\s\S*$/)
  return space < 0 ? to : to - 30 + space
}
