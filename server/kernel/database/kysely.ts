/**
 * Statements, built with Kysely: once in terms of tables, columns and the expressions of expressions.ts. The compiler of the database that
 * runs them picks the text of its own dialect (docs/decisions/0022).
 */
import { channel } from 'node:diagnostics_channel'
import {
  type BinaryOperationNode,
  type CompiledQuery,
  type DatabaseConnection,
  ExpressionWrapper,
  Kysely,
  OperatorNode,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  PrimitiveValueListNode,
  type QueryResult,
  type RawBuilder,
  type RawNode,
  type Selectable,
  sql,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely'
import type { SqlConnection } from './sqlite/sql-connection.ts'
import type { Tables } from './tables.ts'

/** Publishes the text of each statement, for measurements. Costs nothing without a subscriber. */
export const statementRan = channel('sallyport:statement')

/**
 * A connection answers statements in order, so they can be sent without waiting for each other. Kysely's own adapter would make each
 * statement wait for the previous one.
 */
class InOrderAdapter extends SqliteAdapter {
  override get supportsMultipleConnections(): boolean {
    return true
  }
}

/**
 * Kysely over one connection. database.ts manages transactions, so `transaction()` of the returned object is refused: no transaction may
 * bypass the single writer.
 */
export function kyselyOver(
  connection: SqlConnection,
  dialect: Dialect = 'sqlite',
  { beganAt, chainsAtEnd = false }: OfTransaction = {},
): Kysely<Tables> {
  const run: SqlConnection['run'] = (text, parameters) => {
    if (statementRan.hasSubscribers) statementRan.publish(text)
    return connection.run(text, parameters)
  }
  const over: DatabaseConnection = {
    async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
      const { rows, changes, lastInsertRowid } = await run(query.sql, query.parameters)
      return { rows: rows as R[], numAffectedRows: BigInt(changes), insertId: BigInt(lastInsertRowid) }
    },
    streamQuery() {
      throw new Error('Streams of rows go through longRead')
    },
  }
  const refuse = async (): Promise<never> => {
    throw new Error('Transactions are opened by database.transaction only')
  }
  const database = new Kysely<Tables>({
    dialect: {
      createAdapter: () => (dialect === 'sqlite' ? new InOrderAdapter() : new PostgresAdapter()),
      createDriver: () => ({
        init: async () => {},
        acquireConnection: async () => over,
        beginTransaction: refuse,
        commitTransaction: refuse,
        rollbackTransaction: refuse,
        releaseConnection: async () => {},
        destroy: async () => {},
      }),
      createIntrospector: (db) => (dialect === 'sqlite' ? new SqliteIntrospector(db) : new PostgresIntrospector(db)),
      createQueryCompiler: () => compilerOf(dialect),
    },
  })
  made.set(database, { run, dialect, beganAt, chainsAtEnd })
  return database
}

/** What each object that `kyselyOver` made runs on. */
const made = new WeakMap<Tx, Made>()

interface Made {
  readonly run: SqlConnection['run']
  readonly dialect: Dialect
  readonly beganAt: number | undefined
  readonly chainsAtEnd: boolean
}

/** What is said of an open transaction. */
export interface OfTransaction {
  /** By the clock of the database, where it has one of its own: milliseconds since 1970. */
  readonly beganAt?: number | undefined
  /** Whether entries of the ledger wait for the end of the group of units. */
  readonly chainsAtEnd?: boolean
}

function madeOf(tx: Tx): Made {
  const found = made.get(tx)
  if (found === undefined) throw new Error('This object is not a transaction of the database')
  return found
}

export const dialectOf = (tx: Tx): Dialect => madeOf(tx).dialect

/**
 * When the transaction began, by the clock of the database, in milliseconds since 1970: the clock that all nodes share. Undefined on SQLite,
 * where the clock of the station is the only one.
 */
export const databaseTime = (tx: Tx): number | undefined => madeOf(tx).beganAt

/**
 * Whether this is the transaction of a unit beside which units of other groups run. Then the end of the ledger is known only at the end of the
 * group (`UnitList.chainEntries`).
 */
export const chainsAtEnd = (tx: Tx): boolean => madeOf(tx).chainsAtEnd

