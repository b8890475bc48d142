import { alarmReason } from '../../../../shared/messages/alarm-reasons.ts'
import { randomUUID } from 'node:crypto'
import { resolve } from 'node:path'
import { Fault, fault } from '../../../../shared/kernel/errors.ts'
import { INTERNAL } from '../../../../shared/kernel/principal.ts'
import { type Alarms, storedPrincipal } from '../../../kernel/ledger/alarms.ts'
import type { Call } from '../../../kernel/ledger/call.ts'
import type { Ledger } from '../../../kernel/ledger/ledger.ts'
import type { Signer } from '../../../kernel/ledger/signed-note.ts'
import type { Database } from '../../../kernel/database/database.ts'
import { blobIsKnown } from '../../../kernel/evidence/records.store.ts'
import type { BlobStore } from '../../../storage/store.ts'
import { type Clock, isoMillis } from '../../../platform/clock/clock.ts'
import type { Log } from '../../../platform/log/log.ts'
import * as rows from './backups.store.ts'
import { drill, type DrillReport } from './drill.ts'
import { claimFolder } from './folder.ts'
import { SHORTEST_PASSPHRASE } from './keys.ts'
import type { Roots } from './trust.ts'
import { pruneFolder } from './prune.ts'
import { findSnapshot } from './reader.ts'
import { makeSnapshot, type Snapshot } from './snapshot.ts'

export interface Work {
  readonly signal?: AbortSignal | undefined
  readonly onProgress?: ((text: string) => void) | undefined
}

/** Snapshots of the station in other folders (promise D9). Only one is made or tested at a time. */
export interface Backups {
  /**
   * Makes a snapshot now. @param passphrase wraps the station's keys, which are included; null: without keys
   * @throws Fault TargetUnusable, BackupInProgress, BackupFailed
   */
  make(call: Call, folder: string, passphrase: string | null, work: Work): Promise<Snapshot>
  /** Runs a trial restore of the newest snapshot of a folder. @throws Fault TargetUnusable, BackupInProgress, BackupFailed */
  drill(
    call: Call,
    folder: string,
    sample: number,
    work: Work & { readonly roots?: Roots },
  ): Promise<DrillReport & { readonly snapshot: string }>
  /** @throws Fault TargetUnusable, TargetExists */
  addTarget(call: Call, folder: string, everyHours: number): Promise<rows.BackupTargetRow>
  /** Existing snapshots in the folder stay. @throws Fault TargetNotFound */
  removeTarget(call: Call, id: string): Promise<void>
  /** @throws Fault TargetNotFound */
  target(id: string): Promise<rows.BackupTargetRow>
  /** Begins a snapshot or trial restore without waiting for it. @throws Fault TargetNotFound, BackupInProgress */
  begin(call: Call, id: string, doing: 'snapshot' | 'drill'): Promise<rows.BackupTargetRow>
  /** A task: makes the backups that are due. */
  runDue(): Promise<void>
  /** The current activity; null when there is none. */
  busyWith(): { readonly folder: string; readonly doing: 'snapshot' | 'drill'; readonly text: string } | null
  /** Aborts the current activity and waits for its end. */
  stop(): Promise<void>
}

interface Deps {
  readonly db: Database
  readonly ledger: Ledger
  readonly alarms: Pick<Alarms, 'raise'>
  readonly store: Pick<BlobStore, 'localCopy'>
  readonly clock: Clock
  readonly log: Log
  readonly station: {
    readonly database: string
    /** Why no snapshot can be made, as a sentence; null when it can. */
    readonly refusal: string | null
    /** The station's own folders, which must not contain a backup. */
    readonly folders: readonly string[]
    /** A folder with room for trial restores. */
    readonly room: string
    readonly origin: string
    readonly program: string
    readonly signer: () => Signer
    readonly publicKeys: () => readonly Uint8Array[]
    /** Texts of the key files. */
    readonly keys: () => Promise<Record<string, string>>
  }
  /** Signs a checkpoint, so that the ledger in the snapshot ends with one. */
  readonly sign: () => Promise<unknown>
  readonly mayWrite: () => boolean
}

