/** What the databases of both dialects have in common: transactions in turn on the one connection that writes, and reads beside them. */
import type { CompiledQuery, Kysely } from 'kysely'
import type { Tx } from './kysely.ts'
import {
  serialTransactions,
  type TransactionConnection,
  type UnknownOutcome,
  type WritePriority,
} from './transactions.ts'
import type { Tables } from './tables.ts'
import type { Unit } from './units.ts'

export interface Database {
  /** Committed state, on a read-only connection of this thread. For short reads. */
  readonly read: Kysely<Tables>
  /**
   * The one writer: BEGIN IMMEDIATE, `work`, COMMIT; one after the other, never two at once. Resolves after the commit is durable.
   * @throws whatever `work` throws (rolled back), or UnknownOutcome when the disk failed under COMMIT.
   */
  transaction<T>(work: (tx: Tx) => Promise<T>): Promise<T>
  /**
   * Runs a unit of work whole on the database's thread. Units that wait share a commit, each in a savepoint of its own; none is answered
   * before the commit is durable. Not inside a transaction.
   * @param now told when the unit begins; milliseconds since 1970
   * @throws what the unit throws, then it left nothing; UnknownOutcome as `transaction`
   */
  run<Input, Output>(named: Unit<Input, Output>, input: Input, now: () => number): Promise<Output>
  /** Whether it was opened with units of work. */
  readonly hasUnits: boolean
  /**
   * The same database for work that nobody sits and waits for (docking, jobs): its transactions let those of requests go first. Of the two
   * kinds neither knows in which order it meets the other; within each, first come is first served.
   */
  readonly inBackground: Database
  /**
   * Called at the end of each transaction in which rows were changed that nobody has taken yet (row-changes.ts). What it throws undoes the
   * transaction. One for each database: the ledger's.
   */
  beforeCommit(work: (tx: Tx) => Promise<void>): void
  /**
   * From now on every transaction is refused with this error; null: none is. Resolves when those that had begun or waited have ended: then the
   * database stays as it is.
   */
  refuseWrites(refusal: (() => Error) | null): Promise<void>
  /**
   * Calls a listener after each commit that changed rows, also after one of another node; a commit of nothing but entries of reads does not
   * count.
   */
  onRowsChanged(listener: () => void): void
  /**
   * Calls a listener with each text that a transaction of this or another node told all nodes (`toldToNodes`), after its commit. Null: some
   * may have been missed. Never on SQLite.
   */
  onTold(listener: (text: string | null) => void): void
  /**
   * A long read on a thread of its own, on the first of a few read-only connections that is idle.
   * @param signal of the request: when it aborts before the read has begun, the read never begins
   * @param passes `few`: of many places that an index gives, few rows are read. PostgreSQL keeps the places by pages then, which takes half
   * the time, and reads whole pages. SQLite has no such choice. @throws the signal's reason
   */
  longRead<R>(query: CompiledQuery<R>, signal?: AbortSignal, passes?: 'all' | 'few'): Promise<R[]>
  /**
   * The version of all rights (rights-version.ts), to be compared for equality. Null while a change is under way: then nothing that is
   * remembered counts. On SQLite it is that of what `read` sees in this turn of the event loop, and of a transaction that changes none. On
   * PostgreSQL it is read from the database after this call, since other nodes change rights too.
   * @param from the open transaction that is read from; otherwise committed state
   */
  rightsVersion(from?: Tx): number | string | null | Promise<string>
  /** Closed once: later calls wait for the first one. */
  close(): Promise<void>
}

export interface NewsOfNodes {
  rowsChanged(): void
  /** @param text null: some may have been missed */
  told(text: string | null): void
}

interface Parts extends Pick<Database, 'read' | 'hasUnits' | 'rightsVersion' | 'longRead'> {
  readonly connection: TransactionConnection
  /** Further connections that write, for units that lock their rows. None on SQLite. */
  readonly beside?: readonly TransactionConnection[]
  readonly onUnknownOutcome: ((error: UnknownOutcome) => void) | undefined
  readonly beforeWrite: (() => Promise<void> | null) | undefined
  /** Given: every transaction is refused with this error. */
  readonly refusal: (() => Error) | undefined
  /** Given: told once whom to tell of commits of other nodes that changed rows, and of texts that nodes tell each other. */
  readonly announce?: (tell: NewsOfNodes) => void
  /** Called when no transaction runs any more. */
  close(): Promise<void>
}

export function databaseOver(parts: Parts): Database {
  const { connection, beside = [], onUnknownOutcome, beforeWrite, announce, close, ...reads } = parts
  let refusal: (() => Error) | null = parts.refusal ?? null
  let last: ((tx: Tx) => Promise<void>) | null = null
  let closing: Promise<void> | null = null
  const listeners: (() => void)[] = []
  const rowsChanged = (): void => {
    for (const listener of listeners) listener()
  }
  const hearers: ((text: string | null) => void)[] = []
  const told = (text: string | null): void => {
    for (const hearer of hearers) hearer(text)
  }
  announce?.({ rowsChanged, told })
  const { inTurn, run, idle } = serialTransactions({
    connection,
    beside,
    onUnknownOutcome,
    beforeWrite,
    beforeCommit: async (tx) => last?.(tx),
    rowsChanged,
  })
  const shared = {
    ...reads,
    beforeCommit: (work: (tx: Tx) => Promise<void>): void => {
      last = work
    },
    onRowsChanged: (listener: () => void): void => void listeners.push(listener),
    onTold: (listener: (text: string | null) => void): void => void hearers.push(listener),
    refuseWrites: (given: (() => Error) | null): Promise<void> => {
      refusal = given ?? parts.refusal ?? null
      return idle()
    },
    close: (): Promise<void> => (closing ??= idle().then(close)),
  }
  const writes = (rank: WritePriority): Pick<Database, 'transaction' | 'run'> => ({
    transaction: (work) => (refusal === null ? inTurn(rank, work) : Promise.reject(refusal())),
    run: (named, input, now) => (refusal === null ? run(rank, named, input, now) : Promise.reject(refusal())),
  })
  const inBackground: Database = {
    ...shared,
    ...writes('background'),
    get inBackground() {
      return inBackground
    },
  }
  return { ...shared, ...writes('request'), inBackground }
}
