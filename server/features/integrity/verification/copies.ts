import { alarmReason } from '../../../../shared/messages/alarm-reasons.ts'
import { randomUUID } from 'node:crypto'
import { isAbsolute, join, resolve } from 'node:path'
import { type Fault, fault } from '../../../../shared/kernel/errors.ts'
import { INTERNAL } from '../../../../shared/kernel/principal.ts'
import type { Database } from '../../../kernel/database/database.ts'
import { type Clock, isoMillis } from '../../../platform/clock/clock.ts'
import { noteName, openNotes } from '../../../platform/files/notes.ts'
import { makeLastFolder, namesIn, overlap } from '../../../platform/files/trees.ts'
import type { Log } from '../../../platform/log/log.ts'
import { type Alarms, storedPrincipal } from '../../../kernel/ledger/alarms.ts'
import type { Call } from '../../../kernel/ledger/call.ts'
import { checkpointAt, checkpointsAfter, lastCheckpoint } from './checkpoints.store.ts'
import { consistencyProof, rootAt } from './consistency.ts'
import * as rows from './copies.store.ts'
import { toHex } from '../../../kernel/ledger/format.ts'
import type { Ledger } from '../../../kernel/ledger/ledger.ts'
import {
  type AskedToCosign,
  type Cosignature,
  type Cosigned,
  type OpenedCosignature,
  openCosignature,
  type SaidCosignature,
} from '../../../kernel/ledger/cosignature.ts'
import { openCheckpoint, signCheckpoint, type Signer, textOfNote } from '../../../kernel/ledger/signed-note.ts'
import type { Rotation } from '../../../kernel/ledger/key-rotation.ts'
import { witnessProblem } from '../../../../shared/messages/witness-problems.ts'

/** Copies of signed checkpoints elsewhere (promise I4): in a folder on another drive, or at another station. */
export interface Copies {
  /** @throws Fault TargetUnusable, TargetExists */
  addFolder(call: Call, folder: string): Promise<rows.CopyTargetRow>
  /** @param connection the file of an integration of that station. @throws Fault TargetUnusable, TargetExists */
  addStation(call: Call, connection: unknown): Promise<rows.CopyTargetRow>
  /** Existing copies stay. @throws Fault TargetNotFound */
  remove(call: Call, id: string): Promise<void>
  /** Copies missing checkpoints now. @throws Fault TargetNotFound, CopyFailed */
  copyNow(call: Call, id: string): Promise<rows.CopyTargetRow>
  /** Copies missing checkpoints to every place, due or not, because the station is stopping. */
  copyAll(): Promise<void>
  /**
   * Presents this station to another one by its newest checkpoint: its identity, its key and the head of its ledger.
   * @returns why that one refuses it; null when it accepts it. @throws Error when it cannot be reached
   */
  present(remote: RemoteStation): Promise<string | null>
  /**
   * Asks every station to which checkpoints are copied to co-sign the head over `size` entries (docs/decisions/0038).
   * @returns null where there is no such station; one that cannot be reached, refuses or lies is among the problems @throws Error when the ledger has fewer entries
   */
  cosigned(size: number, asked: AskedToCosign): Promise<Cosigned | null>
  /** A task: copies to all places that are due. A failure is stored, reported and tried again; it stops nothing else. */
  runDue(): Promise<void>
}

/** The interface of another station. */
export interface RemoteStation {
  /** Our last checkpoint that it has; null for none. @throws Error in words for people */
  last(origin: string, signal?: AbortSignal): Promise<{ readonly size: number; readonly root: Uint8Array } | null>
  /** @throws Error in words for people */
  send(given: SentCheckpoint, signal?: AbortSignal): Promise<SentAnswer>
}

export interface SentAnswer {
  /** Why it refuses the checkpoint as inconsistent; null when it accepted it. */
  readonly refusal: string | null
  /** Null when it refused, and of a station whose version makes none. */
  readonly cosignature: Cosignature | null
}

export interface SentCheckpoint {
  readonly note: string
  /** Raw Ed25519 key in base64. */
  readonly publicKey: string
  readonly rotations: readonly Rotation[]
  readonly proof: readonly Uint8Array[]
  /** It is older than the one that is kept there, and is co-signed only. */
  readonly older?: boolean
}

