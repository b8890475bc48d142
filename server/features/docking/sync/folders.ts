import { alarmReason } from '../../../../shared/messages/alarm-reasons.ts'
import { createHash, randomUUID } from 'node:crypto'
import { dirname } from 'node:path'
import { setImmediate as breathe } from 'node:timers/promises'
import { WATCHED_KEY } from '../../../../shared/docking/docking.ts'
import { nameKey } from '../../../../shared/kernel/names.ts'
import { INTERNAL } from '../../../../shared/kernel/principal.ts'
import type { Alarms } from '../../../kernel/ledger/alarms.ts'
import type { Call } from '../../../kernel/ledger/call.ts'
import type { Database } from '../../../kernel/database/database.ts'
import type { Clock } from '../../../platform/clock/clock.ts'
import { pause } from '../../../platform/clock/pause.ts'
import { volumeOfFolder } from '../../../platform/files/marked-folder.ts'
import type { FoundFolder, WalkEntry } from '../../../platform/files/walk.ts'
import type { Log } from '../../../platform/log/log.ts'
import type { VolumeReading } from '../../../platform/volumes/volume-reader.ts'
import type { Volume, VolumeChange, Volumes } from '../../../platform/volumes/volumes.ts'
import type { Identify } from '../ports.ts'
import { belowRoot, TAKEN } from '../session/context.ts'
import { pathKeyOf } from '../steps/camera-contents.ts'
import { type Attribution, identifyFolder } from './folder-camera.ts'
import { createStillness, type Sight, type Stillness, whyUnfinished } from './still.ts'
import { keysOf, lastRun, outcomesAfter, userNamed } from './sync.store.ts'

/** A folder of the setting `dockSync`. */
export interface WatchedFolder extends Attribution {
  /** Its whole path. */
  readonly folder: string
  readonly stillSeconds: number
}

/**
 * Folders that are watched like cameras that are always docked. One stands as a volume while something in it is to be taken, and is gone
 * when that was done: what comes later comes with a session and a receipt of its own.
 */
export interface SyncFolders {
  readonly volumes: Volumes
  /** Lists the files of a folder that are to be taken now, and nothing else. */
  readonly reading: VolumeReading
  readonly identify: Identify
}

interface Deps {
  readonly folders: readonly WatchedFolder[]
  readonly db: Database
  readonly tenant: string
  readonly alarms: Pick<Alarms, 'raise'>
  readonly mayWrite: () => boolean
  readonly clock: Clock
  readonly log: Log
  readonly reading: VolumeReading
  readonly identify: Identify
}

interface Folder {
  readonly setting: WatchedFolder
  readonly location: Buffer
  /** By which its sessions are known. */
  readonly uuid: string
  readonly stillness: Stillness
  opened: boolean
  /** While something in it is to be taken. */
  volumeId: string | null
  /** Something was mounted there: where nothing is any more, an empty folder lies in its place. */
  wasMount: boolean
  awaySince: number | null
  announced: boolean
  /** Of the rows that were read. */
  lastFile: number
  scannedAt: number
}

const LOOK_MS = 1_000
/** Folders are walked so often, the ones whose files may be still after a second more often. */
const SCAN_MS = 10_000
/** A drive that is put into another port is back by then. */
const AWAY_MS = 10_000

