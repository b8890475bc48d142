/**
 * A connection of a node that writes. Transactions of all nodes come one after the other, under one lock of the database: so one ledger
 * chains them, and rules over several rows hold as on SQLite (docs/decisions/0022). Units that wait share a commit. Groups of units that lock
 * their rows take the lock shared and run beside each other; they chain their entries at their end, one group at a time (docs/decisions/0023).
 */
import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { crossingError } from '../crossing-error.ts'
import type { Tx } from '../kysely.ts'
import { openTx, Refused, type TransactionConnection } from '../transactions.ts'
import { mayChangeRights } from '../rights-version.ts'
import {
  type GroupAnswer,
  LONGEST_GROUP_MS,
  type RowLock,
  type UnitGroup,
  type UnitList,
  type UnitRequest,
  type UnitResult,
  type UnitsModule,
} from '../units.ts'
import { isAway, isInTheWay, SqlFailure, type StatementResult } from '../sqlite/sql-connection.ts'
import { configOf, failureOf, prepareAnew, runOn } from './connections.ts'
import { ROW_CHANGES_TABLE } from './row-changes.ts'

/** The lock under which all nodes write. Any number, the same in every program that uses this database. */
export const WRITE_LOCK = 7_460_001
/** The lock of a step of the schema. */
export const SCHEMA_LOCK = 7_460_002

/** Milliseconds for which a commit whose answer was lost is asked for; then its outcome counts as unknown. */
const SETTLE_MS = 120_000
/** Outcomes are deleted after this time; a settling is long over then. */
const OUTCOMES_KEPT = '1 day'
/** The longest pause inside a transaction. A node that stands still, or whose machine is gone, holds up all others for so long. */
const LONGEST_PAUSE = '15s'
/** Every how many transactions old outcomes are deleted. */
const CLEAN_EVERY = 2000

/** What was committed before a statement is what it sees: whoever waited for a lock goes on from the rows as they are then. */
const BEGIN = 'BEGIN ISOLATION LEVEL READ COMMITTED'
const TAKE_LOCK = `SELECT pg_advisory_xact_lock(${WRITE_LOCK})`
/** Held by groups beside each other, and by none beside a transaction that has the lock alone. */
const SHARE_LOCK = `SELECT pg_advisory_xact_lock_shared(${WRITE_LOCK})`
const WRITE_OUTCOME = 'INSERT INTO outcomes (id) VALUES ($1)'
const FORGET_OUTCOMES = `DELETE FROM outcomes WHERE at < now() - interval '${OUTCOMES_KEPT}'`
const READ_STATE = `SELECT rights, floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint AS time,
  (SELECT max(version) FROM schema_version) AS schema FROM changes`

/** The channel on which nodes tell each other of commits that changed rows: the number of the commit and the writer's own mark. */
export const CHANNEL = 'sallyport_changes'

const ANNOUNCE = `WITH c AS (UPDATE changes SET n = n + 1 RETURNING n) SELECT pg_notify('${CHANNEL}', n || $1) FROM c`

export interface PostgresWriter extends TransactionConnection {
  /** The version of all rights in the open transaction; null after a statement that may change a right. */
  rightsVersion(): string | null
  close(): Promise<void>
}

interface WriterOptions {
  readonly url: string
  /** The module with the units of work; they run in this process. */
  readonly units: URL | undefined
  /** Marks notifications of this node's own commits. */
  readonly mark: string
}

