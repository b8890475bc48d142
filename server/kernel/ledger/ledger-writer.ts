/** Writes entries inside a transaction, on the main thread or within a unit of work (decisions 12). */
import { randomUUID, hash as digest } from 'node:crypto'
import { INTERNAL } from '../../../shared/kernel/principal.ts'
import { type RowChange, takeRowChanges } from '../database/row-changes.ts'
import type { LedgerTable } from '../database/tables.ts'
import { chainsAtEnd, databaseTime, type Tx } from '../database/kysely.ts'
import type { UnitList } from '../database/units.ts'
import { type Clock, isoMillis } from '../../platform/clock/clock.ts'
import type { Action } from './actions.ts'
import type { Call } from './call.ts'
import {
  CLOCK_BACKWARDS,
  chainHash,
  entryBytes,
  type LedgerEntry,
  leafHash,
  NO_HASH,
  type PreparedEntry,
  prepareEntry,
  ROWS_STATED,
  type StatedRow,
  storedEntry,
  toHex,
} from './format.ts'
import { type EntryRow, headRow, insertEntries, lockLedgerHead } from './ledger.store.ts'

/** Position of an appended entry. `hash` is hexadecimal. In a unit that runs beside others it is known only after the commit. */
export interface Appended {
  readonly seq: number
  readonly hash: string
}

export interface LedgerWriter {
  /** In the caller's transaction, so that the entry commits with the change or not at all. @throws Error for an unknown action or an entry that is not plain JSON */
  append<A extends Action>(tx: Tx, call: Call, entry: LedgerEntry<A>): Promise<Appended>
  /** Appends entries of acts that change nothing, in a transaction without changed rows. */
  appendReads(tx: Tx, prepared: readonly PreparedEntry[]): Promise<Appended[]>
  /** States rows that were changed after the last entry of the transaction, or without an entry. */
  stateRemainingChanges(tx: Tx): Promise<void>
  /** Chains the entries of units that run beside others, under the lock of the head. */
  readonly chainEntries: UnitList['chainEntries']
}

interface Deps {
  readonly clock: Clock
  /** Called in the transaction after each entry of a change. An error from it undoes the change. */
  readonly appended?: (tx: Tx, call: Call, entry: LedgerEntry) => Promise<void>
}

interface End {
  readonly seq: number
  readonly hash: Uint8Array
  /** Time of the last entry; empty when there is none. */
  readonly timeUtc: string
}

export function createLedgerWriter({ clock, appended }: Deps): LedgerWriter {
  /** Entries that units left to the end of their group. Those of a unit that was undone go with its transaction. */
  const left = new WeakMap<Tx, Left[]>()
  const leave = (tx: Tx, prepared: readonly PreparedEntry[], changes: readonly RowChange[]): Appended[] => {
    const entries = statingRows(prepared, changes).map((entry) => ({ entry, at: new LaterPosition() }))
    left.set(tx, [...(left.get(tx) ?? []), ...entries])
    return entries.map(({ at }) => at)
  }
  /** The last of the entries states the rows that were changed before it. */
  const write = async (
    tx: Tx,
    prepared: readonly PreparedEntry[],
    takeChanges: (tx: Tx) => Promise<RowChange[]>,
  ): Promise<Appended[]> => {
    if (chainsAtEnd(tx)) return leave(tx, prepared, await takeChanges(tx))
    const [head, changes] = await Promise.all([headRow(tx), takeChanges(tx)])
    // Clocks of nodes differ by milliseconds at least: by their own ones, entries would go back in time with each change of the node.
    const rows = chain(endOf(head), statingRows(prepared, changes), isoMillis(databaseTime(tx) ?? clock.now()))
    await insertEntries(tx, rows)
    return rows.map(positionOf)
  }
  const appendInTurn = serializeAppends((tx, prepared) => write(tx, prepared, takeRowChanges))

  return {
    append: async (tx, call, entry) => {
      const [at] = await appendInTurn(tx, [prepareEntry(call, entry)])
      await appended?.(tx, call, entry)
      return at as Appended
    },
    appendReads: (tx, prepared) => write(tx, prepared, async () => []),
    stateRemainingChanges: async (tx) => {
      for (;;) {
        const changes = await takeRowChanges(tx)
        if (changes.length === 0) return
        await write(tx, [prepareEntry(stationCall(), ROWS_CHANGED)], async () => changes)
      }
    },
    chainEntries: async (tx, units) => {
      const entries = units.flatMap((one) => left.get(one) ?? [])
      if (entries.length === 0) return null
      const { head, time } = await lockLedgerHead(tx)
      const rows = chain(
        endOf(head),
        entries.map(({ entry }) => entry),
        isoMillis(time),
      )
      for (const [index, { at }] of entries.entries()) at.become(positionOf(rows[index] as LedgerTable))
      return { sent: insertEntries(tx, rows) }
    },
  }
}