export function createSyncFolders(deps: Deps): SyncFolders {
  const folders = deps.folders.map(folderOf)
  const bySource = new Map(folders.map((one) => [one.setting.folder, one]))
  const of = (volume: Volume): Folder => bySource.get(volume.device) as Folder
  const presentOf = async (folder: Folder): Promise<Volume[]> => {
    // At a start the volumes are asked for before the first look at the folder.
    if (!folder.opened) folder.volumeId ??= await openVolume(deps, folder)
    return folder.volumeId !== null && (await isThere(folder)) ? [volumeOf(folder, folder.volumeId)] : []
  }
  const present = async (): Promise<Volume[]> => (await Promise.all(folders.map(presentOf))).flat()
  const look = async (folder: Folder, signal: AbortSignal): Promise<void> => {
    const at = deps.clock.monotonic()
    folder.opened = true
    if (!(await isThere(folder))) return away(deps, folder, at)
    folder.awaySince = null
    folder.announced = false
    const run = await lastRun(deps.db.read, deps.tenant, cameraKeyOf(folder))
    if (run !== undefined && run.ended === 0) {
      folder.volumeId = run.volume_id
      return
    }
    if (run?.volume_id === folder.volumeId) folder.volumeId = null
    await readSettled(deps, folder, run?.session_id ?? 0)
    const everyMs = Math.min(SCAN_MS, (folder.setting.stillSeconds * 1000) / 2)
    if (at - folder.scannedAt >= everyMs) {
      folder.scannedAt = at
      folder.stillness.saw(await sightsIn(deps.reading, folder, signal), at)
    }
    if (folder.volumeId === null && folder.stillness.due(at).size > 0) folder.volumeId = `watched-${randomUUID()}`
  }
  const lookAtAll = (signal: AbortSignal): Promise<unknown> =>
    Promise.all(
      folders.map((folder) =>
        look(folder, signal).catch((error: unknown) => {
          if (!signal.aborted)
            deps.log.warn({ err: error, folder: folder.setting.folder }, 'a watched folder could not be looked at')
        }),
      ),
    )
  const own = identifyFolder({
    attributionOf: (volume) => of(volume).setting,
    officerNamed: async (username) => {
      const row = await userNamed(deps.db.read, deps.tenant, nameKey(username))
      return row === undefined ? null : { PrincipalId: String(row.principal_id), KId: row.k_id, Username: row.name }
    },
  })
  return {
    volumes: {
      list: present,
      watch: async (onChange, signal) => {
        let known = new Map<string, Volume>()
        while (!signal.aborted) {
          await lookAtAll(signal)
          const now = new Map((await present()).map((volume) => [volume.id, volume]))
          if (signal.aborted) return
          const added = [...now.values()].filter(({ id }) => !known.has(id))
          const removed = [...known.values()].filter(({ id }) => !now.has(id))
          known = now
          if (added.length + removed.length > 0) onChange({ added, removed, present: [...now.values()] })
          await pause(LOOK_MS, signal)
        }
      },
    },
    identify: (input) => (input.volume.watched === undefined ? deps.identify(input) : own(input)),
    reading: {
      ...deps.reading,
      list: (volume, options) =>
        volume.watched === undefined
          ? deps.reading.list(volume, options)
          : wanted(deps, of(volume), deps.reading.list(volume, options)),
    },
  }
}

/** Cameras and folders side by side. */
export const besideFolders = (cameras: Volumes | null, folders: Volumes): Volumes => ({
  list: async () => [...((await cameras?.list()) ?? []), ...(await folders.list())],
  watch: async (onChange: (change: VolumeChange) => void, signal) => {
    await Promise.all([cameras?.watch(onChange, signal), folders.watch(onChange, signal)])
  },
})

function folderOf(setting: WatchedFolder): Folder {
  const name = createHash('sha256').update(setting.folder).digest('hex').slice(0, 32)
  return {
    setting,
    location: Buffer.from(setting.folder),
    uuid: `${WATCHED_KEY.slice(WATCHED_KEY.indexOf(':') + 1)}${name}`,
    stillness: createStillness(setting.stillSeconds * 1000),
    opened: false,
    volumeId: null,
    wasMount: false,
    awaySince: null,
    announced: false,
    lastFile: 0,
    scannedAt: Number.NEGATIVE_INFINITY,
  }
}

async function openVolume({ db, tenant }: Deps, folder: Folder): Promise<string | null> {
  const run = await lastRun(db.read, tenant, cameraKeyOf(folder))
  return run?.ended === 0 ? run.volume_id : null
}

const cameraKeyOf = ({ uuid }: Folder): string => `filesystem:${uuid}`

