/** Writes entries inside a transaction, wherever that runs: in the main thread, or as a part of a unit of work (decisions 12). */
import { randomUUID, hash as digest } from 'node:crypto'
import { INTERNAL } from '../../../shared/kernel/principal.ts'
import { type RowChange, takeRowChanges } from '../database/row-changes.ts'
import type { LedgerTable } from '../database/tables.ts'
import type { Tx } from '../database/kysely.ts'
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
import { type EntryRow, headRow, insertEntries } from './ledger.store.ts'

/** Where an entry came to lie. `hash` in hexadecimal. */
export interface Appended {
  readonly seq: number
  readonly hash: string
}

export interface LedgerWriter {
  /** In the caller's transaction: commits with the change or not at all. @throws when the entry is no plain JSON or knows no such action. */
  append<A extends Action>(tx: Tx, call: Call, entry: LedgerEntry<A>): Promise<Appended>
  /** Of what changes nothing, so that no row can have been changed before it in the transaction. */
  appendReads(tx: Tx, prepared: readonly PreparedEntry[]): Promise<Appended[]>
  /** Rows that were changed after the last entry of their transaction, or without any. */
  stateTheRest(tx: Tx): Promise<void>
}

interface Deps {
  readonly clock: Clock
  /** Told in the transaction of each entry that goes with a change, right after it. What it throws undoes the change. */
  readonly appended?: (tx: Tx, call: Call, entry: LedgerEntry) => Promise<void>
}

interface End {
  readonly seq: number
  readonly hash: Uint8Array
  /** Of the last entry; empty when there is none. */
  readonly timeUtc: string
}

export function createLedgerWriter({ clock, appended }: Deps): LedgerWriter {
  /** The last of the entries states the rows that were changed before it. */
  const write = async (
    tx: Tx,
    prepared: readonly PreparedEntry[],
    takeChanges: (tx: Tx) => Promise<RowChange[]>,
  ): Promise<Appended[]> => {
    const [head, changes] = await Promise.all([headRow(tx), takeChanges(tx)])
    let end = endOf(head)
    const rows: LedgerTable[] = []
    for (const [index, entry] of prepared.entries()) {
      const stated = index === prepared.length - 1 ? changes : []
      const row = continueFrom(end, withRows(entry, stated), isoMillis(clock.now()))
      rows.push(row.stored)
      end = row.end
    }
    await insertEntries(tx, rows)
    return rows.map(({ seq, hash }) => ({ seq, hash: toHex(hash) }))
  }
  const inTurn = oneAfterTheOther((tx, prepared) => write(tx, prepared, takeRowChanges))

  return {
    append: async (tx, call, entry) => {
      const [at] = await inTurn(tx, [prepareEntry(call, entry)])
      await appended?.(tx, call, entry)
      return at as Appended
    },
    appendReads: (tx, prepared) => write(tx, prepared, async () => []),
    stateTheRest: async (tx) => {
      for (;;) {
        const changes = await takeRowChanges(tx)
        if (changes.length === 0) return
        await write(tx, [prepareEntry(ownCall(), ROWS_CHANGED)], async () => changes)
      }
    },
  }
}

const ownCall = (): Call => ({ actor: INTERNAL, source: 'station', correlationId: randomUUID() })
const ROWS_CHANGED: LedgerEntry = { action: 'rows.changed', object: { type: 'station', id: '1', name: '' } }

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
 * Two appends that run side by side in one transaction would both continue the same entry. So one waits for the other, and what waits
 * for its turn in the same transaction is appended together, in the order in which it came.
 */
function oneAfterTheOther(
  append: (tx: Tx, prepared: readonly PreparedEntry[]) => Promise<Appended[]>,
): (tx: Tx, prepared: readonly PreparedEntry[]) => Promise<Appended[]> {
  let waiting: Waiting[] = []
  let running = false
  const run = async (): Promise<void> => {
    for (let first = waiting[0]; first !== undefined; first = waiting[0]) {
      const { tx } = first
      const other = waiting.findIndex((one) => one.tx !== tx)
      const mine = other === -1 ? waiting : waiting.slice(0, other)
      waiting = other === -1 ? [] : waiting.slice(other)
      try {
        const appended = await append(
          tx,
          mine.flatMap(({ prepared }) => prepared),
        )
        let at = 0
        for (const { prepared, resolve } of mine) resolve(appended.slice(at, (at += prepared.length)))
      } catch (error) {
        for (const { reject } of mine) reject(error)
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
  // The clock is not corrected: what it showed is what is known. That it went back is written down instead.
  const detail = timeUtc < end.timeUtc ? { ...entry.detail, [CLOCK_BACKWARDS]: end.timeUtc } : entry.detail
  const seq = end.seq + 1
  const body = entryBytes({ ...entry, seq, timeUtc, detail })
  const hash = chainHash(end.hash, body)
  return {
    stored: { seq, body, hash, leaf: leafHash(body), object_type: entry.object.type, object_id: entry.object.id },
    end: { seq, hash, timeUtc },
  }
}
