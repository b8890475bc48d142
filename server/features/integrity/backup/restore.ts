import { alarmReason } from '../../../../shared/messages/alarm-reasons.ts'
import { BLOBS_IN, deleteStationValue } from '../../../kernel/database/station-values.ts'
import { randomUUID } from 'node:crypto'
import { join, resolve } from 'node:path'
import { INTERNAL, type Principal } from '../../../../shared/kernel/principal.ts'
import { createAlarms } from '../../../kernel/ledger/alarms.ts'
import { createCheckpoints } from '../verification/checkpoints.ts'
import { createLedger } from '../../../kernel/ledger/ledger.ts'
import { newestOutsideOf } from '../verification/start-check.ts'
import { verifyLedger } from '../verification/verify-ledger.ts'
import { verifyDatabase } from '../verification/verify.ts'
import { openCopy, rebuildCopy } from '../../../kernel/database/sqlite/copy.ts'
import { openDatabase } from '../../../kernel/database/database.ts'
import { lockStation } from '../../../kernel/database/sqlite/station-lock.ts'
import { openBlobStore } from '../../../storage/folder/store.ts'
import type { Clock } from '../../../platform/clock/clock.ts'
import { noteName, openNotes } from '../../../platform/files/notes.ts'
import {
  emptyFolder,
  renameInFolder,
  makeFolder,
  namesIn,
  overlap,
  removeFile,
  removeTree,
  writeNew,
} from '../../../platform/files/trees.ts'
import { RESTORING } from '../../../platform/control/control.ts'
import type { Log } from '../../../platform/log/log.ts'
import { openKeys, publicKeysIn, type SigningKeys, writeKeyFiles } from '../../../platform/secrets/keys.ts'
import { tryBlob } from './drill.ts'
import { listedBlobs } from './folder.ts'
import { unwrapKeys } from './keys.ts'
import { LIST } from './manifest.ts'
import {
  compareList,
  findSnapshot,
  type FoundSnapshot,
  MOST_PROBLEMS,
  requireNewest,
  takeDatabase,
  wrappedKeys,
} from './reader.ts'
import { lostWithKeys } from './restore.store.ts'
import {
  noRoot,
  type OpenRoots,
  openRoots,
  OriginUnproven,
  printedKey,
  requireOwnKeys,
  type Roots,
  signedSnapshot,
  type Trust,
} from './trust.ts'

export interface RestoreOptions {
  readonly from: string
  /** Name of the snapshot; null for the newest. */
  readonly snapshot: string | null
  /** The data folder: empty, or not existing yet. */
  readonly data: string
  readonly blobsDir: string
  /** Decrypts the keys in the snapshot; null: the station gets new keys. */
  readonly passphrase: string | null
  /** Roots of trust for the origin of the snapshot. */
  readonly roots: Roots
  /** Restores a snapshot of unproven origin, with an alarm that stays open. */
  readonly trustOnSight: boolean
  /** Restores intact blobs and leaves out damaged ones. */
  readonly keepGoing: boolean
  readonly actor: Principal
  readonly clock: Clock
  readonly log: Log
  readonly signal?: AbortSignal
  readonly onProgress?: (text: string) => void
}

export interface RestoreReport {
  readonly snapshot: string
  readonly createdUtc: string
  readonly origin: string
  /** Raw key, in base64, that signed the snapshot; to be compared with a written copy. */
  readonly signedBy: string
  /** The key in the form in which the station prints it. */
  readonly printedKey: string
  /** The strongest root of trust that proved the origin. */
  readonly trust: Trust
  readonly entries: number
  readonly head: string
  readonly blobs: number
  readonly bytes: number
  readonly keys: 'restored' | 'new'
  /** Sentences: what cannot be decrypted with new keys. */
  readonly lost: readonly string[]
  /** Sentences: what was left out. */
  readonly problems: readonly string[]
}

/** A damaged snapshot, from which nothing was restored. It holds one sentence for each problem. */
export class SnapshotDamaged extends Error {
  override readonly name = 'SnapshotDamaged'
  readonly problems: readonly string[]
  constructor(problems: readonly string[]) {
    super(
      `The snapshot is not as it was made, and nothing was restored:\n${problems
        .slice(0, 50)
        .map((problem) => `  ${problem}`)
        .join('\n')}${problems.length > 50 ? `\n  and ${problems.length - 50} more` : ''}`,
    )
    this.problems = problems
  }
}

/**
 * Restores a station from a snapshot to an empty folder. Every byte is compared with the signed manifest and read back. The database is
 * renamed to its final name last; a failure before that leaves the folder empty again.
 * @throws SnapshotDamaged, BadManifest, WrongPassphrase, Fault TargetUnusable, StorageFault, or the system's error
 */
