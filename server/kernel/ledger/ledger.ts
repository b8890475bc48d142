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
export type { Appended } from './ledger-writer.ts'

export interface Ledger extends Pick<LedgerWriter, 'append'> {
  /**
   * Records an act that changes nothing: a read or a denial. The entry joins the next group commit (decisions 12); the call resolves when it
   * is durable. Never await it inside a transaction: it waits for the writer. @throws LedgerBusy when too many entries wait; UnknownOutcome
   * when the disk failed under the commit
   */
  record(call: Call, entry: LedgerEntry): Promise<Appended>
  /** Denials of unrecognised callers: the first one of a source is written at once, those of the following minute as one entry with a count. */
  tally(call: Call, entry: LedgerEntry): void
  /** The last entry; `seq` 0 and 64 zeros for an empty ledger. */
  head(): Promise<Appended>
  /** Entries about an object, newest first. `before` is a seq. */
  entriesFor(
    objectType: string,
    objectId: string,
    page: { before?: number; count: number },
  ): Promise<{ entry: StoredEntry; hash: string }[]>
  /** Writes counted denials and waits for recorded entries. Further records are refused; `append` still works. */
  stop(): Promise<void>
}

interface Deps {
  readonly db: Database
  readonly clock: Clock
  readonly log: Log
  /** Called in the transaction after each entry of a change. An error from it undoes the change. */
  readonly appended?: (tx: Tx, call: Call, entry: LedgerEntry) => Promise<void>
}

/** The ledger (decisions 12). A station has one. */
export function createLedger({ db, clock, log, appended }: Deps): Ledger {
  const writer = createLedgerWriter({ clock, ...(appended === undefined ? {} : { appended }) })
  db.beforeCommit(writer.stateRemainingChanges)

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
