/**
 * The index of words on PostgreSQL. Words are folded and cut as FTS5's `unicode61 remove_diacritics 2` does: letters without case and
 * accents, and digits; everything else separates. The function `words_of` of the schema cuts the texts, `wordsIn` the questions.
 */
import { type RawBuilder, sql } from 'kysely'

/** Columns of `search_words`; a question without a column asks each of them. */
export const SEARCH_COLUMNS = ['name', 'tags', 'numbers', 'texts', 'device', 'people'] as const

/** Columns with an index of their own (schema/tables.ts). */
const INDEXED: ReadonlySet<string> = new Set(['words', 'name', 'numbers'])

/** The words of a text. @param joining further characters of words */
export function wordsIn(text: string, joining = ''): string[] {
  const folded = text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase()
  return folded.match(new RegExp(`[\\p{L}\\p{N}\\p{Co}${joining}]+`, 'gu')) ?? []
}

type Condition = RawBuilder<unknown>

/** Condition: a row of the index has the words. @param index `evidence_words`, or `search_words` with or without the alias of the table */
export function hasWords(index: string, words: string): Condition {
  const [table = '', alias] = index.split('.').reverse()
  const joining = table === 'evidence_words' ? '_%' : ''
  return new Question(words, alias === undefined ? '' : `${alias}.`, joining).read()
}

/**
 * Reads a question in the language of FTS5, as far as shared/search/search-query.ts and the list of evidence write it: phrases, beginnings,
 * columns, AND, OR, NOT and brackets.
 */
class Question {
  private readonly tokens: string[]
  private readonly alias: string
  private readonly joining: string
  private at = 0

  constructor(text: string, alias: string, joining: string) {
    this.tokens = text.match(/"(?:[^"]|"")*"|[A-Za-z]+|[(){}:*]/g) ?? []
    this.alias = alias
    this.joining = joining
  }

  read(): Condition {
    const found = this.either(null)
    if (this.at < this.tokens.length) throw new Error(`A question of words ends with ${this.tokens[this.at]}`)
    return found
  }

  private takes(token: string): boolean {
    if (this.tokens[this.at] !== token) return false
    this.at += 1
    return true
  }

  private either(columns: readonly string[] | null): Condition {
    const parts = [this.both(columns)]
    while (this.takes('OR')) parts.push(this.both(columns))
    return joined(parts, sql` OR `)
  }

  private both(columns: readonly string[] | null): Condition {
    const parts = [this.one(columns)]
    for (;;) {
      if (this.takes('AND')) parts.push(this.one(columns))
      else if (this.takes('NOT')) parts.push(sql`NOT ${this.one(columns)}`)
      else return joined(parts, sql` AND `)
    }
  }

  private one(columns: readonly string[] | null): Condition {
    if (this.takes('(')) {
      const inner = this.either(columns)
      this.takes(')')
      return inner
    }
    const named = this.columns()
    return named === null ? this.phrase(columns) : this.one(named)
  }

  private columns(): readonly string[] | null {
    const named: string[] = []
    if (this.takes('{')) while (!this.takes('}')) named.push(this.next())
    else if (/^[A-Za-z]/.test(this.tokens[this.at] ?? '')) named.push(this.next())
    if (named.length === 0) return null
    this.takes(':')
    return named
  }

  private next(): string {
    const token = this.tokens[this.at]
    if (token === undefined) throw new Error('A question of words ends too early')
    this.at += 1
    return token
  }

  private phrase(columns: readonly string[] | null): Condition {
    const words = wordsIn(this.next().slice(1, -1).replaceAll('""', '"'), this.joining)
    const beginning = this.takes('*') ? ':*' : ''
    // A phrase without words is in nothing, as in FTS5.
    if (words.length === 0) return sql`FALSE`
    const asked = (by: string): string => `${words.map((word) => `'${word}'`).join(by)}${beginning}`
    const of = (column: string, by = ' <-> '): Condition =>
      sql`${sql.raw(`${this.alias}${column}`)} @@ ${asked(by)}::tsquery`
    if (columns === null) return of('words')
    const found = joined(
      columns.map((column) => of(column)),
      sql` OR `,
    )
    // A column without an index of its own: its words are among those of the row, which has one.
    return columns.every((column) => INDEXED.has(column)) ? found : sql`(${of('words', ' & ')} AND ${found})`
  }
}

const joined = (parts: readonly Condition[], by: Condition): Condition =>
  parts.length === 1 ? (parts[0] as Condition) : sql`(${sql.join([...parts], by)})`
