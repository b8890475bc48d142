/** Transactions one after the other on the one connection that writes; units of work that wait share commits. */
import { AsyncLocalStorage } from 'node:async_hooks'
import { channel } from 'node:diagnostics_channel'
import type { Dialect } from './dialect.ts'
import { statementRan, type Tx } from './kysely.ts'
import { openTx } from './open-tx.ts'
import type { SqlConnection } from './sqlite/sql-connection.ts'
import { createUnitQueue } from './unit-queue.ts'
import type { GroupAnswer, Unit, UnitGroup, UnitRequest } from './units.ts'
import { createWriteQueue, type WritePriority } from './write-queue.ts'

/** Told after each transaction how many milliseconds it held the writer. Costs nothing while nobody listens. */
const held = channel('sallyport:writer-held')

/**
 * The disk failed under COMMIT: the change may be there or not (docs/guarantees.md, Durability). Nobody may try again in this process;
 * the station stops taking writes and is started anew, and clients settle it by Idempotency-Key.
 */
export class UnknownOutcome extends Error {
  override readonly name = 'UnknownOutcome'
}

export interface SerialTransactions {
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