/** @throws SqlFailure */
export async function openWriter({ url, units, mark }: WriterOptions): Promise<PostgresWriter> {
  let client = await connect(url)
  let outcome = ''
  /** Of the open transaction. */
  let rights: string | null = null
  let beganAt = 0
  let schema: number | null = null
  let begun = 0
  let isShared = false
  let list: UnitList | null = null
  let now = 0

  /** A connection that broke is replaced; its transaction is over. */
  const usable = async (): Promise<pg.Client> => {
    if (isOpen(client)) return client
    client = await connect(url)
    return client
  }
  let last: Promise<unknown> = Promise.resolve()
  /** Statements are sent without waiting for the answers of those before them (`pipeline`); the server takes them one after the other. */
  const run = (text: string, parameters: readonly unknown[]): Promise<StatementResult> => {
    if (mayChangeRights(text) && !/^\s*select/i.test(text)) {
      // Other groups judge by these rows now, and lock none of them.
      if (isShared) return Promise.reject(new Error('A unit that runs beside others may change no right'))
      rights = null
    }
    const answer = runOn(client, text, parameters)
    const before = last
    last = answer.then(
      () => before,
      () => before,
    )
    return answer
  }
  const begin = async (shared = false): Promise<void> => {
    outcome = randomUUID()
    isShared = shared
    begun += 1
    await usable()
    try {
      // The id is written first: if the answer to COMMIT is lost, writing it again tells whether it was committed. Version of rights and time
      // are read last, under the lock: no other node changes a right or the schema now, and later transactions have later times.
      const answers = await Promise.all([
        runOn(client, BEGIN, []),
        runOn(client, shared ? SHARE_LOCK : TAKE_LOCK, []),
        runOn(client, WRITE_OUTCOME, [outcome]),
        ...(begun % CLEAN_EVERY === 0 ? [runOn(client, FORGET_OUTCOMES, [])] : []),
        runOn(client, READ_STATE, []),
      ])
      const row = answers.at(-1)?.rows[0] as { rights: string; time: number; schema: number } | undefined
      if (row === undefined) throw new Error('The table changes has lost its row')
      rights = row.rights
      beganAt = row.time
      // A newer node changed the schema. In a transaction a statement of the earlier one could not be tried again.
      if (schema !== null && schema !== row.schema) prepareAnew()
      schema = row.schema
    } catch (error) {
      // Otherwise the connection would stay in a transaction that takes no statement.
      await rollback()
      throw error
    }
  }
  /**
   * Until no statement is on its way. Of several that came at once one may fail, or the work be refused: the others would run after the end of
   * the transaction, outside of any, and their changes would stay.
   */
  const settled = async (): Promise<void> => void (await last)
  /** @param sent what is on its way to the database before it */
  const commitSettled = async (wroteRows: boolean, sent: Promise<unknown> | null = null): Promise<void> => {
    try {
      const answers = await Promise.all([
        sent,
        ...(wroteRows ? [runOn(client, ANNOUNCE, [` ${mark}`])] : []),
        runOn(client, 'COMMIT', []),
      ])
      // COMMIT ends a transaction in which a statement failed as ROLLBACK does, and answers without an error.
      if ((answers.at(-1) as { readonly command: string }).command !== 'COMMIT')
        throw new Error('The transaction was rolled back, since a statement of it had failed')
    } catch (error) {
      if (!isAway(error)) {
        await rollback()
        throw new Refused(error)
      }
      client = await reconnected(url)
      if (await wasCommitted(client, outcome)) return
      throw new Refused(error)
    }
  }
  const commit = async (wroteRows: boolean): Promise<void> => {
    await settled()
    await commitSettled(wroteRows)
  }
  const rollback = async (): Promise<void> => {
    await settled()
    try {
      if (isOpen(client)) await runOn(client, 'ROLLBACK', [])
    } catch (error) {
      // Without its connection the server rolls back by itself.
      if (!isAway(error)) throw error
    }
  }
  const unitList = async (): Promise<UnitList> => {
    if (list === null) {
      const { createUnits } = (await import((units as URL).href)) as UnitsModule
      list = createUnits({ now: () => now, monotonic: () => performance.now() })
    }
    return list
  }

  return {
    dialect: 'postgres',
    rightsVersion: () => rights,
    beganAt: () => beganAt,
    run,
    begin: () => begin(),
    commit,
    rollback,
    runGroup: async ({ units: requests, trace, besideOthers = false }: UnitGroup): Promise<GroupAnswer> => {
      const statements: string[] = []
      const connection = {
        run: (text: string, parameters: readonly unknown[]): Promise<StatementResult> => {
          if (trace) statements.push(text)
          return run(text, parameters)
        },
      }
      const results: UnitResult[] = []
      const done: Tx[] = []
      let sent: Promise<unknown> | null = null
      let wroteRows = false
      const all = await unitList()
      await begin(besideOthers).catch((error: unknown) => {
        throw new Refused(error)
      })
      try {
        const since = performance.now()
        for (const request of requests) {
          if (results.length > 0 && performance.now() - since > LONGEST_GROUP_MS) break
          now = request.now
          const group = { run, connection, list: all, beganAt, settled, besideOthers, waits: results.length === 0 }
          const { result, wrote, tx } = await runUnit(group, request)
          results.push(result)
          if (tx !== undefined) done.push(tx)
          wroteRows ||= wrote
        }
        if (besideOthers) {
          // Sent behind the release of the last unit.
          const { tx, end } = openTx(connection, 'postgres')
          sent = (await all.chainEntries(tx, done))?.sent ?? null
          end()
        }
      } catch (error) {
        // The connection was lost under a unit: nothing of the group was committed.
        await rollback()
        throw new Refused(error)
      }
      // Sent behind the release of the last unit. If that failed, this is answered with ROLLBACK.
      await commitSettled(wroteRows, sent)
      return { results, statements, wroteRows }
    },
    close: async () => {
      await client.end().catch(() => {})
    },
  }
}

