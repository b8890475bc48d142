/** Opens the kernel in the order in which its parts can be trusted: free space, ledger and schema, database, bytes. */
import { join } from 'node:path'
import { fault } from '../../shared/kernel/errors.ts'
import { isAdministrator, isInPolicy } from '../features/identity/users/users.store.ts'
import { publishTo } from '../kernel/events/events.ts'
import { CHECK_JOB } from '../features/integrity/fixity/fixity.ts'
import { recoverRotation } from '../features/integrity/verification/checkpoints.ts'
import { StationTampered } from '../features/integrity/verification/start-check.ts'
import { contentDisposition } from '../http/disposition.ts'
import { createExporting } from '../http/exports.ts'
import { createAccess } from '../kernel/access/access.ts'
import { createRightsCache } from '../kernel/access/rights-cache.ts'
import { openDatabase, PADDING } from '../kernel/database/database.ts'
import { createRecords } from '../kernel/evidence/records.ts'
import { createJobQueue, joinHandlers } from '../kernel/jobs/queue.ts'
import type { JobHandlers } from '../kernel/jobs/types.ts'
import type { Feature, Kernel } from '../kernel/kernel.ts'
import { createAlarms } from '../kernel/ledger/alarms.ts'
import { createLedger } from '../kernel/ledger/ledger.ts'
import { openStationMode, type StationMode } from '../kernel/mode.ts'
import { openNodeIdentity } from '../kernel/node/identity.ts'
import { openNodes } from '../kernel/node/nodes.ts'
import { createTaskLease } from '../kernel/task-lease.ts'
import { createVersions } from '../kernel/versions/versions.ts'
import { clockBelief } from '../platform/clock/clock-trust.ts'
import { systemClock } from '../platform/clock/clock.ts'
import type { StationKeys } from '../platform/secrets/keys.ts'
import type { KnownFolder } from '../platform/files/known-folder.ts'
import { isOnVolume, volumeOf } from '../platform/files/marked-folder.ts'
import { type Notes, openNotes } from '../platform/files/notes.ts'
import { removeTree } from '../platform/files/trees.ts'
import { openReserve } from '../platform/files/reserve.ts'
import { freeBytesNow, leastSpace } from '../platform/files/space.ts'
import type { Log } from '../platform/log/log.ts'
import { VERSION } from '../openapi.ts'
import { openStaging } from '../storage/staging/staging.ts'
import { finishAcceptance } from './accept-ledger.ts'
import { stationOrigin } from './identity.store.ts'
import { whyLeft } from './move/left-home.ts'
import { openStore } from './open-store.ts'
import { type RequireOwn, UPLOADS } from './own-blobs.ts'
import { COPIES, withCopyInData } from '../kernel/database/postgres/snapshot.ts'
import { openPostgres } from '../kernel/database/postgres/database.ts'
import { requireSameStation, trustedStart, trustedStartOnPostgres } from './trusted-start.ts'

/** The settings, with the data folder as it was when the station began to start. */
export type StationSettings = Kernel['settings'] & {
  readonly dataFolder: KnownFolder
  /** The setting for the folder of the blobs; undefined: the usual ones. */
  readonly ownBlobsDir?: string | undefined
}

/** A part with its own threads or files. */
export interface Opened {
  close(): Promise<void>
}

export interface OpenedKernel extends Kernel {
  readonly settings: StationSettings
  /** Copies of signed checkpoints beside the database. They reveal an older copy of the database, or a truncated ledger. */
  readonly notes: Notes
  readonly requireOwnBlobs: RequireOwn
  /** How ledger or schema differ from the state that the station left; the station is then opened read-only. Null without a difference. */
  readonly tampered: string | null
}

/**
 * @param features filled by the caller later; their job handlers and `appended` are used from then on
 * @param opened receives the opened parts, also when this throws
 * @param onFailed called once when the disk failed under a commit or an fsync, or the data folder was replaced
 * @throws Error when a part cannot be opened
 */