interface Deps {
  readonly db: Database
  readonly ledger: Ledger
  readonly alarms: Pick<Alarms, 'raise'>
  readonly clock: Clock
  readonly log: Log
  readonly origin: string
  readonly publicKeys: () => readonly Uint8Array[]
  readonly signer: () => Signer
  /** All rotations of the signing key, oldest first. */
  readonly rotations: () => Promise<Rotation[]>
  /** The station's own folders, which must not contain the copy. */
  readonly folders: readonly string[]
  /** This node, where several share the database: a folder is at the node for which it was named. Null on a station. */
  readonly node: string | null
  /** Whether this node copies to stations: two at once would take each other's checkpoints for a contradiction. */
  readonly sendsToStations: () => boolean
  /** Encrypts and decrypts connection files. `open` gives null when the key was replaced. */
  readonly sealer: {
    seal(secret: Uint8Array, about: string): string
    open(sealed: string, about: string): Uint8Array | null
  }
  /** @throws Error in words for people */
  readonly remote: (connection: unknown) => RemoteStation & { readonly address: string }
  readonly mayWrite: () => boolean
  /** Signs a checkpoint now, so that there is something to copy. */
  readonly sign: () => Promise<unknown>
}

const MINUTE = 60_000
const DAY = 86_400_000
/** Milliseconds in which a station has to answer a request for a co-signature. */
const COSIGN_WITHIN = 10_000
/** The most checkpoints of one round; an hourly year takes nine rounds. */
const MOST_AT_ONCE = 1000

/** The copy elsewhere is not the beginning of our ledger. */
class Inconsistent extends Error {
  override readonly name = 'Inconsistent'
}

const ownCall = (): Call => ({ actor: INTERNAL, source: 'station', correlationId: randomUUID() })
const sealedAbout = (id: number): string => `checkpoint target ${id}`

export function createCopies(deps: Deps): Copies {
  const { db, ledger, clock } = deps
  let turn: Promise<unknown> = Promise.resolve()
  /** Serialises copying: two runs would find the same checkpoints missing. */
  const serialise = <T>(work: () => Promise<T>): Promise<T> => {
    const mine = turn.then(work, work)
    turn = mine.catch(() => {})
    return mine
  }

  const add = (call: Call, kind: rows.CopyTargetRow['kind'], address: string, secret: Uint8Array | null) =>
    db.transaction(async (tx) => {
      if ((await rows.copyTargetOf(tx, kind, address)) !== undefined)
        throw fault('TargetExists', 'Checkpoints are copied to this place already.')
      const row = await rows.insertCopyTarget(tx, {
        kind,
        address,
        node_id: kind === 'folder' ? deps.node : null,
        created_utc: isoMillis(clock.now()),
        created_by: JSON.stringify(storedPrincipal(call.actor)),
      })
      const sealed = secret === null ? null : deps.sealer.seal(secret, sealedAbout(row.target_id))
      if (sealed !== null) await rows.changeCopyTarget(tx, row.target_id, { sealed })
      await ledger.append(tx, call, {
        action: 'checkpoint.targetAdded',
        object: { type: 'checkpointTarget', id: String(row.target_id), name: address },
        detail: { kind },
      })
      return { ...row, sealed }
    })
  /** Copies once before the request that added the place is answered, so that a copy exists. A failure is in the row and tried again. */
  const copyFirst = async ({ target_id }: rows.CopyTargetRow): Promise<rows.CopyTargetRow> => {
    await deps.sign()
    return serialise(async () => {
      const row = await needed(String(target_id))
      if (isHere(row)) await copyTo(deps, ownCall(), row, true)
      return needed(String(target_id))
    })
  }
  const copyMissing = (due: (row: rows.CopyTargetRow) => boolean): Promise<void> =>
    serialise(async () => {
      const last = await lastCheckpoint(db.read)
      if (last === undefined) return
      for (const row of await rows.copyTargets(db.read))
        if (isHere(row) && due(row) && row.size < last.size && deps.mayWrite())
          await copyTo(deps, ownCall(), row, false)
    })
  const isHere = ({ kind, node_id: at }: rows.CopyTargetRow): boolean =>
    kind === 'station' ? deps.sendsToStations() : deps.node === null || at === null || at === deps.node
  const needed = async (id: string): Promise<rows.CopyTargetRow> => {
    const row = await rows.copyTargetById(db.read, Number(id))
    if (row === undefined) throw fault('TargetNotFound', `There is no place ${id} for checkpoints.`)
    return row
  }

  return {
    addFolder: async (call, folder) => {
      const path = resolve(folder)
      await refuseUnusable(folder, deps.folders)
      return copyFirst(await add(call, 'folder', path, null))
    },
    addStation: async (call, connection) => {
      let address: string
      try {
        const remote = deps.remote(connection)
        address = remote.address
        // Tried at once, so that the person who adds the station sees an error now and not after the first scheduled run.
        await remote.last(deps.origin)
      } catch (error) {
        throw fault('TargetUnusable', (error as Error).message)
      }
      return copyFirst(await add(call, 'station', address, Buffer.from(JSON.stringify(connection))))
    },
    remove: async (call, id) => {
      const { target_id, address } = await needed(id)
      await db.transaction(async (tx) => {
        await rows.changeCopyTarget(tx, target_id, { removed_utc: isoMillis(clock.now()), sealed: null })
        await ledger.append(tx, call, {
          action: 'checkpoint.targetRemoved',
          object: { type: 'checkpointTarget', id: String(target_id), name: address },
        })
      })
    },
    copyNow: (call, id) =>
      serialise(async () => {
        const row = await needed(id)
        if (!isHere(row)) throw fault('CopyFailed', 'Another node copies to this place, by itself and within seconds.')
        const problem = await copyTo(deps, call, row, true)
        if (problem !== null) throw fault('CopyFailed', problem)
        return needed(id)
      }),
    copyAll: () => copyMissing(() => true),
    present: async (remote) => {
      await deps.sign()
      try {
        await sendNewest(deps, remote)
        return null
      } catch (error) {
        if (error instanceof Inconsistent) return error.message
        throw error
      }
    },
    cosigned: async (size, asked) => {
      const stations = (await rows.copyTargets(db.read)).filter(({ kind }) => kind === 'station')
      if (stations.length === 0) return null
      const root = await rootAt(db, size)
      if (root === null) throw new Error(`The ledger has no ${size} entries`)
      const head = { size, note: signCheckpoint({ origin: deps.origin, size, root }, deps.signer()) }
      return serialise(() => cosignedByAll(deps, stations, head, asked))
    },
    runDue: () => copyMissing((row) => row.next_at <= clock.now()),
  }
}