/**
 * Runs a compiled statement without Kysely, whose overhead costs as much as a read by key. @throws SqlFailure
 */
export async function runCompiled(tx: Tx, text: string, parameters: readonly unknown[]): Promise<unknown[]> {
  return (await madeOf(tx).run(text, parameters)).rows
}

/** The open transaction, as stores take it. Only SQL may be awaited while it is open. */
export type Tx = Kysely<Tables>

export type Dialect = 'sqlite' | 'postgres'

interface DialectNode extends RawNode {
  readonly inDialect: (dialect: Dialect) => RawBuilder<unknown>
}

const ofDialect = (node: RawNode, dialect: Dialect): RawNode =>
  'inDialect' in node ? ((node as DialectNode).inDialect(dialect).toOperationNode() as RawNode) : node

class CompilerForSqlite extends SqliteQueryCompiler {
  protected override visitRaw(node: RawNode): void {
    super.visitRaw(ofDialect(node, 'sqlite'))
  }
}

class CompilerForPostgres extends PostgresQueryCompiler {
  protected override visitRaw(node: RawNode): void {
    super.visitRaw(ofDialect(node, 'postgres'))
  }

  /** `IN ()` is an error here. As on SQLite nothing is among no values, and everything is not among them. */
  protected override visitBinaryOperation(node: BinaryOperationNode): void {
    const { operator, rightOperand: list } = node
    const isEmpty = PrimitiveValueListNode.is(list) && list.values.length === 0
    if (isEmpty && OperatorNode.is(operator)) this.append(operator.operator === 'in' ? 'false' : 'true')
    else super.visitBinaryOperation(node)
  }
}

const compilerOf = (dialect: Dialect): SqliteQueryCompiler | PostgresQueryCompiler =>
  dialect === 'sqlite' ? new CompilerForSqlite() : new CompilerForPostgres()

/** An expression with a text for each dialect. @param inDialect called when a statement is compiled */
export function byDialect<T>(inDialect: (dialect: Dialect) => RawBuilder<unknown>): RawBuilder<T> {
  const node: DialectNode = { kind: 'RawNode', sqlFragments: [], parameters: [], inDialect }
  return sql<T>`${new ExpressionWrapper(node)}`
}

/** A value that is known when the statement runs. */
class Placeholder {
  readonly name: string
  constructor(name: string) {
    this.name = name
  }
}

type Given = Readonly<Record<string, unknown>>

/**
 * Writes `+?` for a value that a column is compared with, and for a limit. SQLite plans a statement anew when such a value changes, since
 * the value could lead to another plan, and better-sqlite3 clears the values after every run: each run of the prepared statement then costs
 * ten times as much as the read itself. SQLite does not look behind a unary plus, which has no other effect. What the values could have
 * chosen must stand in the statement as a literal: a value never selects a partial index here (docs/decisions/0017).
 */
const plannedOnce = (text: string): string => text.replaceAll(/(=|<|>|\blimit\b) *\?/gi, '$1 +?')

type Build<Values, Row> = (tx: Tx, given: Values) => { compile(): CompiledQuery<Row> }

function compileFor<Row>(dialect: Dialect, built: { compile(): CompiledQuery<Row> }): CompiledQuery<Row> {
  const compiled = built.compile()
  return dialect === 'sqlite' ? { ...compiled, sql: plannedOnce(compiled.sql) } : compiled
}

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
    const compiled = byDialect.get(dialect) ?? compileFor(dialect, build(tx, placeholders))
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
    const nameOf = (at: number, column: string): string => (rows.length === 1 ? column : `${at} ${column}`)
    const run =
      compiled.get(shape) ??
      statement((from, given: Given) => {
        const placeholders = rows.map((_, at) =>
          Object.fromEntries(columns.map((column) => [column, given[nameOf(at, column)]])),
        )
        return from.insertInto(table).values(placeholders as never)
      })
    if (rows.length * columns.length <= MOST_COMPILED_VALUES) compiled.set(shape, run)
    const named = (row: Row, at: number) => columns.map((column) => [nameOf(at, column), row[column]])
    await run(tx, rows.length === 1 ? (rows[0] as Row) : Object.fromEntries(rows.flatMap(named)))
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
