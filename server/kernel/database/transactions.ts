/**
 * Transactions one after the other on the connection that writes. The queue lets requests go before background work, so that people do
 * not wait for the many transactions of cameras. Units of work that wait share commits. On PostgreSQL further connections run groups of units
 * that lock their rows, beside each other (docs/decisions/0023).
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import { channel } from 'node:diagnostics_channel'
import { errorAcross } from './crossing-error.ts'
import { type Dialect, kyselyOver, type OfTransaction, statementRan, type Tx } from './kysely.ts'
import { MOST_ROWS_AN_ENTRY, takesRowChanges } from './row-changes.ts'
import { isInTheWay, isLocked, type SqlConnection } from './sqlite/sql-connection.ts'
import {
  type GroupAnswer,
  MOST_IN_A_GROUP,
  MOST_TRIES,
  type RowLocks,
  type Unit,
  type UnitGroup,
  type UnitRequest,
} from './units.ts'

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
  /** Further connections, for groups of units that lock their rows. None on SQLite. */
  readonly beside?: readonly TransactionConnection[]
  readonly onUnknownOutcome: ((error: UnknownOutcome) => void) | undefined
  /** Called before each transaction; where it throws or rejects nothing is written. */
  readonly beforeWrite: (() => Promise<void> | null) | undefined
  readonly beforeCommit: (tx: Tx) => Promise<void>
  /** Called after each commit that changed rows. */
  readonly rowsChanged: () => void
}