interface Head {
  readonly size: number
  readonly note: string
}

async function cosignedByAll(
  deps: Deps,
  stations: readonly rows.CopyTargetRow[],
  head: Head,
  { present = [], signal }: AskedToCosign,
): Promise<Cosigned> {
  const kept = present.flatMap((one) => {
    const fingerprint = heldFingerprint(one, head.note)
    return fingerprint === null ? [] : [{ ...one, fingerprint }]
  })
  const has = (key: string | undefined): boolean => kept.some(({ fingerprint }) => fingerprint === key)
  const problems: Cosigned['problems'][number][] = []
  // Side by side: each may take all of its time.
  const answers = await Promise.all(
    stations.map(async (row) => {
      try {
        if (has((await rows.cosignerOf(deps.db.read, row.target_id))?.key_fingerprint)) return null
        return await cosignedBy(deps, row, head, signal)
      } catch (error) {
        problems.push({ address: row.address, problem: (error as Error).message })
        return null
      }
    }),
  )
  signal?.throwIfAborted()
  const cosignatures = answers.filter((one) => one !== null && !has(one.fingerprint)) as Cosigned['cosignatures']
  return { kept, cosignatures, problems }
}

/** Null for one that does not hold for this head. */
function heldFingerprint(one: Cosignature, note: string): string | null {
  try {
    return openCosignature(one, textOfNote(note)).fingerprint
  } catch {
    return null
  }
}

/** @throws Error in words for people */
async function cosignedBy(
  deps: Deps,
  row: rows.CopyTargetRow,
  { size, note }: Head,
  stop: AbortSignal | undefined,
): Promise<Cosignature & SaidCosignature> {
  const { db, origin, clock } = deps
  // Two nodes at once would take each other's checkpoints for a contradiction.
  if (!deps.sendsToStations()) throw new Error(witnessProblem('otherNode'))
  const signal = AbortSignal.any([AbortSignal.timeout(COSIGN_WITHIN), ...(stop === undefined ? [] : [stop])])
  const remote = remoteOf(deps, row)
  const theirs = await remote.last(origin, signal)
  if (theirs !== null) await mustBeginOurs(db, theirs)
  const [from, to] = [Math.min(theirs?.size ?? size, size), Math.max(theirs?.size ?? size, size)]
  const { refusal, cosignature } = await remote.send(
    {
      note,
      publicKey: Buffer.from(deps.signer().publicKey).toString('base64'),
      rotations: await deps.rotations(),
      proof: from === to ? [] : await consistencyProof(db, from, to),
      older: theirs !== null && theirs.size > size,
    },
    signal,
  )
  if (refusal !== null) throw new Error(refusal)
  if (cosignature === null) throw new Error(witnessProblem('noCosignature'))
  const opened = openedCosignature(cosignature, note)
  const { name, time, fingerprint } = opened
  if (Math.abs(time * 1000 - clock.now()) > DAY) throw new Error(witnessProblem('otherTime'))
  await mustBeKnown(deps, row, opened)
  return { ...cosignature, station: name, timeUtc: isoMillis(time * 1000), fingerprint }
}

