import type { Database, Tx } from '../database/database.ts'
import type { Clock } from '../../platform/clock/clock.ts'
import type { Log } from '../../platform/log/log.ts'
import type { Call } from './call.ts'
import { type LedgerEntry, type PreparedEntry, prepareEntry, type StoredEntry, storedEntry, toHex } from './format.ts'
import { groupCommit } from './group-commit.ts'
import { type Appended, createLedgerWriter, endOf, type LedgerWriter } from './ledger-writer.ts'
import { recordEntries } from './ledger.units.ts'
import { entryRows, headRow } from './ledger.store.ts'
import { createTally } from './denial-tally.ts'

export type { LedgerEntry, LedgerObject, Outcome, StoredEntry } from './format.ts'
export { LedgerBusy } from './group-commit.ts'
export type { Appended } from './ledger-writer.ts'

export interface Ledger extends Pick<LedgerWriter, 'append'> {
  /**
   * For what changes nothing: reads and denials. Joins the next group commit (decisions 12) and resolves when it is durable. Never
   * await it inside a transaction: it waits for the writer. @throws LedgerBusy when too many wait; UnknownOutcome when the disk
   * failed under the commit.
   */
  record(call: Call, entry: LedgerEntry): Promise<Appended>
  /** Denials of nobody in particular: the first of a source at once, those of the following minute as one entry with a count. */
  tally(call: Call, entry: LedgerEntry): void
  /** `seq` 0 and 64 zeros: nothing was written yet. */
  head(): Promise<Appended>
  /** Newest first. `before` is a seq. */
  entriesFor(
    objectType: string,
    objectId: string,
    page: { before?: number; count: number },
  ): Promise<{ entry: StoredEntry; hash: string }[]>
  /** Writes what was counted and waits for what was recorded. Further records are refused; `append` still works. */
  stop(): Promise<void>
}

interface Deps {
  readonly db: Database
  readonly clock: Clock
  readonly log: Log
  /** Told in the transaction of each entry that goes with a change, right after it. What it throws undoes the change. */
  readonly appended?: (tx: Tx, call: Call, entry: LedgerEntry) => Promise<void>
}

/** Decisions 12. One for each station. */
export function createLedger({ db, clock, log, appended }: Deps): Ledger {
  const writer = createLedgerWriter({ clock, ...(appended === undefined ? {} : { appended }) })
  db.beforeCommit(writer.stateTheRest)

  const commit = (take: () => PreparedEntry[]): Promise<Appended[]> =>
    db.hasUnits ? db.run(recordEntries, take(), clock.now) : db.transaction((tx) => writer.appendReads(tx, take()))
  const group = groupCommit<PreparedEntry, Appended>(commit)
  const record = async (call: Call, entry: LedgerEntry): Promise<Appended> => group.add(prepareEntry(call, entry))
  const tally = createTally({ clock, log, write: record })

  return {
    append: writer.append,
    record,
    tally: tally.add,
    head: async () => {
      const { seq, hash } = endOf(await headRow(db.read))
      return { seq, hash: toHex(hash) }
    },
    entriesFor: async (type, id, page) =>
      (await entryRows(db.read, { type, id }, page)).map(({ body, hash }) => ({
        entry: storedEntry(body),
        hash: toHex(hash),
      })),
    stop: async () => {
      await tally.stop()
      await group.stop()
    },
  }
}