const broken = new WeakSet<pg.Client>()
const isOpen = (client: pg.Client): boolean => !broken.has(client)

async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({ ...configOf(url), pipeline: true })
  // Without a listener the end of a connection would end the process.
  client.on('error', () => void broken.add(client))
  client.on('end', () => void broken.add(client))
  await client.connect().catch((error: unknown) => {
    throw failureOf(error)
  })
  await runOn(client, `SET idle_in_transaction_session_timeout = '${LONGEST_PAUSE}'`, [])
  await runOn(client, ROW_CHANGES_TABLE, [])
  return client
}

/** @throws SqlFailure when the database stays away: then the outcome is unknown */
async function reconnected(url: string): Promise<pg.Client> {
  const until = performance.now() + SETTLE_MS
  for (let wait = 100; ; wait = Math.min(2 * wait, 5000)) {
    try {
      return await connect(url)
    } catch (error) {
      if (performance.now() > until) throw error
      await pause(wait)
    }
  }
}

/** Waits while the old transaction is open; an id that can be written now was never committed, and never will be. */
async function wasCommitted(client: pg.Client, outcome: string): Promise<boolean> {
  const { changes } = await runOn(client, `${WRITE_OUTCOME} ON CONFLICT DO NOTHING`, [outcome])
  return changes === 0
}

type Run = TransactionConnection['run']

interface Group {
  readonly run: Run
  /** Beside running it tells the statement, where somebody listens. */
  readonly connection: { readonly run: Run }
  readonly list: UnitList
  readonly beganAt: number
  readonly settled: () => Promise<void>
  readonly besideOthers: boolean
  /** Whether the unit waits for a row that another group has. Only the first one does, which holds no row yet: so no two groups wait for each other. */
  readonly waits: boolean
}

/** The same lock that an UPDATE takes: rows that refer to this one may still be added. */
const lockText = ({ table, key }: RowLock, waits: boolean): string =>
  `SELECT 1 FROM "${table}" WHERE "${key}" = ANY ($1) ORDER BY "${key}" FOR NO KEY UPDATE${waits ? '' : ' NOWAIT'}`

/**
 * The savepoint is made and released without waiting for the answers: no statement behind it is answered earlier. A release is refused only
 * where a statement of the unit failed, also when the unit went on as if nothing had happened; then it is waited for, and the unit rolled back.
 */
async function runUnit(
  { run, connection, list: { bodies, beforeEnd }, beganAt, settled, besideOthers, waits }: Group,
  { name, input, locks = [] }: UnitRequest,
): Promise<{ readonly result: UnitResult; readonly wrote: boolean; readonly tx?: Tx }> {
  /** Of the first statement that failed; those behind it fail because of it. */
  let failure: unknown = null
  const noting = (answer: Promise<StatementResult>): Promise<StatementResult> => {
    answer.catch((error: unknown) => {
      failure ??= error
    })
    return answer
  }
  void noting(run('SAVEPOINT unit', []))
  const watched = { run: (...given: Parameters<Run>) => noting(connection.run(...given)) }
  // Whatever the unit reads comes after its locks, also where their answers are still on their way.
  for (const lock of locks) void noting(run(lockText(lock, waits), [lock.values]))
  const { tx, end, changed, wroteRows } = openTx(watched, 'postgres', { beganAt, chainsAtEnd: besideOthers })
  try {
    const body = bodies.get(name)
    if (body === undefined) throw new Error(`There is no unit of work ${name}`)
    // As on SQLite, where it crosses to another thread: a unit never changes what its caller holds.
    const output = await body(tx, structuredClone(input) as never)
    if (changed()) await beforeEnd(tx)
    end()
    await settled()
    // Refused before it was sent: the server knows of no failure.
    if (failure !== null && !(failure instanceof SqlFailure)) throw failure
    const released = noting(run('RELEASE SAVEPOINT unit', []))
    if (failure !== null) await released
    return { result: { output }, wrote: wroteRows(), tx }
  } catch (error) {
    end()
    await settled()
    await run('ROLLBACK TO SAVEPOINT unit', [])
    await run('RELEASE SAVEPOINT unit', [])
    const result =
      besideOthers && isInTheWay(failure) ? { inTheWay: crossingError(failure) } : { error: crossingError(error) }
    return { result, wrote: false }
  }
}