interface Activity {
  readonly folder: string
  readonly doing: 'snapshot' | 'drill'
  text: string
}

const HOUR = 3_600_000
/** Number of blobs that a trial restores by default. */
export const DEFAULT_SAMPLE = 32

const inProgress = (): Fault => fault('BackupInProgress', 'A snapshot is being made or tried already. Wait for it.')
const ownCall = (): Call => ({ actor: INTERNAL, source: 'station', correlationId: randomUUID() })

export function createBackups(deps: Deps): Backups {
  const { db, ledger, clock, station } = deps
  const abort = new AbortController()
  let begun: Promise<unknown> = Promise.resolve()
  let busy: Activity | null = null

  const refuseSnapshots = (): void => {
    if (station.refusal !== null) throw fault('TargetUnusable', station.refusal)
  }
  /** Marks the activity as begun, until it has ended. @throws Fault BackupInProgress */
  const take = (folder: string, doing: Activity['doing']): Activity => {
    refuseSnapshots()
    if (busy !== null) throw inProgress()
    busy = { folder, doing, text: '' }
    return busy
  }
  const alone = async <T>(
    mine: Activity,
    { signal, onProgress }: Work,
    run: (work: Work) => Promise<T>,
  ): Promise<T> => {
    try {
      return await run({
        signal: signal === undefined ? abort.signal : AbortSignal.any([signal, abort.signal]),
        onProgress: (text) => {
          mine.text = text
          onProgress?.(text)
        },
      })
    } finally {
      busy = null
    }
  }

  const make = async (
    call: Call,
    given: string,
    passphrase: string | null,
    work: Work,
    { mayMake = false, mine = take(given, 'snapshot') } = {},
  ): Promise<Snapshot> =>
    alone(mine, work, async (inner) => {
      if (passphrase !== null && passphrase.length < SHORTEST_PASSPHRASE)
        throw fault('InvalidModel', `The passphrase needs at least ${SHORTEST_PASSPHRASE} characters.`)
      const started = clock.now()
      try {
        const folder = await claimFolder(given, station.origin, station.folders, mayMake)
        await deps.sign()
        const keys = passphrase === null ? {} : { keys: { files: await station.keys(), passphrase } }
        const made = await makeSnapshot(folder, sourceOf(deps), { now: clock.now, ...inner, ...keys })
        await keepMade(deps, call, given, started, made)
        await pruneFolder(folder).catch((error: unknown) => {
          deps.log.warn({ err: error, folder: given }, 'older snapshots could not be removed; the new one stands')
        })
        return made
      } catch (error) {
        // The stop of the station is not a failure: the backup is still due at the next start.
        if (abort.signal.aborted) throw error
        throw await keepFailed(deps, call, given, started, error as Error)
      }
    })

  const target = async (id: string): Promise<rows.BackupTargetRow> => {
    const row = await rows.targetById(db.read, Number(id))
    if (row === undefined) throw fault('TargetNotFound', `There is no place ${id} for snapshots.`)
    return row
  }

  const drillNow = async (
    ...[call, folder, sample, work, mine = take(folder, 'drill')]: [...Parameters<Backups['drill']>, Activity?]
  ): ReturnType<Backups['drill']> =>
    alone(mine, work, async (inner) => {
      const started = clock.now()
      const found = await findSnapshot(folder, null).catch((error: Error) => {
        throw error instanceof Fault ? error : fault('BackupFailed', error.message)
      })
      const report = await drill(found, {
        room: station.room,
        publicKeys: station.publicKeys(),
        hashAt: (seq) => rows.hashOfEntry(db.read, seq),
        sample,
        roots: work.roots,
        now: clock.now,
        ...inner,
      })
      await keepDrill(deps, call, { folder, snapshot: found.name, started, report })
      return { ...report, snapshot: found.name }
    })

  const runDue = async (): Promise<void> => {
    for (const row of await rows.targets(db.read)) {
      if (row.next_at > clock.now() || !deps.mayWrite() || busy !== null || abort.signal.aborted) continue
      // Recorded in the ledger and as an alarm; the next attempt is due in an hour.
      await make(ownCall(), row.folder, null, {}).catch((error: unknown) => {
        deps.log.warn({ err: error, folder: row.folder }, 'a snapshot that was due could not be made')
      })
    }
  }

  return {
    make: (call, folder, passphrase, work) => make(call, folder, passphrase, work, { mayMake: true }),
    drill: drillNow,

    addTarget: async (call, folder, everyHours) => {
      refuseSnapshots()
      const path = resolve(folder)
      // Tried at once, so that the person who adds an unusable folder sees the error now and not after the first scheduled run.
      await claimFolder(folder, station.origin, station.folders, true)
      const added = await db.transaction(async (tx) => {
        if ((await rows.targetOf(tx, path)) !== undefined)
          throw fault('TargetExists', 'Snapshots are made into this folder already.')
        const row = await rows.insertTarget(tx, {
          folder: path,
          every_hours: everyHours,
          created_utc: isoMillis(clock.now()),
          created_by: JSON.stringify(storedPrincipal(call.actor)),
          next_at: clock.now(),
        })
        await ledger.append(tx, call, {
          action: 'backup.targetAdded',
          object: { type: 'backupTarget', id: String(row.target_id), name: path },
          detail: { everyHours },
        })
        return row
      })
      // The first backup is made at once: until then there is none.
      begun = runDue().catch(() => {})
      return added
    },

    removeTarget: (call, id) =>
      db.transaction(async (tx) => {
        const row = await rows.targetById(tx, Number(id))
        if (row === undefined) throw fault('TargetNotFound', `There is no place ${id} for snapshots.`)
        await rows.changeTarget(tx, row.target_id, { removed_utc: isoMillis(clock.now()) })
        await ledger.append(tx, call, {
          action: 'backup.targetRemoved',
          object: { type: 'backupTarget', id: String(row.target_id), name: row.folder },
        })
      }),

    target,
    begin: async (call, id, doing) => {
      const row = await target(id)
      // Reserved before the entry is written: otherwise two simultaneous requests would both be accepted, and one would never begin.
      const mine = take(row.folder, doing)
      try {
        await ledger.record(call, {
          action: 'backup.asked',
          object: { type: 'backupTarget', id: String(row.target_id), name: row.folder },
          detail: { what: doing },
        })
      } catch (error) {
        busy = null
        throw error
      }
      const work: Promise<unknown> =
        doing === 'snapshot'
          ? make(call, row.folder, null, {}, { mine })
          : drillNow(call, row.folder, DEFAULT_SAMPLE, {}, mine)
      begun = work.catch((error: unknown) => {
        deps.log.warn({ err: error, folder: row.folder, doing }, 'what was asked for of a backup failed')
      })
      return row
    },
    runDue,
    busyWith: () => busy,
    stop: async () => {
      abort.abort(new Error('The station is stopping'))
      await begun
    },
  }
}