/** A station is known by the key of its first co-signature. @throws Error for another one, and for our own */
async function mustBeKnown(
  { db, ledger, clock, publicKeys }: Deps,
  row: rows.CopyTargetRow,
  { name, publicKey, fingerprint }: OpenedCosignature,
): Promise<void> {
  if (publicKeys().some((own) => Buffer.from(own).equals(publicKey))) throw new Error(witnessProblem('ownKey'))
  await db.transaction(async (tx) => {
    const known = await rows.cosignerOf(tx, row.target_id)
    if (known !== undefined) {
      if (known.key_fingerprint === fingerprint && known.origin === name) return
      throw new Error(witnessProblem('anotherKey', { origin: known.origin, fingerprint: known.key_fingerprint }))
    }
    const sinceUtc = isoMillis(clock.now())
    await rows.insertCosigner(tx, {
      target_id: row.target_id,
      origin: name,
      key_fingerprint: fingerprint,
      since_utc: sinceUtc,
    })
    await ledger.append(tx, ownCall(), {
      action: 'checkpoint.cosignerKnown',
      object: { type: 'checkpointTarget', id: String(row.target_id), name: row.address },
      detail: { origin: name, fingerprint },
    })
  })
}

function openedCosignature(cosignature: Cosignature, note: string): OpenedCosignature {
  try {
    return openCosignature(cosignature, textOfNote(note))
  } catch (error) {
    throw new Error(witnessProblem('cosignatureBroken', { why: (error as Error).message }), {
      cause: error,
    })
  }
}

async function refuseUnusable(folder: string, own: readonly string[]): Promise<void> {
  const unusable = (message: string): Fault => fault('TargetUnusable', message)
  if (!isAbsolute(folder)) throw unusable('Name the folder by its whole path.')
  for (const one of own)
    if (await overlap(folder, one)) throw unusable('Copies inside the station’s own folders would be lost with them.')
  const names = await namesIn(folder).catch((error: Error) => {
    throw unusable(`The folder cannot be read: ${error.message}`)
  })
  if (names === null && !(await makeLastFolder(folder))) throw unusable('There is no such folder. Is the drive there?')
}

/** @returns why it failed, for people; the failure is stored and reported already */
async function copyTo(deps: Deps, call: Call, row: rows.CopyTargetRow, asked: boolean): Promise<string | null> {
  try {
    const size = row.kind === 'folder' ? await copyToFolder(deps, row.address) : await copyToStation(deps, row)
    if (asked || size !== row.size || row.failures > 0) await keepCopied(deps, call, row, size)
    return null
  } catch (error) {
    await keepProblem(deps, call, row, error as Error)
    return (error as Error).message
  }
}

/** A folder for each station: several may share a drive. */
export const notesFolder = (folder: string, origin: string): string => join(folder, origin.replaceAll(/[^\w.-]/g, '_'))

/** @returns the size of the last checkpoint in the place */
async function copyToFolder({ db, origin, publicKeys }: Deps, folder: string): Promise<number> {
  if ((await namesIn(folder)) === null) throw new Error('The folder is not there. Is the drive plugged in?')
  const notes = await openNotes(notesFolder(folder, origin))
  let size = 0
  for (const note of await notes.all()) size = Math.max(size, await ownSize(db, note, origin, publicKeys()))
  for (;;) {
    const page = await checkpointsAfter(db.read, size, MOST_AT_ONCE)
    for (const { size: next, note } of page) {
      await notes.keep(noteName(next), note)
      size = next
    }
    if (page.length < MOST_AT_ONCE) return size
  }
}

/** @returns the size of a note in entries. @throws Inconsistent unless we signed it and it is the beginning of our ledger */
async function ownSize(db: Database, note: string, origin: string, keys: readonly Uint8Array[]): Promise<number> {
  let signed: ReturnType<typeof openCheckpoint>
  try {
    signed = openCheckpoint(note, keys)
  } catch (error) {
    throw new Inconsistent(alarmReason('noteNotOurs', { found: (error as Error).message }))
  }
  if (signed.origin !== origin) throw new Inconsistent(alarmReason('noteOfOther', { origin: signed.origin }))
  await mustBeginOurs(db, signed)
  return signed.size
}

