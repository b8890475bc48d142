/**
 * Transactions one after the other on the one connection that writes. The queue lets requests go before background work, so that people do
 * not wait for the many transactions of cameras. Units of work that wait share commits.
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import { channel } from 'node:diagnostics_channel'
import { errorAcross } from './crossing-error.ts'
import { type Dialect, kyselyOver, statementRan, type Tx } from './kysely.ts'
import { MOST_ROWS_AN_ENTRY, takesRowChanges } from './row-changes.ts'
import type { SqlConnection } from './sqlite/sql-connection.ts'
import { type GroupAnswer, MOST_IN_A_GROUP, type Unit, type UnitGroup, type UnitRequest } from './units.ts'

/** Told after each transaction how many milliseconds it held the writer. Costs nothing while nobody listens. */
const held = channel('sallyport:writer-held')

/**
 * The disk failed under COMMIT: the change may be there or not (docs/guarantees.md, Durability). Nobody may try again in this process;
 * the station stops taking writes and is started anew, and clients settle it by Idempotency-Key.
 */
export class UnknownOutcome extends Error {
  override readonly name = 'UnknownOutcome'
}

interface SerialTransactions {
  inTurn<T>(rank: WritePriority, work: (tx: Tx) => Promise<T>): Promise<T>
  run<Input, Output>(rank: WritePriority, named: Unit<Input, Output>, input: Input, now: () => number): Promise<Output>
  idle(): Promise<void>
}

/** The connection that writes, as transactions use it. */
export interface TransactionConnection {
  readonly dialect: Dialect
  run: SqlConnection['run']
  begin(): Promise<void>
  /** Milliseconds since 1970 by the clock of the database, when the open transaction began; not given on SQLite, which has no clock of its own. */
  beganAt?(): number
  /**
   * @param wroteRows whether rows may have changed, which other nodes are told
   * @throws Refused when it is certain that nothing was committed; anything else is an unknown outcome
   */
  commit(wroteRows: boolean): Promise<void>
  rollback(): Promise<void>
  /** Runs units of work and commits. @throws Refused when it is certain that nothing was committed; anything else is an unknown outcome */
  runGroup(group: UnitGroup): Promise<GroupAnswer>
}

/** Nothing was committed. `cause` is what the caller gets. */
export class Refused extends Error {
  override readonly name = 'Refused'
  constructor(cause: unknown) {
    super((cause as Error).message, { cause })
  }
}

interface SerialDeps {
  readonly connection: TransactionConnection
  readonly onUnknownOutcome: ((error: UnknownOutcome) => void) | undefined
  /** Called before each transaction; where it throws or rejects nothing is written. */
  readonly beforeWrite: (() => Promise<void> | null) | undefined
  readonly beforeCommit: (tx: Tx) => Promise<void>
  /** Called after each commit that changed rows. */
  readonly rowsChanged: () => void
}

export function serialTransactions({
  connection,
  onUnknownOutcome,
  beforeWrite,
  beforeCommit,
  rowsChanged,
}: SerialDeps): SerialTransactions {
  const inside = new AsyncLocalStorage<true>()
  const turns = createWriteQueue()
  let lost: UnknownOutcome | null = null

  const lose = (error: unknown): UnknownOutcome => {
    lost = new UnknownOutcome(
      `The disk failed under a commit; whether it took place is unknown. ${(error as Error).message}`,
      { cause: error },
    )
    onUnknownOutcome?.(lost)
    return lost
  }

  /** While the writer is held. */
  const holding = async <T>(work: () => Promise<T>): Promise<T> => {
    if (lost !== null) throw lost
    const looks = beforeWrite?.() ?? null
    if (looks !== null) await looks
    const began = performance.now()
    try {
      return await work()
    } finally {
      if (held.hasSubscribers) held.publish(performance.now() - began)
    }
  }

  const runGroup = async (units: readonly UnitRequest[]): Promise<GroupAnswer> => {
    try {
      const answer = await connection.runGroup({ units, trace: statementRan.hasSubscribers })
      for (const text of answer.statements) statementRan.publish(text)
      if (answer.wroteRows) rowsChanged()
      return answer
    } catch (error) {
      throw error instanceof Refused ? error.cause : lose(error)
    }
  }
  const outside = AsyncLocalStorage.snapshot()
  const queue = createUnitQueue(turns, (units) => holding(() => runGroup(units)))

  const committed = async <T>(work: (tx: Tx) => Promise<T>): Promise<T> => {
    await connection.begin()
    const { tx, end, changed, wroteRows } = openTx(connection, connection.dialect, connection.beganAt?.())
    let result: T
    try {
      result = await inside.run(true, () => work(tx))
      if (changed()) await inside.run(true, () => beforeCommit(tx))
    } catch (error) {
      end()
      await connection.rollback().catch((failure) => {
        throw lose(failure)
      })
      throw error
    }
    end()
    try {
      await connection.commit(wroteRows())
    } catch (error) {
      throw error instanceof Refused ? error.cause : lose(error)
    }
    if (wroteRows()) rowsChanged()
    return result
  }

  // Waiting for the writer while holding it would wait for ever.
  const nested = (): Promise<never> | null =>
    inside.getStore() === true ? Promise.reject(new Error('A transaction was opened inside a transaction')) : null
  return {
    inTurn: (rank, work) => nested() ?? turns.run(rank, () => holding(() => committed(work))),
    // A group belongs to no caller in particular.
    run: (rank, named, input, now) => nested() ?? outside(() => queue.add(rank, named, input, now)),
    idle: turns.idle,
  }
}

