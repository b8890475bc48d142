import { randomUUID } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import { INTERNAL } from '../../../../shared/kernel/principal.ts'
import type { Database } from '../../../kernel/database/database.ts'
import { databaseTime } from '../../../kernel/database/kysely.ts'
import type { CheckpointsTable } from '../../../kernel/database/tables.ts'
import type { NodeIdentity } from '../../../kernel/node/identity.ts'
import { type Clock, isoMillis } from '../../../platform/clock/clock.ts'
import type { Log } from '../../../platform/log/log.ts'
import type { Call } from '../../../kernel/ledger/call.ts'
import { hashAt, insertCheckpoint, lastCheckpoint, somethingAfter } from './checkpoints.store.ts'
import type { Ledger } from '../../../kernel/ledger/ledger.ts'
import { leavesAfter } from '../../../kernel/ledger/ledger.store.ts'
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
  /** Creates and stores the next key, or gives the one that exists already. */
  prepareNext(): Promise<Signer>
  /** Makes the next key current, and retires the current one. */
  promoteNext(): Promise<void>
  next(): Signer | null
}

export interface Checkpoints {
  /** Signs the root over all entries so far. @returns null when nothing happened since the last checkpoint except its signing. */
  take(reason: CheckpointReason): Promise<TakenCheckpoint | null>
  /** Replaces the signing key: a checkpoint by the old one, the entry `key.rotated` signed by both, a checkpoint by the new one. */
  rotate(call: Call): Promise<void>
}

interface Deps {
  readonly db: Database
  readonly ledger: Ledger
  readonly clock: Clock
  readonly log: Log
  readonly key: SigningKey
  /** Name of the station in its checkpoints, read at each use; without spaces and plus signs. */
  readonly origin: () => string
  /** Given where several nodes share the ledger: this one, which the entry of the checkpoint names. */
  readonly node?: NodeIdentity
  /** Stores the note outside the database too. A failure is only logged, because the note is in the database. */
  readonly keepOutside?: (size: number, note: string, reason: CheckpointReason) => Promise<void>
}

/** After so many milliseconds the next checkpoint of the hour is due. */
export const HOUR = 3_600_000
/** Hashed on this thread between two reads: a few milliseconds. */
const LEAVES_AT_ONCE = 2000

export function createCheckpoints(deps: Deps): Checkpoints {
  const { db, ledger, clock, log, key, node, keepOutside } = deps
  // Serialised: a checkpoint must not be signed during a change of keys.
  let last: Promise<unknown> = Promise.resolve()
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const mine = last.then(work)
    last = mine.catch(() => {})
    return mine
  }

  const isDue = ({ created_utc: taken }: CheckpointsTable): boolean =>
    node === undefined || clock.now() - Date.parse(taken) >= HOUR
  const take = async (reason: CheckpointReason): Promise<TakenCheckpoint | null> => {
    for (;;) {
      const taken = await tryTake(reason)
      if (taken !== OVERTAKEN) return taken
    }
  }
  const tryTake = async (reason: CheckpointReason): Promise<TakenCheckpoint | null | typeof OVERTAKEN> => {
    const before = await lastCheckpoint(db.read)
    if (reason === 'hour' && before !== undefined && !isDue(before)) return null
    // After a crash between commit and copy the newest checkpoint has no copy yet.
    if (before !== undefined) await copyBeside(before.size, before.note, reason)
    const { seq: size } = await ledger.head()
    // Entries about signed and copied checkpoints do not count, or each checkpoint would cause another one an hour later.
    if (size === 0 || (before !== undefined && !(await somethingAfter(db.read, before.size)))) return null
    const range = before === undefined ? compactRange() : rangeFromFrontier(before.size, before.frontier)
    await readLeaves(db, range, size)
    const head = await hashAt(db.read, size)
    const root = range.root()
    const note = signCheckpoint({ origin: deps.origin(), size, root }, key.current())
    const isOvertaken = await db.transaction(async (tx) => {
      // Another node may have signed meanwhile.
      if ((await lastCheckpoint(tx))?.size !== before?.size) return true
      await insertCheckpoint(tx, {
        size,
        root,
        head,
        frontier: frontierBytes(range),
        note,
        reason,
        created_utc: isoMillis(databaseTime(tx) ?? clock.now()),
      })
      await ledger.append(tx, ownCall(), {
        action: 'checkpoint.signed',
        object: { type: 'checkpoint', id: String(size), name: '' },
        detail: { reason, root: Buffer.from(root).toString('base64'), ...(node && { node: { ...node } }) },
      })
      return false
    })
    if (isOvertaken) return OVERTAKEN
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
  }
}

const OVERTAKEN = Symbol('another node signed a checkpoint meanwhile')

/** The node that signed a checkpoint, as its entry says; null where there is one node only, or no such entry. */
export async function signerOf(ledger: Pick<Ledger, 'entriesFor'>, size: number): Promise<NodeIdentity | null> {
  const entries = await ledger.entriesFor('checkpoint', String(size), { count: 10 })
  const signed = entries.find(({ entry }) => entry.action === 'checkpoint.signed')
  const { node } = (signed?.entry.detail ?? {}) as { node?: NodeIdentity }
  return node ?? null
}

/** Completes or drops an interrupted rotation, so that the signing key matches the ledger. Call it before anything is signed. */
export async function recoverRotation({ ledger, key }: { ledger: Ledger; key: SigningKey }): Promise<void> {
  const next = key.next()
  if (next === null) return
  const newKey = Buffer.from(next.publicKey).toString('base64')
  const [found] = await ledger.entriesFor('key', newKey, { count: 1 })
  // Without the entry the rotation did not happen; its key is used for the next one.
  if (found !== undefined && readRotation(found.entry.detail)?.newKey === newKey) await key.promoteNext()
}

/** Up to this many entries are read on this thread: the first long read starts another thread, which takes 20 MB. */
const FEW_LEAVES = 200

/** Reads in a turn of its own, because reads of one turn see one state: the newest entries must be signed. */
async function readNow(db: Database, next: ReturnType<typeof leavesAfter>) {
  await setImmediate()
  return (await db.read.executeQuery(next)).rows
}

/** @throws when an entry is missing, at the end or between others: a ledger with a gap is never signed */
async function readLeaves(db: Database, range: CompactRange, size: number): Promise<void> {
  while (range.end < size) {
    const next = leavesAfter(db.read, range.end, size, LEAVES_AT_ONCE)
    const rows = size - range.end > FEW_LEAVES ? await db.longRead(next) : await readNow(db, next)
    const missing = (): Error => new Error(`The ledger has no entry ${range.end + 1}, though it has ${size}`)
    if (rows.length === 0) throw missing()
    for (const { seq, leaf } of rows) {
      if (seq !== range.end + 1) throw missing()
      range.append(leaf)
    }
  }
}

const ownCall = (): Call => ({ actor: INTERNAL, source: 'station', correlationId: randomUUID() })