const stationCall = (): Call => ({ actor: INTERNAL, source: 'station', correlationId: randomUUID() })
const ROWS_CHANGED: LedgerEntry = { action: 'rows.changed', object: { type: 'station', id: '1', name: '' } }

const positionOf = ({ seq, hash }: LedgerTable): Appended => ({ seq, hash: toHex(hash) })

/** An entry that waits for the end of its group. */
interface Left {
  readonly entry: PreparedEntry
  readonly at: LaterPosition
}

class LaterPosition implements Appended {
  #position: Appended | null = null
  become(position: Appended): void {
    this.#position = position
  }
  get seq(): number {
    return this.#known().seq
  }
  get hash(): string {
    return this.#known().hash
  }
  #known(): Appended {
    if (this.#position === null)
      throw new Error('An entry of a unit that runs beside others has no number before its commit')
    return this.#position
  }
}

/** Entries in the order given, each after the one before. */
function chain(head: End, entries: readonly PreparedEntry[], timeUtc: string): LedgerTable[] {
  let end = head
  return entries.map((entry) => {
    const row = continueFrom(end, entry, timeUtc)
    end = row.end
    return row.stored
  })
}

/** The last of the entries states these rows. */
const statingRows = (entries: readonly PreparedEntry[], changes: readonly RowChange[]): PreparedEntry[] =>
  entries.map((entry, index) => (index === entries.length - 1 ? withRows(entry, changes) : entry))

function withRows(entry: PreparedEntry, changes: readonly RowChange[]): PreparedEntry {
  if (changes.length === 0) return entry
  const rows = changes.map(
    ({ table, key, state }): StatedRow => [table, key, state === null ? null : digest('sha256', state)],
  )
  return { ...entry, detail: { ...entry.detail, [ROWS_STATED]: rows } }
}

interface Waiting {
  readonly tx: Tx
  readonly prepared: readonly PreparedEntry[]
  resolve(appended: Appended[]): void
  reject(error: unknown): void
}

/**
 * Serializes appends: two concurrent ones in a transaction would both continue the same entry. Appends that wait in the same transaction are
 * written together, in the order of their calls.
 */
function serializeAppends(
  append: (tx: Tx, prepared: readonly PreparedEntry[]) => Promise<Appended[]>,
): (tx: Tx, prepared: readonly PreparedEntry[]) => Promise<Appended[]> {
  let waiting: Waiting[] = []
  let running = false
  const run = async (): Promise<void> => {
    for (let first = waiting[0]; first !== undefined; first = waiting[0]) {
      const { tx } = first
      const other = waiting.findIndex((one) => one.tx !== tx)
      const batch = other === -1 ? waiting : waiting.slice(0, other)
      waiting = other === -1 ? [] : waiting.slice(other)
      try {
        const appended = await append(
          tx,
          batch.flatMap(({ prepared }) => prepared),
        )
        let at = 0
        for (const { prepared, resolve } of batch) resolve(appended.slice(at, (at += prepared.length)))
      } catch (error) {
        for (const { reject } of batch) reject(error)
      }
    }
    running = false
  }
  return (tx, prepared) =>
    new Promise((resolve, reject) => {
      waiting.push({ tx, prepared, resolve, reject })
      if (running) return
      running = true
      void run()
    })
}

export const endOf = (row: EntryRow | undefined): End =>
  row === undefined
    ? { seq: 0, hash: NO_HASH, timeUtc: '' }
    : { seq: row.seq, hash: row.hash, timeUtc: storedEntry(row.body).timeUtc }

function continueFrom(end: End, entry: PreparedEntry, timeUtc: string): { stored: LedgerTable; end: End } {
  // The time is not corrected, since the clock's time is all that is known. A step back is noted instead.
  const detail = timeUtc < end.timeUtc ? { ...entry.detail, [CLOCK_BACKWARDS]: end.timeUtc } : entry.detail
  const seq = end.seq + 1
  const body = entryBytes({ ...entry, seq, timeUtc, detail })
  const hash = chainHash(end.hash, body)
  return {
    stored: { seq, body, hash, leaf: leafHash(body), object_type: entry.object.type, object_id: entry.object.id },
    end: { seq, hash, timeUtc },
  }
}
