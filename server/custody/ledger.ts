import type { Call } from './call.ts'
import type { Database, Tx } from '../db/database.ts'
import { type Clock, isoMillis } from '../platform/clock/clock.ts'
import type { Action } from './actions.ts'
import { chainHash, type Entry, entryBytes, GENESIS, leafHash, type LedgerObject, type Outcome } from './format.ts'
import { headOf, insertEntries } from './ledger.repository.ts'

export interface NewEntry {
  readonly action: Action
  readonly object: LedgerObject
  /** `ok` when absent. */
  readonly outcome?: Outcome
  readonly reason?: string
  readonly bytes?: number
  readonly sha256?: string
  readonly detail?: Readonly<Record<string, unknown>>
}

export interface Appended {
  readonly seq: number
  /** Lower-case hexadecimal. */
  readonly hash: string
}

export interface Ledger {
  /** In the caller's transaction: the entry commits with the change, or neither does. */
  append(tx: Tx, call: Call, entry: NewEntry): Promise<Appended>
  /** Reads and denials: appended together with others within 5 ms (decisions 12). Resolves when durable. */
  record(call: Call, entry: NewEntry): Promise<Appended>
  /** Denials of nobody in particular: one entry per source and minute, with a count. */
  tally(call: Call, entry: NewEntry): void
  head(): Promise<Appended>
  /** Writes what still waits. */
  stop(): Promise<void>
}

/** How long a read waits for others to share its commit. */
const GROUP_MS = 4
/** More than this waiting means that the disk does not keep up: readers hear it instead of filling the memory. */
const MOST_WAITING = 20_000
const TALLY_MS = 60_000
const MOST_TALLIES = 10_000

export class LedgerBusy extends Error {
  override readonly name = 'LedgerBusy'
}

interface Waiting {
  call: Call
  entry: NewEntry
  resolve(appended: Appended): void
  reject(error: unknown): void
}

export function createLedger({ db, clock }: { db: Database; clock: Clock }): Ledger {
  let waiting: Waiting[] = []
  let timer: NodeJS.Timeout | null = null
  let flushing: Promise<void> = Promise.resolve()
  const tallies = new Map<string, { call: Call; entry: NewEntry; more: number; since: number }>()

  const appendAll = async (tx: Tx, items: readonly { call: Call; entry: NewEntry }[]): Promise<Appended[]> => {
    const head = await headOf(tx)
    let seq = head?.seq ?? 0
    let previous: Uint8Array = head?.hash ?? GENESIS
    const lastTime = head === undefined ? '' : (JSON.parse(Buffer.from(head.body).toString('utf8')) as Entry).timeUtc
    const timeUtc = isoMillis(clock.now())
    const rows = items.map(({ call, entry }) => {
      seq += 1
      const body = entryBytes(entryOf(seq, timeUtc, call, entry, timeUtc < lastTime))
      previous = chainHash(previous, body)
      return {
        seq,
        body,
        hash: previous,
        leaf: leafHash(body),
        object_type: entry.object.type,
        object_id: entry.object.id,
      }
    })
    await insertEntries(tx, rows)
    return rows.map((row) => ({ seq: row.seq, hash: Buffer.from(row.hash).toString('hex') }))
  }

  const flush = (): void => {
    timer = null
    const batch = waiting
    waiting = []
    if (batch.length === 0) return
    flushing = flushing.then(async () => {
      try {
        const appended = await db.transaction((tx) => appendAll(tx, batch))
        for (const [index, item] of batch.entries()) item.resolve(appended[index] as Appended)
      } catch (error) {
        for (const item of batch) item.reject(error)
      }
    })
  }

  const record = (call: Call, entry: NewEntry): Promise<Appended> => {
    if (waiting.length >= MOST_WAITING)
      return Promise.reject(new LedgerBusy('The ledger does not keep up; try again shortly.'))
    return new Promise((resolve, reject) => {
      waiting.push({ call, entry, resolve, reject })
      timer ??= setTimeout(flush, GROUP_MS)
    })
  }

  const writeTally = (key: string): void => {
    const tally = tallies.get(key)
    tallies.delete(key)
    if (tally === undefined || tally.more === 0) return
    const detail = { ...tally.entry.detail, count: tally.more, sinceUtc: isoMillis(tally.since) }
    record(tally.call, { ...tally.entry, detail }).catch(() => {})
  }

  return {
    append: async (tx, call, entry) => (await appendAll(tx, [{ call, entry }]))[0] as Appended,
    record,
    tally: (call, entry) => {
      const key = `${call.source}\u0000${entry.action}`
      const known = tallies.get(key)
      if (known !== undefined) {
        known.more += 1
        return
      }
      // Somebody with very many addresses must not fill the memory: beyond this they share one count.
      if (tallies.size >= MOST_TALLIES) return
      tallies.set(key, { call, entry, more: 0, since: clock.now() })
      setTimeout(() => writeTally(key), TALLY_MS).unref()
      record(call, { ...entry, detail: { ...entry.detail, count: 1 } }).catch(() => {})
    },
    head: async () => {
      const head = await headOf(db.read)
      return { seq: head?.seq ?? 0, hash: Buffer.from(head?.hash ?? GENESIS).toString('hex') }
    },
    stop: async () => {
      for (const key of [...tallies.keys()]) writeTally(key)
      if (timer !== null) clearTimeout(timer)
      flush()
      await flushing
    },
  }
}

/** A clock that went back is written as it is, and said; verification takes one that is not said for tampering. */
function entryOf(seq: number, timeUtc: string, call: Call, entry: NewEntry, clockWentBack: boolean): Entry {
  return {
    format: 1,
    seq,
    timeUtc,
    actor: { kind: call.actor.kind, id: call.actor.id, name: call.actor.name, role: null },
    source: call.source,
    action: entry.action,
    object: { type: entry.object.type, id: entry.object.id, name: entry.object.name },
    outcome: entry.outcome ?? 'ok',
    reason: entry.reason ?? null,
    bytes: entry.bytes ?? null,
    sha256: entry.sha256 ?? null,
    correlationId: call.correlationId,
    detail: {
      ...entry.detail,
      ...(clockWentBack ? { clockWentBack: true } : {}),
    },
  }
}
