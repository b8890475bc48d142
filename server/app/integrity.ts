import { createFixity } from '../features/integrity/fixity/fixity.ts'
import { fixityRoutes } from '../features/integrity/fixity/fixity.routes.ts'
import { createReach } from '../kernel/evidence/reach.ts'
import { createVerification, createDailyVerification } from './verification.ts'
import { type Notes, noteName } from '../platform/files/notes.ts'
import type { Kernel } from '../kernel/kernel.ts'
import type { Task } from '../kernel/scheduler.ts'
import { join, resolve } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { z } from 'zod'
import { type Backups, createBackups, DEFAULT_SAMPLE } from '../features/integrity/backup/backups.ts'
import type { Alarms } from '../kernel/ledger/alarms.ts'
import { alarmRows } from '../kernel/ledger/alarms.store.ts'
import type { Call } from '../kernel/ledger/call.ts'
import { type CheckpointReason, createCheckpoints, HOUR } from '../features/integrity/verification/checkpoints.ts'
import { type Copies, createCopies } from '../features/integrity/verification/copies.ts'
import { copyTargets } from '../features/integrity/verification/copies.store.ts'
import type { Ledger } from '../kernel/ledger/ledger.ts'
import { acceptRestored, requireStation } from '../features/integrity/verification/accept-restored.ts'
import { LONGEST_ACCEPT_REASON } from '../../shared/integrity/contract.ts'
import type { Clock } from '../platform/clock/clock.ts'
import { createReceived } from '../features/integrity/verification/received.ts'
import { type ShownKey, shownKey } from '../kernel/ledger/signed-note.ts'
import { readRotation, type Rotation } from '../kernel/ledger/key-rotation.ts'
import type { Database } from '../kernel/database/database.ts'
import { createFixitySchedule } from '../features/integrity/fixity/schedule.ts'
import { integrityRoutes } from '../features/integrity/integrity.routes.ts'
import { alarmModel, copyTargetModel, knownStationModel } from '../features/integrity/integrity.models.ts'
import { createIntegrityState, knownStations } from '../features/integrity/integrity.service.ts'
import { createSealer } from '../platform/secrets/seal.ts'
import type { StationWarnings } from '../features/station/warnings.service.ts'
import { readKeyFiles, type StationKeys } from '../platform/secrets/keys.ts'
import { remoteStation } from './remote-station.ts'

interface Needs {
  /** Copies of checkpoints beside the database. */
  readonly notes: Notes
  /** Current warnings about the station. */
  readonly warnings: StationWarnings['standing']
}

export type IntegrityCommands = (
  call: Call,
  asked: { readonly command: string; readonly args: unknown },
  progress: (text: string) => void,
  signal: AbortSignal,
) => Promise<unknown> | null

const SERVER_HAS_BACKUPS =
  'The database is PostgreSQL: back it up with the tools of the server, and the blobs with those of their store (docs/operate/headquarters.md).'

/** Milliseconds for copying the last checkpoint at a stop. */
const STOP_MS = 10_000

/** Milliseconds after an answer during which people count as at work. */
const WORK_MS = 3000

/** How often is asked whether a checkpoint is due: of several nodes, the last one may have been signed by another node at any time. */
const LOOKS_FOR_CHECKPOINTS_MS = HOUR / 12