export async function restoreStation(options: RestoreOptions): Promise<RestoreReport> {
  const { data, blobsDir } = options
  const found = await findSnapshot(resolve(options.from), options.snapshot)
  if (options.snapshot === null) await requireNewest(found)
  const wrapped = await wrappedKeys(found)
  if (options.passphrase !== null && wrapped === null)
    throw new Error(
      'There are no keys in this snapshot: restore it without a passphrase, and the station gets new ones.',
    )
  // A wrong passphrase is reported before hours of copying.
  const keys = options.passphrase === null || wrapped === null ? null : await unwrapKeys(wrapped, options.passphrase)
  const origin = await originOf(found, keys, options)
  for (const folder of [data, blobsDir]) {
    if (await overlap(folder, found.folder.path)) throw new Error('A station cannot be restored into its own backup.')
    if (((await namesIn(folder)) ?? []).some((name) => name !== 'lost+found'))
      throw new Error(`${folder} is not empty. A station is restored only into an empty folder.`)
    await makeFolder(folder)
  }
  const lock = lockStation(data)
  try {
    await writeNew(join(data, RESTORING), `${found.name}\n`)
    const report = await fill(found, keys, origin, options)
    await removeFile(join(data, RESTORING))
    return report
  } catch (error) {
    await emptyFolder(blobsDir)
    await emptyFolder(data)
    throw error
  } finally {
    lock.release()
  }
}

/** Reads the given roots of trust, before hours of copying. @throws OriginUnproven, or Error when one cannot be read */
async function originOf(
  found: FoundSnapshot,
  keys: Readonly<Record<string, string>> | null,
  { roots, trustOnSight }: RestoreOptions,
): Promise<OpenRoots> {
  const signed = signedSnapshot(found)
  if (keys !== null) requireOwnKeys(publicKeysIn(keys), signed)
  const opened = await openRoots(roots, signed)
  const trust = opened.trust === 'none' && keys !== null ? 'keys' : opened.trust
  if (trust === 'none' && !trustOnSight) throw new OriginUnproven(noRoot(signed))
  return { ...opened, trust }
}

async function fill(
  found: FoundSnapshot,
  keys: Readonly<Record<string, string>> | null,
  origin: OpenRoots,
  options: RestoreOptions,
): Promise<RestoreReport> {
  const { data, clock } = options
  const { manifest } = found
  const file = join(data, 'restoring.db')
  options.onProgress?.('database')
  const problems = await fillDatabase(found, file, origin, options)
  // A database that differs from the manifest is never restored.
  if (problems.length > 0) throw new SnapshotDamaged(problems)
  const blobs = await fillBlobs(found, options)
  const missing = manifest.blobs.damaged.map((sha256) => `Blob ${sha256} was damaged when the snapshot was made.`)
  if (blobs.problems.length > 0 && !options.keepGoing) throw new SnapshotDamaged(blobs.problems)
  const retired = manifest.publicKeys.map((key) => new Uint8Array(Buffer.from(key, 'base64')))
  if (keys !== null) await writeKeyFiles(join(data, 'keys'), keys)
  const { signing } = await openKeys(join(data, 'keys'), { clock, established: keys !== null, retired })
  // Readers leave these empty files behind.
  for (const end of ['-wal', '-shm']) await removeTree(`${file}${end}`)
  await renameInFolder(file, join(data, 'sallyport.db'))
  const lost = await recordRestore(found, { rekeyed: keys === null, signing }, origin.trust, options, [
    ...missing,
    ...blobs.problems,
  ])
  return {
    snapshot: found.name,
    createdUtc: manifest.createdUtc,
    origin: manifest.origin,
    signedBy: found.signedBy,
    printedKey: printedKey({ origin: manifest.origin, signedBy: found.signedBy }),
    trust: origin.trust,
    entries: manifest.ledger.entries,
    head: manifest.ledger.head,
    blobs: blobs.count,
    bytes: blobs.bytes,
    keys: keys === null ? 'new' : 'restored',
    lost,
    problems: [...missing, ...blobs.problems],
  }
}

/**
 * Copies the rows of the snapshot's database to a new database made by our migrations, verifies it, and writes its checkpoints beside it.
 * @returns sentences @throws OriginUnproven
 */