interface OpenTx {
  readonly tx: Tx
  end(): void
  /** Whether rows may have changed since the ledger last took changes. */
  changed(): boolean
  /** Whether rows may have been changed at all; the ledger's own entries do not count. */
  wroteRows(): boolean
}

/** Statements that change no covered rows, and that nobody waits for: reads, entries of the ledger, how far a running job is. */
const CHANGES_NO_RECORD = /^\s*(select|insert into "ledger" |update "jobs" set "progress" )/i

/**
 * Access to the writer for one transaction, which is closed at its end. Otherwise a statement that was not awaited would run after ROLLBACK,
 * outside every transaction, and its change would stay.
 * @param beganAt by the clock of the database, where it has one of its own
 */
export function openTx(writer: Pick<SqlConnection, 'run'>, dialect: Dialect = 'sqlite', beganAt?: number): OpenTx {
  let ended = false
  let changed = false
  let wroteRows = false
  const tx = kyselyOver(
    {
      run: async (sql, parameters) => {
        if (ended) throw new Error('This transaction has ended')
        const taken = takesRowChanges(sql, dialect)
        if (taken) changed = false
        else if (!changed && !CHANGES_NO_RECORD.test(sql)) {
          changed = true
          wroteRows = true
        }
        const result = await writer.run(sql, parameters)
        if (taken && result.rows.length === MOST_ROWS_AN_ENTRY) changed = true
        return result
      },
      close: () => Promise.reject(new Error('A transaction does not close the database')),
    },
    dialect,
    beganAt,
  )
  return {
    tx,
    end: () => {
      ended = true
    },
    changed: () => changed,
    wroteRows: () => wroteRows,
  }
}

interface UnitQueue {
  /**
   * @param now told when the unit begins; milliseconds since 1970
   * @throws what the unit throws, then it left nothing; or what `runGroup` throws
   */
  add<Input, Output>(rank: WritePriority, named: Unit<Input, Output>, input: Input, now: () => number): Promise<Output>
}

interface Waiting {
  readonly name: string
  readonly input: unknown
  readonly now: () => number
  resolve(output: unknown): void
  reject(error: unknown): void
}

/**
 * Gathers units of work that wait for the writer, so that they share its next commit.
 *
 * No timer holds a unit back: an idle writer begins with a lone unit at once, and what comes while it is busy goes together.
 * @param runGroup begins, runs the units and commits
 */
function createUnitQueue(
  turns: WriteQueue,
  runGroup: (units: readonly UnitRequest[]) => Promise<GroupAnswer>,
): UnitQueue {
  const waiting: Readonly<Record<WritePriority, Waiting[]>> = { request: [], background: [] }
  const scheduled: Record<WritePriority, boolean> = { request: false, background: false }

  const runSome = async (rank: WritePriority): Promise<void> => {
    scheduled[rank] = false
    const some = waiting[rank].splice(0, MOST_IN_A_GROUP)
    try {
      const { results } = await runGroup(some.map(({ name, input, now }) => ({ name, input, now: now() })))
      for (const [at, result] of results.entries()) {
        const one = some[at] as Waiting
        if ('error' in result) one.reject(errorAcross(result.error))
        else one.resolve(result.output)
      }
      waiting[rank].unshift(...some.slice(results.length))
    } catch (error) {
      for (const { reject } of some) reject(error)
    }
    schedule(rank)
  }
  const schedule = (rank: WritePriority): void => {
    if (scheduled[rank] || waiting[rank].length === 0) return
    scheduled[rank] = true
    void turns.run(rank, () => runSome(rank))
  }

  return {
    add: <Input, Output>(rank: WritePriority, { name }: Unit<Input, Output>, input: Input, now: () => number) =>
      new Promise<Output>((resolve, reject) => {
        waiting[rank].push({ name, input, now, resolve: (output) => resolve(output as Output), reject })
        schedule(rank)
      }),
  }
}

export type WritePriority = 'request' | 'background'

interface WriteQueue {
  /** Runs `work` alone. Work of the same priority runs in the order of the calls. @throws the error of `work` */
  run<T>(rank: WritePriority, work: () => Promise<T>): Promise<T>
  /** Resolves when nothing runs and nothing waits. */
  idle(): Promise<void>
}

/** Requests that may run in a row before waiting background work, which so gets a ninth of the turns under any load. */
export const MOST_BEFORE_BACKGROUND = 8

/**
 * Requests go first, since people wait for them. A request waits for one background transaction at most: the running one.
 */
export function createWriteQueue(): WriteQueue {
  const waiting: Readonly<Record<WritePriority, (() => void)[]>> = { request: [], background: [] }
  const idleWaiters: (() => void)[] = []
  let busy = false
  let passedOver = 0

  const nextPriority = (): WritePriority => {
    if (waiting.request.length === 0) return 'background'
    if (waiting.background.length === 0) return 'request'
    return passedOver < MOST_BEFORE_BACKGROUND ? 'request' : 'background'
  }
  /** Passes the turn to the next in the queue directly, so that no later call can take it in between. */
  const startNext = (): void => {
    const rank = nextPriority()
    passedOver = rank === 'request' && waiting.background.length > 0 ? passedOver + 1 : 0
    const next = waiting[rank].shift()
    if (next !== undefined) return next()
    busy = false
    for (const rested of idleWaiters.splice(0)) rested()
  }

  return {
    run: async (rank, work) => {
      if (busy) await new Promise<void>((resolve) => waiting[rank].push(resolve))
      busy = true
      try {
        return await work()
      } finally {
        startNext()
      }
    },
    idle: async () => {
      if (busy) await new Promise<void>((resolve) => idleWaiters.push(resolve))
    },
  }
}
