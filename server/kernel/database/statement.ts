import { type CompiledQuery, type Selectable, sql } from 'kysely'
import type { Dialect } from './dialect.ts'
import { dialectOf, runCompiled, type Tx } from './kysely.ts'
import type { Tables } from './tables.ts'

/** A value that is known when the statement runs. */
class Placeholder {
  readonly name: string
  constructor(name: string) {
    this.name = name
  }
}

type Given = Readonly<Record<string, unknown>>
type Build<Values, Row> = (tx: Tx, given: Values) => { compile(): CompiledQuery<Row> }

/**
 * A statement that is built and compiled once for each dialect, at its first run, and then run with other values. Building a query costs several times as
 * much as a read by key.
 *
 * `build` gets placeholders instead of values: it may put them into the query but must not read them. Lists cannot be values, since a list
 * needs a placeholder for each member; see `membersOf` in expressions.ts.
 */
export function statement<Values extends Given, Row>(
  build: Build<Values, Row>,
): (tx: Tx, given: Values) => Promise<Row[]> {
  const byDialect = new Map<Dialect, CompiledQuery<Row>>()
  const placeholders = new Proxy({}, { get: (_, name) => new Placeholder(String(name)) }) as Values
  return async (tx, given) => {
    const dialect = dialectOf(tx)
    const compiled = byDialect.get(dialect) ?? build(tx, placeholders).compile()
    byDialect.set(dialect, compiled)
    const parameters = compiled.parameters.map((one) => (one instanceof Placeholder ? given[one.name] : one))
    return (await runCompiled(tx, compiled.sql, parameters)) as Row[]
  }
}

/** Most values of a cached statement. Larger ones are rare and are built each time. */
const MOST_COMPILED_VALUES = 1_000

/** Inserts up to some thousand rows, which must all have the same columns. */
export function insertInto<Table extends keyof Tables & string, Row extends Given>(table: Table) {
  const compiled = new Map<string, (tx: Tx, given: Given) => Promise<unknown>>()
  return async (tx: Tx, rows: readonly Row[]): Promise<void> => {
    if (rows.length === 0) return
    const columns = Object.keys(rows[0] as Row)
    const shape = `${rows.length} ${columns.join(' ')}`
    const valuesOf = (given: (at: number, column: string) => unknown) =>
      rows.map((_, at) => Object.fromEntries(columns.map((column) => [column, given(at, column)]))) as never
    const run =
      compiled.get(shape) ??
      statement((from, given: Given) =>
        from.insertInto(table).values(valuesOf((at, column) => given[`${at} ${column}`])),
      )
    if (rows.length * columns.length <= MOST_COMPILED_VALUES) compiled.set(shape, run)
    await run(
      tx,
      Object.fromEntries(rows.flatMap((row, at) => columns.map((column) => [`${at} ${column}`, row[column]]))),
    )
  }
}

/** Inserts a row and returns it as stored, with its new key. */
export function insertForRow<Table extends keyof Tables & string>(table: Table) {
  const compiled = new Map<string, (tx: Tx, given: Given) => Promise<unknown[]>>()
  return async (tx: Tx, row: Given): Promise<Selectable<Tables[Table]>> => {
    const columns = Object.keys(row)
    const shape = columns.join(' ')
    const run =
      compiled.get(shape) ??
      statement((from, given: Given) => {
        const names = sql.join(columns.map((column) => sql.ref(column)))
        const values = sql.join(columns.map((column) => given[column]))
        const insert = sql`INSERT INTO ${sql.table(table)} (${names}) VALUES (${values}) RETURNING *`
        return { compile: () => insert.compile(from) }
      })
    compiled.set(shape, run)
    const [inserted] = (await run(tx, row)) as Selectable<Tables[Table]>[]
    if (inserted === undefined) throw new Error(`The database gave no new row of ${table}`)
    return inserted
  }
}

/** Updates columns of the row with this key. */
export function updateByKey<Table extends keyof Tables & string>(table: Table, key: string) {
  const compiled = new Map<string, (tx: Tx, given: Given) => Promise<unknown>>()
  return async (tx: Tx, id: number, set: Given): Promise<void> => {
    const columns = Object.keys(set)
    if (columns.length === 0) return
    const shape = columns.join(' ')
    const run =
      compiled.get(shape) ??
      statement((from, given: Given) => {
        const assigned = sql.join(columns.map((column) => sql`${sql.ref(column)} = ${given[column]}`))
        const update = sql`UPDATE ${sql.table(table)} SET ${assigned} WHERE ${sql.ref(key)} = ${given['the key']}`
        return { compile: () => update.compile(from) }
      })
    compiled.set(shape, run)
    await run(tx, { ...set, 'the key': id })
  }
}