const sourceOf = ({ db, store, station }: Deps) => ({
  database: station.database,
  blobs: store,
  signer: station.signer(),
  publicKeys: station.publicKeys(),
  program: station.program,
  isExpected: (sha256: string) => blobIsKnown(db.read, sha256),
})

function keepMade(
  { db, ledger, alarms, clock }: Deps,
  call: Call,
  folder: string,
  started: number,
  { name, manifest, newBlobs, newBytes }: Snapshot,
): Promise<void> {
  const { blobs, database } = manifest
  return db.transaction(async (tx) => {
    const id = await rows.insertBackup(tx, {
      folder,
      snapshot: name,
      state: 'made',
      started_at: started,
      ended_at: clock.now(),
      made_by: JSON.stringify(storedPrincipal(call.actor)),
      entries: manifest.ledger.entries,
      blobs: blobs.count,
      bytes: blobs.bytes,
      new_blobs: newBlobs,
      new_bytes: newBytes,
      problem: blobs.damaged.length === 0 ? null : alarmReason('blobsNotInIt', { blobs: blobs.damaged.length }),
    })
    const due = await rows.targetOf(tx, folder)
    if (due !== undefined)
      await rows.changeTarget(tx, due.target_id, { next_at: started + due.every_hours * HOUR, failures: 0 })
    await ledger.append(tx, call, {
      action: 'backup.made',
      object: { type: 'backup', id: String(id), name },
      outcome: blobs.damaged.length === 0 ? 'ok' : 'failed',
      bytes: newBytes + database.length,
      sha256: database.sha256,
      detail: {
        folder,
        entries: manifest.ledger.entries,
        head: manifest.ledger.head,
        blobs: blobs.count,
        newBlobs,
        damaged: blobs.damaged.slice(0, 100),
        keys: manifest.keys !== null,
      },
    })
    if (blobs.damaged.length > 0)
      await alarms.raise(tx, call, {
        kind: 'backup',
        subject: folder,
        message: alarmReason('snapshotLacks', { blobs: blobs.damaged.length }),
      })
  })
}