/** The integrity of evidence: fixity, verification, checkpoints, copies elsewhere, snapshots. */
export function integrityFeature(kernel: Kernel, { notes, warnings }: Needs) {
  const { settings, file, db, ledger, alarms, store, keys, origin, clock, log, mode, jobs, node, taskLease } = kernel
  const fixity = createFixity({ db, store, ledger, clock, alarms, jobs })
  let answeredAt = Number.NEGATIVE_INFINITY
  const folders = [settings.data, settings.blobsDir].map((folder) => resolve(folder))
  const schedule = createFixitySchedule({
    db,
    store,
    ledger,
    alarms,
    clock,
    log,
    mayWrite: mode.mayWrite,
    busy: () => clock.monotonic() - answeredAt < WORK_MS,
    bytesPerSecond: settings.fixityBytesPerSecond,
    readsHere: () => taskLease?.isHeld() ?? true,
  })
  const checkpoints = createCheckpoints({
    db,
    ledger,
    clock,
    log,
    key: keys.signing,
    origin: () => origin,
    ...(kernel.nodes.areSeveral && { node: kernel.node }),
    keepOutside: async (size, note, reason) => {
      // Checks that the data folder was not replaced. In another station's folder the note would look like one of its own checkpoints.
      await mode.checkSpace()
      await notes.keep(noteName(size), note)
      await copyOutside(reason)
    },
  })
  const copies = createCopies({
    db,
    ledger,
    alarms,
    clock,
    log,
    origin,
    publicKeys: keys.signing.publicKeys,
    signer: keys.signing.current,
    rotations: () => rotationsOf(ledger, keys),
    folders,
    node: settings.databaseUrl === undefined ? null : node.id,
    sendsToStations: () => taskLease?.isHeld() ?? true,
    sealer: createSealer(keys.secretsKey),
    remote: remoteStation,
    mayWrite: mode.mayWrite,
    sign: () => checkpoints.take('command'),
  })
  const backups = createBackups({
    db,
    ledger,
    alarms,
    store,
    clock,
    log,
    station: {
      database: file,
      refusal: settings.databaseUrl === undefined ? null : SERVER_HAS_BACKUPS,
      folders,
      room: settings.data,
      origin,
      program: kernel.version,
      signer: keys.signing.current,
      publicKeys: keys.signing.publicKeys,
      keys: () => readKeyFiles(join(settings.data, 'keys')),
    },
    sign: () => checkpoints.take('command'),
    mayWrite: mode.mayWrite,
  })
  const received = createReceived({ db, ledger, alarms, clock, origin, signer: keys.signing.current })
  const publicKey = (): Uint8Array => keys.signing.current().publicKey
  const state = createIntegrityState({ db, clock, schedule, backups, origin, publicKey, warnings })
  /** Copies a signed checkpoint. At a stop it waits until the copy has ended or failed. */
  const copyOutside = async (reason: CheckpointReason): Promise<void> => {
    if (reason !== 'stop')
      return void copies.runDue().catch((error: unknown) => log.warn({ err: error }, 'checkpoints could not be copied'))
    // A place that does not answer must not delay the stop.
    const abort = new AbortController()
    await Promise.race([copies.copyAll(), pause(STOP_MS, undefined, { signal: abort.signal })]).finally(() =>
      abort.abort(),
    )
  }
  const verify = createVerification({ ...kernel, notes })
  const daily = createDailyVerification({ db, verify, clock })
  return {
    checkpoints,
    /** Presents this station to headquarters. */
    present: copies.present,
    /** Co-signatures of paired stations over a head of the ledger. */
    cosigned: copies.cosigned,
    /** While a snapshot is made, no file of the store may go: its copy of the database names them all. */
    isMakingSnapshot: () => backups.busyWith() !== null,
    verify,
    handlers: fixity.handlers,
    routes: [
      ...integrityRoutes({ db, state, ledger, clock, alarms, schedule, copies, received, backups }),
      ...fixityRoutes({ db, reachRows: createReach(kernel).reachRows, fixity }),
    ],
    tasks: [
      { name: 'fixity', runsOn: 'one node', everyMs: 5_000, run: (signal) => schedule.run(signal) },
      // A folder is at one machine, whose node copies there; to stations only the node with the lease copies.
      { name: 'copies of checkpoints', runsOn: 'every node', everyMs: 5_000, run: copies.runDue },
      {
        name: 'checkpoints',
        runsOn: 'one node',
        everyMs: taskLease === null ? HOUR : LOOKS_FOR_CHECKPOINTS_MS,
        run: () => checkpoints.take('hour'),
      },
      { name: 'verification', runsOn: 'one node', everyMs: 60_000, run: daily.run },
      { name: 'snapshots', runsOn: 'one node', everyMs: 5_000, run: backups.runDue },
    ] satisfies Task[],
    /** Runs commands of the command line; null for commands of other features. */
    commands: integrityCommands({
      db,
      ledger,
      clock,
      alarms,
      copies,
      backups,
      publicKey: () => ({
        origin,
        ...shownKey(origin, publicKey()),
        packageFingerprint: keys.packages.current()?.fingerprint ?? null,
      }),
    }),
    /** Records that a request was answered now. */
    atWork: (): void => {
      answeredAt = clock.monotonic()
    },
    stop: async (): Promise<void> => {
      daily.stop()
      await schedule.stop()
      await backups.stop()
    },
  }
}

/** All rotations of the signing key in the ledger, oldest first. */
async function rotationsOf(ledger: Ledger, keys: StationKeys): Promise<Rotation[]> {
  const found: Rotation[] = []
  for (const key of keys.signing.publicKeys()) {
    const [last] = await ledger.entriesFor('key', Buffer.from(key).toString('base64'), { count: 1 })
    const rotation = last === undefined ? null : readRotation(last.entry.detail)
    if (rotation !== null) found.push(rotation)
  }
  return found
}