export function serialTransactions({
  connection,
  beside = [],
  onUnknownOutcome,
  beforeWrite,
  beforeCommit,
  rowsChanged,
}: SerialDeps): SerialTransactions {
  const inside = new AsyncLocalStorage<true>()
  const places = [connection, ...beside]
  const turns = createWriteQueue(places.length)
  let lost: UnknownOutcome | null = null

  const lose = (error: unknown): UnknownOutcome => {
    lost = new UnknownOutcome(
      `The disk failed under a commit; whether it took place is unknown. ${(error as Error).message}`,
      { cause: error },
    )
    onUnknownOutcome?.(lost)
    return lost
  }

  /** While a connection that writes is held. */
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

  const runGroup = async ({ units, place, besideOthers }: GroupToRun): Promise<GroupAnswer> => {
    const group: UnitGroup = { units, trace: statementRan.hasSubscribers }
    try {
      const answer = await (places[place] as TransactionConnection).runGroup(
        besideOthers ? { ...group, besideOthers } : group,
      )
      for (const text of answer.statements) statementRan.publish(text)
      if (answer.wroteRows) rowsChanged()
      return answer
    } catch (error) {
      throw error instanceof Refused ? error.cause : lose(error)
    }
  }
  const outside = AsyncLocalStorage.snapshot()
  const queue = createUnitQueue(turns, {
    runGroup: (group) => holding(() => runGroup(group)),
    besideOthers: beside.length > 0,
  })

  const committed = async <T>(work: (tx: Tx) => Promise<T>): Promise<T> => {
    await connection.begin()
    const { tx, end, changed, wroteRows } = openTx(connection, connection.dialect, { beganAt: connection.beganAt?.() })
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
 */
export function openTx(
  writer: Pick<SqlConnection, 'run'>,
  dialect: Dialect = 'sqlite',
  ofTransaction: OfTransaction = {},
): OpenTx {
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
    ofTransaction,
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
  /** Null: nothing else may write while it runs. */
  readonly locks: RowLocks | null
  /** How often it failed because of another group. */
  tries: number
  resolve(output: unknown): void
  reject(error: unknown): void
}

interface GroupToRun {
  readonly units: readonly UnitRequest[]
  /** The number of the connection. */
  readonly place: number
  readonly besideOthers: boolean
}

interface Running {
  /** Begins, runs the units and commits. */
  runGroup(group: GroupToRun): Promise<GroupAnswer>
  /** Whether units that lock their rows get groups of their own, which may run at the same time. */
  readonly besideOthers: boolean
}

type Sort = 'alone' | 'beside'

/**
 * Gathers units of work that wait for the writer, so that they share its next commit.
 *
 * No timer holds a unit back: an idle writer begins with a lone unit at once, and what comes while it is busy goes together. A group that runs
 * alone takes units with locks too; a group that runs beside others takes no unit without them.
 */
function createUnitQueue(turns: WriteQueue, { runGroup, besideOthers }: Running): UnitQueue {
  const waiting: Readonly<Record<WritePriority, Record<Sort, Waiting[]>>> = {
    request: { alone: [], beside: [] },
    background: { alone: [], beside: [] },
  }
  const scheduled: Readonly<Record<WritePriority, Record<Sort, boolean>>> = {
    request: { alone: false, beside: false },
    background: { alone: false, beside: false },
  }

  const sortOf = ({ locks }: Waiting): Sort => (locks === null ? 'alone' : 'beside')
  const takeSome = (rank: WritePriority, sort: Sort): Waiting[] => {
    const { alone, beside } = waiting[rank]
    const some = sort === 'alone' ? alone.splice(0, MOST_IN_A_GROUP) : []
    return [...some, ...beside.splice(0, MOST_IN_A_GROUP - some.length)]
  }
  /** Before all others of their sort, in their order. */
  const putBack = (rank: WritePriority, units: readonly Waiting[]): void => {
    for (const one of units.toReversed()) waiting[rank][sortOf(one)].unshift(one)
  }
  /**
   * Whoever finds another in its way too often gets its error. A row that another group has does not count: whoever comes first in the next
   * group waits for it.
   * @returns the others
   */
  const toRepeat = (units: readonly Waiting[], error: unknown): Waiting[] =>
    units.filter((one) => {
      if (!isLocked(error)) one.tries += 1
      if (one.tries >= MOST_TRIES) one.reject(error)
      return one.tries < MOST_TRIES
    })

  const runSome = async (rank: WritePriority, sort: Sort, place: number): Promise<void> => {
    scheduled[rank][sort] = false
    const some = takeSome(rank, sort)
    // What came since the turn was asked for may go to another connection meanwhile.
    if (besideOthers) schedule(rank)
    if (some.length === 0) return
    const units = some.map(({ name, input, now, locks }) => ({
      name,
      input,
      now: now(),
      ...(sort === 'alone' || locks === null ? {} : { locks }),
    }))
    try {
      const { results } = await runGroup({ units, place, besideOthers: sort === 'beside' })
      const again: Waiting[] = []
      for (const [at, result] of results.entries()) {
        const one = some[at] as Waiting
        if ('error' in result) one.reject(errorAcross(result.error))
        else if ('inTheWay' in result) again.push(...toRepeat([one], errorAcross(result.inTheWay)))
        else one.resolve(result.output)
      }
      putBack(rank, [...again, ...some.slice(results.length)])
    } catch (error) {
      if (sort === 'beside' && isInTheWay(error)) putBack(rank, toRepeat(some, error))
      else for (const { reject } of some) reject(error)
    }
    schedule(rank)
  }
  const schedule = (rank: WritePriority): void => {
    for (const sort of ['alone', 'beside'] as const) {
      if (scheduled[rank][sort] || waiting[rank][sort].length === 0) continue
      scheduled[rank][sort] = true
      void turns.run(rank, (place) => runSome(rank, sort, place), sort === 'beside')
    }
  }

  return {
    add: <Input, Output>(rank: WritePriority, { name, locks }: Unit<Input, Output>, input: Input, now: () => number) =>
      new Promise<Output>((resolve, reject) => {
        const one: Waiting = {
          name,
          input,
          now,
          locks: besideOthers ? (locks?.(input) ?? null) : null,
          tries: 0,
          resolve: (output) => resolve(output as Output),
          reject,
        }
        waiting[rank][sortOf(one)].push(one)
        schedule(rank)
      }),
  }
}

export type WritePriority = 'request' | 'background'

interface WriteQueue {
  /**
   * Runs `work` alone, or beside other work that may run so. Work of the same priority begins in the order of the calls.
   * @param work told the number of its connection @throws the error of `work`
   */
  run<T>(rank: WritePriority, work: (place: number) => Promise<T>, besideOthers?: boolean): Promise<T>
  /** Resolves when nothing runs and nothing waits. */
  idle(): Promise<void>
}

interface InLine {
  readonly besideOthers: boolean
  start(place: number): void
}

/** Requests that may run in a row before waiting background work, which so gets a ninth of the turns under any load. */
export const MOST_BEFORE_BACKGROUND = 8

/**
 * Requests go first, since people wait for them. A request waits for one background transaction at most: the running one. Nothing passes work
 * that waits to run alone, so that it gets its turn under any load.
 * @param places connections; work that runs alone has the first of them
 */
export function createWriteQueue(places = 1): WriteQueue {
  const waiting: Readonly<Record<WritePriority, InLine[]>> = { request: [], background: [] }
  const idleWaiters: (() => void)[] = []
  const free = new Set(Array.from({ length: places }, (_, place) => place))
  let isAlone = false
  let passedOver = 0

  const isIdle = (): boolean => free.size === places
  const fits = (besideOthers: boolean): boolean => (besideOthers ? !isAlone && free.size > 0 : isIdle())
  const occupy = (besideOthers: boolean): number => {
    const place = besideOthers ? Math.min(...free) : 0
    free.delete(place)
    isAlone = !besideOthers
    return place
  }
  const nextPriority = (): WritePriority => {
    if (waiting.request.length === 0) return 'background'
    if (waiting.background.length === 0) return 'request'
    return passedOver < MOST_BEFORE_BACKGROUND ? 'request' : 'background'
  }
  /** Passes the turn to the next in the queue directly, so that no later call can take it in between. */
  const startNext = (): void => {
    for (;;) {
      const rank = nextPriority()
      const next = waiting[rank][0]
      if (next === undefined) break
      if (!fits(next.besideOthers)) return
      passedOver = rank === 'request' && waiting.background.length > 0 ? passedOver + 1 : 0
      waiting[rank].shift()
      next.start(occupy(next.besideOthers))
    }
    if (isIdle()) for (const rested of idleWaiters.splice(0)) rested()
  }
  const isWaited = (): boolean => waiting.request.length + waiting.background.length > 0

  return {
    run: async (rank, work, besideOthers = false) => {
      const place =
        fits(besideOthers) && !isWaited()
          ? occupy(besideOthers)
          : await new Promise<number>((start) => waiting[rank].push({ besideOthers, start }))
      try {
        return await work(place)
      } finally {
        free.add(place)
        isAlone = false
        startNext()
      }
    },
    idle: async () => {
      if (!isIdle()) await new Promise<void>((resolve) => idleWaiters.push(resolve))
    },
  }
}