/** @returns the answer for the caller */
async function keepFailed(
  { db, ledger, alarms, clock }: Deps,
  call: Call,
  folder: string,
  started: number,
  error: Error,
): Promise<Fault> {
  const problem = error.message
  await db.transaction(async (tx) => {
    const id = await rows.insertBackup(tx, {
      folder,
      snapshot: null,
      state: 'failed',
      started_at: started,
      ended_at: clock.now(),
      made_by: JSON.stringify(storedPrincipal(call.actor)),
      entries: 0,
      blobs: 0,
      bytes: 0,
      new_blobs: 0,
      new_bytes: 0,
      problem,
    })
    const due = await rows.targetOf(tx, folder)
    if (due !== undefined)
      await rows.changeTarget(tx, due.target_id, { next_at: clock.now() + HOUR, failures: due.failures + 1 })
    await ledger.append(tx, call, {
      action: 'backup.failed',
      object: { type: 'backup', id: String(id), name: '' },
      outcome: 'failed',
      reason: problem,
      detail: { folder },
    })
    if (due !== undefined)
      await alarms.raise(tx, call, {
        kind: 'backup',
        subject: folder,
        message: alarmReason('noSnapshot', { why: problem }),
      })
  })
  if (error instanceof Fault) return error
  return new Fault('BackupFailed', `No snapshot was made; earlier ones are as they were. ${problem}`, { cause: error })
}

function keepDrill(
  { db, ledger, alarms, clock }: Deps,
  call: Call,
  { folder, snapshot, started, report }: { folder: string; snapshot: string; started: number; report: DrillReport },
): Promise<void> {
  const { problems, entries, blobs, of, bytes } = report
  const result = problems.length === 0 ? 'restored' : 'broken'
  return db.transaction(async (tx) => {
    const id = await rows.insertDrill(tx, {
      folder,
      snapshot,
      result,
      started_at: started,
      ended_at: clock.now(),
      made_by: JSON.stringify(storedPrincipal(call.actor)),
      entries,
      blobs,
      bytes,
      problems: JSON.stringify(problems.slice(0, 20)),
    })
    await ledger.append(tx, call, {
      action: 'backup.drilled',
      object: { type: 'drill', id: String(id), name: snapshot },
      outcome: result === 'restored' ? 'ok' : 'failed',
      bytes,
      ...(problems[0] === undefined ? {} : { reason: problems[0] }),
      detail: { folder, entries, blobs, of, problems: problems.slice(0, 20) },
    })
    if (result === 'broken')
      await alarms.raise(tx, call, {
        kind: 'backup',
        subject: `${folder} ${snapshot}`,
        message: alarmReason('snapshotBroken', { found: String(problems[0]) }),
        detail: { problems: problems.length },
      })
  })
}