const Backup = z.object({ to: z.string(), passphrase: z.string().nullable() })
const Schedule = z.object({ to: z.string(), everyHours: z.int().min(1).max(168) })
const Drill = z.object({
  from: z.string(),
  sample: z.int().min(1).max(1_000_000).nullable(),
  roots: z.object({ signedBy: z.string().nullable(), checkpoints: z.string().nullable() }).optional(),
})
const Folder = z.object({ folder: z.string() })
const Station = z.object({ connection: z.unknown() })
const ById = z.object({ id: z.string() })
const Accept = z.object({
  origin: z.string(),
  /** The root of the head that the station presented, in base64, as `stations` prints it. */
  presented: z.string(),
  reason: z.string().trim().min(1).max(LONGEST_ACCEPT_REASON),
})
const Acknowledge = ById.extend({ reason: z.string().trim().min(1) })

interface CommandDeps {
  readonly db: Database
  readonly ledger: Pick<Ledger, 'append'>
  readonly clock: Clock
  readonly alarms: Alarms
  readonly copies: Copies
  readonly backups: Backups
  /** The public key by which snapshots and checkpoints of this station are recognised. */
  readonly publicKey: () => ShownKey & { readonly origin: string; readonly packageFingerprint: string | null }
}

function integrityCommands(deps: CommandDeps): IntegrityCommands {
  const { db, alarms, copies, backups, publicKey } = deps
  return (call, { command, args }, onProgress, signal) => {
    switch (command) {
      case 'backup': {
        const { to, passphrase } = Backup.parse(args)
        return backups.make(call, to, passphrase, { signal, onProgress })
      }
      case 'backup.schedule': {
        const { to, everyHours } = Schedule.parse(args)
        return backups.addTarget(call, to, everyHours)
      }
      case 'backup.unschedule':
        return backups.removeTarget(call, ById.parse(args).id)
      case 'drill': {
        const { from, sample, roots } = Drill.parse(args)
        return backups.drill(call, from, sample ?? DEFAULT_SAMPLE, { signal, onProgress, ...(roots && { roots }) })
      }
      case 'checkpoints.folder':
        return copies.addFolder(call, Folder.parse(args).folder).then((row) => copyTargetModel(row, 0))
      case 'checkpoints.station':
        return copies.addStation(call, Station.parse(args).connection).then((row) => copyTargetModel(row, 0))
      case 'checkpoints.remove':
        return copies.remove(call, ById.parse(args).id)
      case 'checkpoints.copy':
        return copyAll(db, copies, call)
      case 'key.show':
        return Promise.resolve(publicKey())
      case 'stations':
        return knownStations(db.read).then((stations) => stations.map(knownStationModel))
      case 'stations.accept':
        return acceptByRoot(deps, call, Accept.parse(args)).then(knownStationModel)
      case 'alarms':
        return alarmRows(db.read, 1000).then((rows) => rows.map(alarmModel))
      case 'alarms.acknowledge': {
        const { id, reason } = Acknowledge.parse(args)
        return db.transaction((tx) => alarms.acknowledge(tx, call, id, reason)).then(alarmModel)
      }
      default:
        return null
    }
  }
}

/** Accepts the head with this root. @throws Fault CheckpointNotFound, PresentedHeadChanged, StationKeyDiffers */
async function acceptByRoot(deps: CommandDeps, call: Call, { origin, presented, reason }: z.output<typeof Accept>) {
  const { received, refused } = await requireStation(deps.db.read, origin)
  // Where nothing was refused, the act itself says so.
  const size = refused?.size ?? 0
  const root = new Uint8Array(Buffer.from(presented, 'base64'))
  return acceptRestored(deps, call, { origin, known: received, presented: { size, root }, reason })
}

/** Copies to every place. Failures are in the answer and in the row of the place. */
async function copyAll(db: Database, copies: Copies, call: Call) {
  const done: { address: string; size: number; problem: string | null }[] = []
  for (const row of await copyTargets(db.read)) {
    const after = await copies.copyNow(call, String(row.target_id)).catch((error: Error) => error)
    done.push(
      after instanceof Error
        ? { address: row.address, size: row.size, problem: after.message }
        : { address: row.address, size: after.size, problem: null },
    )
  }
  return done
}