export async function openKernel(
  settings: StationSettings,
  log: Log,
  onFailed: (reason: string) => void,
  opened: Opened[],
  features: readonly Feature[],
): Promise<OpenedKernel> {
  const clock = systemClock
  const folders = [...new Set([settings.data, settings.blobsDir])]
  // First of all: even reading the database takes disk space, for the shared memory of its WAL.
  const mode = await openMode(settings, folders, log, onFailed)
  const fail = (error: Error): void => mode.fail(error.message)

  // Before any file is opened for writing.
  const start =
    settings.databaseUrl === undefined
      ? await trustedStart(settings.data, clock)
      : await trustedStartOnPostgres(settings.data, {
          url: settings.databaseUrl,
          file: settings.wrappingKeyFile,
          text: settings.wrappingKey,
          clock,
          log,
        })
  const { findings, tampered } = start
  const keys = settings.databaseUrl === undefined ? start.keys : followKeys(start.keys, log)
  opened.push(keys)
  if (tampered !== null) {
    if (findings?.readable !== true) throw new StationTampered(tampered)
    mode.distrust(tampered)
  }
  const file = join(settings.data, 'sallyport.db')
  if (settings.databaseUrl !== undefined) await removeTree(join(settings.data, COPIES))
  const common = {
    ...(tampered !== null && { refusal: () => fault('ReadOnly', tampered) }),
    onUnknownOutcome: fail,
    units: new URL('./units.ts', import.meta.url),
    beforeWrite: mode.beforeWrite,
  }
  const shared =
    settings.databaseUrl === undefined ? null : await openPostgres({ ...common, url: settings.databaseUrl })
  const db =
    shared ??
    (await openDatabase({
      ...common,
      file,
      // The padding takes space twice, in the file and in the WAL. It must not make the station read-only.
      padding: (await mode.hasRoomFor(2 * PADDING)) ? PADDING : 0,
    }))
  opened.push(db)
  // On PostgreSQL keys and ledger lie in one database, and another node may have begun the ledger meanwhile.
  if (shared === null) await requireSameStation(db, start)
  const left = await whyLeft(db.read, settings)
  if (left !== null) mode.retire(left)
  const node = await openNodeIdentity(settings, tampered === null)
  const nodes = await openNodes(shared, {
    node,
    version: VERSION,
    blobs: settings.blobUrl === undefined ? null : `s3://${settings.blobUrl.bucket}/${settings.blobUrl.prefix}`,
    clock,
    onLost: mode.giveUp,
  })
  const ledger = createLedger({
    db,
    clock,
    log,
    appended: publishTo(features),
  })
  const origin = await stationOrigin(db)
  const notesFolder = join(settings.data, 'checkpoints')
  const notes = await openNotes(notesFolder)
  if (tampered === null && left === null) {
    await finishAcceptance({ db, folder: notesFolder, keys: keys.signing.publicKeys(), origin })
    await recoverRotation({ ledger, key: keys.signing })
  }
  if (keys.tightened.length > 0) log.warn({ files: keys.tightened }, 'others could read these keys until now')

  const { established } = start
  const { store, requireOwn } = await openStore(settings, {
    db: db.read,
    origin,
    established,
    mayRecord: mode.mayRecord,
    clock,
    log,
    fail,
  })
  opened.push(store)
  const staging = await openStaging({ root: join(settings.blobsDir, '.staging', UPLOADS) })
  opened.push(staging)

  let handlers: JobHandlers | null = null
  const versions = createVersions({ db })
  const rights = createRightsCache<boolean>(db.rightsVersion)
  const jobs = createJobQueue({
    db: db.inBackground,
    clock,
    log,
    handlers: () => (handlers ??= joinHandlers(...features.map((feature) => feature.handlers ?? {}))),
    concurrency: settings.deriveLanes,
    // A requested check must not wait for the conversion of a long video.
    dedicatedKinds: [CHECK_JOB.name],
    mayRun: mode.mayWrite,
    node: settings.databaseUrl === undefined ? null : node,
  })
  return {
    settings,
    clock,
    clockIsSteady: clockBelief(clock, 0),
    log,
    mode,
    keys,
    node,
    nodes,
    origin,
    version: VERSION,
    timeZone: settings.timeZone ?? Intl.DateTimeFormat().resolvedOptions().timeZone,
    file,
    withFile: fileOf(settings, file),
    folders,
    db,
    ledger,
    versions,
    alarms: createAlarms({ ledger, clock, log }),
    access: createAccess({ clock, rightsVersion: db.rightsVersion }),
    records: createRecords({ ledger, versions, jobs, clock }),
    jobs,
    taskLease:
      settings.databaseUrl === undefined
        ? null
        : createTaskLease({
            db,
            clock,
            log,
            node: node.id,
            // Tasks act when something is due. By a wrong clock that would be too early.
            mayRun: () => mode.mayWrite() && nodes.whyNotReady() === null,
          }),
    store,
    staging,
    exporting: createExporting({ ledger, disposition: (name) => contentDisposition(name, false), now: clock.now }),
    isAdministrator: (id) => rights(`administrator ${id}`, () => isAdministrator(db.read, Number(id))),
    isInPolicy: (id, policy) => rights(`${policy} ${id}`, () => isInPolicy(db.read, Number(id), policy)),
    notes,
    requireOwnBlobs: requireOwn,
    tampered,
  }
}

/** Milliseconds. What another node changed counts here within 5 s. */
const FOLLOW_MS = 2000

/** Takes up the keys that other nodes change. A node that cannot goes on with those that it has, and says so. */
function followKeys(keys: StationKeys, log: Log): StationKeys {
  let problem: string | null = null
  const follow = async (): Promise<void> => {
    const { message } = await keys.refresh().then(
      () => ({ message: null }),
      (error: Error) => error,
    )
    if (message !== null && message !== problem)
      log.error({ problem: message }, 'the keys of other nodes cannot be read')
    problem = message
  }
  const timer = setInterval(() => void follow(), FOLLOW_MS)
  timer.unref()
  return {
    ...keys,
    close: async () => {
      clearInterval(timer)
      await keys.close()
    },
  }
}

/** Opens the mode of the station, with the space of its volumes. */
async function openMode(
  settings: StationSettings,
  folders: readonly string[],
  log: Log,
  onFailed: (reason: string) => void,
): Promise<StationMode> {
  const volumeOfBlobs = await volumeOf(settings.blobsDir)
  return openStationMode({
    space: async () => {
      const [space, blobsPresent] = await Promise.all([
        leastSpace(folders),
        isOnVolume(settings.blobsDir, volumeOfBlobs).catch(() => false),
      ])
      return { ...space, away: space.away || !blobsPresent }
    },
    dataFolder: { isReplaced: settings.dataFolder.isReplaced, freeBytes: () => freeBytesNow(settings.data) },
    minFreeBytes: settings.minFreeBytes ?? null,
    reserve: await openReserve(join(settings.data, 'reserve'), settings.reserveBytes),
    log,
    ticks: () => performance.now(),
    onFailed,
  })
}

/** On PostgreSQL a copy in the node's own folder, which is removed afterwards. */
const fileOf =
  ({ databaseUrl, data }: StationSettings, file: string): Kernel['withFile'] =>
  async (work, signal) =>
    databaseUrl === undefined ? work(file) : withCopyInData(databaseUrl, data, work, signal)