async function fillDatabase(
  found: FoundSnapshot,
  file: string,
  origin: OpenRoots,
  { data, signal }: RestoreOptions,
): Promise<string[]> {
  const taken = join(data, 'taken.db')
  const problems: string[] = []
  const changed = await takeDatabase(found, taken)
  if (changed !== null) return [changed]
  const foreign = openCopy(taken)
  try {
    problems.push(...(await foreign.integrity()))
  } finally {
    await foreign.close()
  }
  // With a foreign schema no further check is made.
  if (problems.length > 0) return problems
  problems.push(...(await rebuildCopy(taken, file)))
  await removeTree(taken)
  if (problems.length > 0) return problems
  const copy = openCopy(file)
  let outside: readonly string[] = []
  try {
    outside = origin.fitting(await copy.rotations())
    problems.push(...(await copy.integrity()), ...(await compareList(found, copy)))
    const notes = await openNotes(join(data, 'checkpoints'))
    for await (const { size, note } of copy.notes()) await notes.keep(noteName(size), note)
    await copy.ready()
  } finally {
    await copy.close()
  }
  const publicKeys = found.manifest.publicKeys.map((key) => new Uint8Array(Buffer.from(key, 'base64')))
  const { problems: bad } = await verifyLedger({
    file,
    publicKeys,
    outside,
    ...(signal === undefined ? {} : { signal }),
  })
  const rows = await verifyDatabase(file, false, signal)
  return [...problems, ...[...bad, ...rows.problems].map(({ what, message }) => `${what}: ${message}`)]
}

/** Restores every blob of the list. Damaged blobs are reported and left out. */
async function fillBlobs(
  found: FoundSnapshot,
  { blobsDir, clock, signal, onProgress }: RestoreOptions,
): Promise<{ count: number; bytes: number; problems: string[] }> {
  const target = await openBlobStore({ root: blobsDir, now: clock.now })
  const done = { count: 0, bytes: 0, problems: [] as string[] }
  try {
    for await (const row of listedBlobs(found.path(LIST))) {
      signal?.throwIfAborted()
      const source = join(found.folder.blobs, row.sha256.slice(0, 2), row.sha256.slice(2, 4), row.sha256)
      const wrong = await tryBlob(target, source, row, signal)
      if (wrong === null) {
        done.count += 1
        done.bytes += row.length
      } else if (done.problems.length < MOST_PROBLEMS) done.problems.push(wrong)
      onProgress?.(`blobs: ${done.count} of ${found.manifest.blobs.count}`)
    }
    return done
  } finally {
    await target.close()
  }
}

/** Records the restore in the ledger, under a new checkpoint. @returns what cannot be decrypted with new keys */
async function recordRestore(
  found: FoundSnapshot,
  { rekeyed, signing }: { readonly rekeyed: boolean; readonly signing: SigningKeys },
  trust: Trust,
  { data, actor, clock, log }: RestoreOptions,
  problems: readonly string[],
): Promise<string[]> {
  const file = join(data, 'sallyport.db')
  // Copies outside may be newer than the snapshot. Named in the entry, they do not block the start (verification/start-check.ts).
  const outside = await newestOutsideOf(file, signing.publicKeys())
  const db = await openDatabase({ file })
  try {
    const lost = rekeyed ? await lostWithKeys(db) : []
    const ledger = createLedger({ db, clock, log })
    const alarms = createAlarms({ ledger, clock, log })
    const call = { actor: actor ?? INTERNAL, source: 'cli', correlationId: randomUUID() }
    await db.transaction(async (tx) => {
      // The blobs lie in the folder now, wherever they were.
      await deleteStationValue(tx, BLOBS_IN)
      await ledger.append(tx, call, {
        action: 'station.restored',
        object: { type: 'station', id: '1', name: '' },
        outcome: problems.length === 0 ? 'ok' : 'failed',
        detail: {
          snapshot: found.name,
          signedBy: found.signedBy,
          trust,
          entries: found.manifest.ledger.entries,
          head: found.manifest.ledger.head,
          keys: rekeyed ? 'new' : 'restored',
          outside,
          problems: problems.slice(0, 100),
        },
      })
      if (trust === 'none')
        await alarms.raise(tx, call, {
          kind: 'backup',
          subject: 'origin unproven',
          message: alarmReason('originUnproven', { snapshot: found.name, key: printedKey(signedSnapshot(found)) }),
        })
    })
    const notes = await openNotes(join(data, 'checkpoints'))
    const checkpoints = createCheckpoints({
      db,
      ledger,
      clock,
      log,
      key: signing,
      origin: () => found.manifest.origin,
      keepOutside: (size, note) => notes.keep(noteName(size), note),
    })
    await checkpoints.take('command')
    await ledger.stop()
    return lost
  } finally {
    await db.close()
  }
}