const volumeOf = ({ setting, location, uuid }: Folder, id: string): Volume => ({
  id,
  root: setting.folder,
  location,
  label: null,
  filesystem: 'folder',
  uuid,
  bytes: null,
  readOnly: false,
  usb: null,
  removable: false,
  device: setting.folder,
  watched: { after: setting.after },
})

/** A link in its place is not followed: it could make the station take any folder of the machine. */
async function isThere(folder: Folder): Promise<boolean> {
  const { folder: path } = folder.setting
  const [own, above] = [await volumeOfFolder(path), await volumeOfFolder(dirname(path))]
  if (own === null) return false
  if (own !== above) folder.wasMount = true
  return !(folder.wasMount && own === above)
}

const CALL: Call = { actor: INTERNAL, source: 'dock', correlationId: 'dock-folders' }

/** Nothing is lost: an open session waits and resumes at the byte at which it was. People must still be notified. */
async function away({ db, alarms, mayWrite }: Deps, folder: Folder, at: number): Promise<void> {
  folder.stillness.forget()
  folder.scannedAt = Number.NEGATIVE_INFINITY
  folder.awaySince ??= at
  if (folder.announced || at - folder.awaySince < AWAY_MS || !mayWrite()) return
  folder.announced = true
  const { folder: path } = folder.setting
  await db.transaction((tx) =>
    alarms.raise(tx, CALL, {
      kind: 'source',
      subject: path,
      message: alarmReason('folderAway', { folder: path }),
    }),
  )
}

async function readSettled(deps: Deps, folder: Folder, last: number): Promise<void> {
  for (;;) {
    const rows = await outcomesAfter(deps.db.read, {
      tenant: deps.tenant,
      cameraKey: cameraKeyOf(folder),
      fileId: folder.lastFile,
      before: last,
    })
    const at = deps.clock.monotonic()
    for (const { path_key: key, length, modified_ns: modified, outcome } of rows)
      folder.stillness.settled(key, `${length}:${modified}`, outcome === 'failed', at)
    const end = rows.at(-1)
    if (end === undefined) return
    folder.lastFile = end.file_id
  }
}

/** After so many entries the event loop gets a turn. */
const BETWEEN_BREATHS = 1_000

type Found = Exclude<WalkEntry | FoundFolder, FoundFolder>

const keyOf = (folder: Folder, entry: Found): string => pathKeyOf(belowRoot(folder, entry.location))

/** Files that were moved aside belong to the station and are not taken again. */
const isAside = (folder: Folder, location: Buffer): boolean => {
  const path = belowRoot(folder, location).toString('latin1')
  return path === TAKEN || path.startsWith(`${TAKEN}/`)
}

async function sightsIn(reading: VolumeReading, folder: Folder, signal: AbortSignal): Promise<Sight[]> {
  const sights: Sight[] = []
  for await (const entry of reading.list(volumeOf(folder, ''), { signal })) {
    if (entry.kind === 'folder' || isAside(folder, entry.location)) continue
    sights.push({
      key: keyOf(folder, entry),
      mark: entry.kind === 'file' ? `${entry.length}:${entry.modifiedNs}` : '0:',
      unfinished: entry.kind === 'file' && whyUnfinished(entry.name) !== null,
    })
    if (sights.length % BETWEEN_BREATHS === 0) await breathe()
  }
  return sights
}

/** The files to take now, and those that the open session listed before: it has to find those it has not taken or cleared yet. */
async function* wanted(
  { db, tenant, clock }: Deps,
  folder: Folder,
  entries: AsyncIterable<WalkEntry | FoundFolder>,
): AsyncGenerator<WalkEntry | FoundFolder, void, undefined> {
  const keys = folder.stillness.due(clock.monotonic())
  const run = await lastRun(db.read, tenant, cameraKeyOf(folder))
  if (run !== undefined && run.ended === 0) for (const key of await keysOf(db.read, run.session_id)) keys.add(key)
  let count = 0
  for await (const entry of entries) {
    if (isAside(folder, entry.location)) continue
    if (entry.kind === 'folder' || keys.has(keyOf(folder, entry))) yield entry
    if (++count % BETWEEN_BREATHS === 0) await breathe()
  }
}