async function mustBeginOurs(
  db: Database,
  { size, root }: { readonly size: number; readonly root: Uint8Array },
): Promise<void> {
  const ours = await rootAt(db, size)
  if (ours === null) throw new Inconsistent(alarmReason('endCutOff', { size }))
  if (toHex(ours) !== toHex(root)) throw new Inconsistent(alarmReason('otherBeginning', { size }))
}

/** @returns the size of the last checkpoint in the place */
const copyToStation = (deps: Deps, row: rows.CopyTargetRow): Promise<number> => sendNewest(deps, remoteOf(deps, row))

/** @throws Error in words for people */
function remoteOf({ sealer, remote }: Deps, row: rows.CopyTargetRow): RemoteStation {
  const secret = row.sealed === null ? null : sealer.open(row.sealed, sealedAbout(row.target_id))
  if (secret === null)
    throw new Error('Its connection file cannot be opened by the keys of now. Name that station again.')
  return remote(JSON.parse(Buffer.from(secret).toString('utf8')))
}

/** @returns the size of the newest checkpoint, which the other station has then. @throws Inconsistent */
async function sendNewest(deps: Deps, remote: RemoteStation): Promise<number> {
  const { db, origin } = deps
  const newest = await lastCheckpoint(db.read)
  if (newest === undefined) return 0
  const theirLast = await remote.last(origin)
  if (theirLast !== null && theirLast.size === newest.size && toHex(theirLast.root) === toHex(newest.root))
    return newest.size
  // Sent even when it does not fit, so that the other station raises an alarm too.
  const fits = theirLast === null ? null : await mustBeginOurs(db, theirLast).catch((error: Error) => error)
  // The other station keeps the head that it co-signed for a package. That head can cover more entries than our newest checkpoint.
  // Our checkpoint would look there as if this ledger had become shorter.
  if (theirLast !== null && theirLast.size > newest.size && fits === undefined) return newest.size
  const proof =
    theirLast === null || theirLast.size >= newest.size || fits instanceof Error
      ? []
      : await consistencyProof(db, theirLast.size, newest.size)
  const { signedBy } = openCheckpoint(newest.note, deps.publicKeys())
  const { refusal } = await remote.send({
    note: newest.note,
    publicKey: Buffer.from(signedBy).toString('base64'),
    rotations: await deps.rotations(),
    proof,
  })
  if (fits instanceof Error) throw fits
  if (refusal !== null) throw new Inconsistent(refusal)
  return newest.size
}

function keepCopied({ db, ledger, clock }: Deps, call: Call, row: rows.CopyTargetRow, size: number): Promise<void> {
  return db.transaction(async (tx) => {
    const root = (await checkpointAt(tx, size))?.root
    await rows.changeCopyTarget(tx, row.target_id, {
      size,
      copied_at: clock.now(),
      next_at: 0,
      failures: 0,
      problem: null,
      refused: 0,
    })
    await ledger.append(tx, call, {
      action: 'checkpoint.copied',
      object: { type: 'checkpoint', id: String(size), name: row.address },
      detail: { target: String(row.target_id), root: root === undefined ? null : Buffer.from(root).toString('base64') },
    })
  })
}

async function keepProblem(
  { db, ledger, alarms, clock, log }: Deps,
  call: Call,
  row: rows.CopyTargetRow,
  error: Error,
): Promise<void> {
  const refused = error instanceof Inconsistent
  const failures = row.failures + 1
  const lasting = clock.now() - (row.copied_at ?? Date.parse(row.created_utc)) > DAY
  log.warn({ err: error, target: row.target_id, failures }, 'checkpoints could not be copied')
  await db.transaction(async (tx) => {
    await rows.changeCopyTarget(tx, row.target_id, {
      failures,
      problem: error.message,
      refused: refused ? 1 : 0,
      next_at: clock.now() + Math.min(2 ** Math.min(failures, 6), 60) * MINUTE,
    })
    // A repeated failure gets one entry, not one for each attempt.
    if (row.failures === 0 || (refused && row.refused === 0))
      await ledger.append(tx, call, {
        action: 'checkpoint.notCopied',
        object: { type: 'checkpoint', id: '', name: row.address },
        outcome: 'failed',
        reason: error.message,
        detail: { target: String(row.target_id), refused },
      })
    if (refused || lasting)
      await alarms.raise(tx, call, {
        kind: 'checkpoint',
        subject: row.address,
        message: refused ? error.message : alarmReason('notCopied'),
      })
  })
}
