import { randomUUID } from 'node:crypto'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { INTERNAL } from '../../../../shared/kernel/principal.ts'
import type { Database } from '../../../kernel/database/database.ts'
import { type Clock, isoMillis } from '../../../platform/clock/clock.ts'
import type { Log } from '../../../platform/log/log.ts'
import type { Call } from '../../../kernel/ledger/call.ts'
import { hashAt, insertCheckpoint, lastCheckpoint, leavesAfter, somethingAfter } from './checkpoints.store.ts'
import type { Ledger } from '../../../kernel/ledger/ledger.ts'
import { compactRange, type CompactRange, frontierBytes, rangeFromFrontier } from '../../../kernel/ledger/merkle.ts'
import { type Signer, signCheckpoint } from '../../../kernel/ledger/signed-note.ts'
import { readRotation, signRotation } from '../../../kernel/ledger/key-rotation.ts'

/** Why a checkpoint was taken. */
export type CheckpointReason = 'start' | 'hour' | 'stop' | 'rotation' | 'command'

export interface TakenCheckpoint {
  readonly size: number
  /** C2SP signed note. */
  readonly note: string
}

/** The signing key, as server/platform/secrets gives it. */
export interface SigningKey {
  current(): Signer
  /** Makes the key that is to come next and keeps it; the same one again when there is one already. */
  prepareNext(): Promise<Signer>
  /** The next key becomes the current one, the current one a retired one. */
  promoteNext(): Promise<void>
  next(): Signer | null
}

export interface Checkpoints {
  /** Signs the root over all entries so far. @returns null when nothing happened since the last one but that it was signed. */
  take(reason: CheckpointReason): Promise<TakenCheckpoint | null>
  /** Replaces the signing key: a checkpoint by the old one, the entry `key.rotated` signed by both, a checkpoint by the new one. */
  rotate(call: Call): Promise<void>
  /** Every hour from now on. @returns what ends it. */
  hourly(): () => void
}

interface Deps {
  readonly db: Database
  readonly ledger: Ledger
  readonly clock: Clock
  readonly log: Log
  readonly key: SigningKey
  /** Name of the station in its checkpoints, asked at each use; no spaces, no plus. */
  readonly origin: () => string
  /** Keeps the note outside the database as well. A failure is logged: the note in the database stands. */
  readonly keepOutside?: (size: number, note: string, reason: CheckpointReason) => Promise<void>
}

const HOUR = 3_600_000
/** Hashed on this thread between two reads: a few milliseconds. */
const LEAVES_AT_ONCE = 2000

export function createCheckpoints(deps: Deps): Checkpoints {
  const { db, ledger, clock, log, key, keepOutside } = deps
  // One after the other: a checkpoint must not be signed by one key while the other one takes over.
  let last: Promise<unknown> = Promise.resolve()
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const mine = last.then(work)
    last = mine.catch(() => {})
    return mine
  }

  const take = async (reason: CheckpointReason): Promise<TakenCheckpoint | null> => {
    const before = await lastCheckpoint(db.read)
    // An end between its commit and its copy leaves the newest one without.
    if (before !== undefined) await copyBeside(before.size, before.note, reason)
    const { seq: size } = await ledger.head()
    // Entries about checkpoints, that one was signed and copied, are nothing that happened, or every hour would give rise to the next.
    if (size === 0 || (before !== undefined && !(await somethingAfter(db.read, before.size)))) return null
    const range = before === undefined ? compactRange() : rangeFromFrontier(before.size, before.frontier)
    await readLeaves(db, range, size)
    const head = await hashAt(db.read, size)
    const root = range.root()
    const note = signCheckpoint({ origin: deps.origin(), size, root }, key.current())
    await db.transaction(async (tx) => {
      await insertCheckpoint(tx, {
        size,
        root,
        head,
        frontier: frontierBytes(range),
        note,
        reason,
        created_utc: isoMillis(clock.now()),
      })
      await ledger.append(tx, ownCall(), {
        action: 'checkpoint.signed',
        object: { type: 'checkpoint', id: String(size), name: '' },
        detail: { reason, root: Buffer.from(root).toString('base64') },
      })
    })
    await copyBeside(size, note, reason)
    return { size, note }
  }
  const copyBeside = async (size: number, note: string, reason: CheckpointReason): Promise<void> => {
    await keepOutside?.(size, note, reason).catch((error: unknown) => {
      log.warn({ err: error, size }, 'The checkpoint could not be kept outside the database')
    })
  }

  const rotate = async (call: Call): Promise<void> => {
    await take('rotation')
    const next = await key.prepareNext()
    const rotation = signRotation(key.current(), next)
    await db.transaction((tx) =>
      ledger.append(tx, call, {
        action: 'key.rotated',
        object: { type: 'key', id: rotation.newKey, name: 'signing' },
        detail: { ...rotation },
      }),
    )
    await key.promoteNext()
    await take('rotation')
  }

  return {
    take: (reason) => inTurn(() => take(reason)),
    rotate: (call) => inTurn(() => rotate(call)),
    hourly: () => {
      const timer = setInterval(() => {
        inTurn(() => take('hour')).catch((error: unknown) => log.error({ err: error }, 'No checkpoint could be taken'))
      }, HOUR)
      timer.unref()
      return () => clearInterval(timer)
    },
  }
}

/** Brings the signing key in step with the ledger after an end in the middle of a rotation. Before anything is signed. */
export async function settleRotation({ ledger, key }: { ledger: Ledger; key: SigningKey }): Promise<void> {
  const next = key.next()
  if (next === null) return
  const newKey = Buffer.from(next.publicKey).toString('base64')
  const [found] = await ledger.entriesFor('key', newKey, { count: 1 })
  // Without the entry the rotation never took place; the key that was made for it serves the next one.
  if (found !== undefined && readRotation(found.entry.detail)?.newKey === newKey) await key.promoteNext()
}

/**
 * So few are read where short reads are, as since a stop or within a quiet hour: a start that reads five entries needs no long reader,
 * whose thread takes a tenth of a second to come up.
 */
const FEW_LEAVES = 100

/** @throws where an entry is missing, at the end or between others: nothing is signed over a ledger with a hole */
async function readLeaves(db: Database, range: CompactRange, size: number): Promise<void> {
  while (range.end < size) {
    const query = leavesAfter(db.read, range.end, size, LEAVES_AT_ONCE)
    const few = size - range.end <= FEW_LEAVES
    // Short reads of one turn see one state: what went after the head was read must be seen to be gone.
    if (few) await nextTurn()
    const rows = few ? (await db.read.executeQuery(query)).rows : await db.longRead(query)
    const missing = (): Error => new Error(`The ledger has no entry ${range.end + 1}, though it has ${size}`)
    if (rows.length === 0) throw missing()
    for (const { seq, leaf } of rows) {
      if (seq !== range.end + 1) throw missing()
      range.append(leaf)
    }
  }
}

const ownCall = (): Call => ({ actor: INTERNAL, source: 'station', correlationId: randomUUID() })
