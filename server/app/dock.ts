/** The part of the composition that takes cameras home: bays, sessions, transfer, and what is told of them. */
import type { Settings } from '../config/settings.ts'
import type { Ledger } from '../kernel/ledger/ledger.ts'
import type { Signer } from '../kernel/ledger/signed-note.ts'
import type { Versions } from '../kernel/versions/versions.ts'
import type { Database } from '../kernel/database/database.ts'
import type { ProfileFolder } from '../features/docking/discovery/profile-folder.ts'
import type { DeviceRegister, Identify } from '../features/docking/ports.ts'
import { resolve, sep } from 'node:path'
import { usedSecondCopy } from '../features/docking/session/sessions.store.ts'
import { createSecondCopy } from '../features/docking/transfer/second-copy.ts'
import { createBays } from '../features/docking/session/bays.ts'
import { createLanes, LANES_OF_A_CAMERA } from '../features/docking/transfer/copy-lanes.ts'
import type { Records } from '../kernel/evidence/records.ts'
import type { BlobStore } from '../storage/store.ts'
import { createWall, type DockLive } from '../features/docking/wall/wall.ts'
import { dockRoutes, type Letterhead } from '../features/docking/wall/dock.routes.ts'
import type { BoundRoute } from '../http/handlers.ts'
import type { JobQueue } from '../kernel/jobs/queue.ts'
import type { Clock } from '../platform/clock/clock.ts'
import type { ClockSync } from '../platform/clock/sync.ts'
import type { Log } from '../platform/log/log.ts'
import type { VolumeReading } from '../platform/volumes/volume-reader.ts'
import type { Volumes } from '../platform/volumes/volumes.ts'
import type { StationMode } from './mode.ts'
import type { Alarms } from '../kernel/ledger/alarms.ts'
import type { SyncFolder } from '../config/dock-sync.ts'
import { besideFolders, createSyncFolders, type SyncFolders } from '../features/docking/sync/folders.ts'
import type { DockRule } from '../../shared/docking/docking.ts'

interface Deps {
  readonly settings: Settings
  readonly db: Database
  readonly ledger: Ledger
  readonly versions: Versions
  readonly records: Records
  readonly store: BlobStore
  readonly jobs: JobQueue
  readonly clock: Clock
  readonly clockSync: () => Promise<ClockSync>
  readonly log: Log
  readonly mode: StationMode
  readonly signer: () => Signer
  readonly alarms: Pick<Alarms, 'raise'>
  readonly origin: string
  readonly reading: VolumeReading
  /** Null: this station looks for no cameras. */
  readonly volumes: Volumes | null
  readonly identify: Identify
  readonly profiles: Pick<ProfileFolder, 'look'>
  readonly register: DeviceRegister
  /** The station's: an IANA name. */
  readonly timeZone: string
  /** What a printed receipt says of the station. */
  readonly letterhead: Letterhead
  readonly tenant: (name: string) => string
  /** Of the station: database and blobs. */
  readonly folders: readonly string[]
}

export interface DockService {
  readonly routes: BoundRoute[]
  start(): Promise<void>
  /** Sessions stay as they are and go on at the next start. */
  stop(): Promise<void>
}

export function createDockService(deps: Deps): DockService {
  const { settings, db, ledger, clock, mode } = deps
  const folders = syncFoldersOf(deps)
  const volumes = folders === null ? deps.volumes : besideFolders(deps.volumes, folders.volumes)
  const lanes = createLanes(settings.dockLanes)
  const secondCopy =
    settings.dockSecondCopy === undefined
      ? null
      : createSecondCopy({
          folder: resolve(settings.dockSecondCopy),
          notBeside: deps.folders,
          station: deps.origin,
          wasUsed: () => usedSecondCopy(db.read, resolve(settings.dockSecondCopy as string)),
          clock,
        })
  const parts = {
    ...deps,
    // Whoever docks does not look at it: sixty cameras that write would otherwise stand before every page.
    db: db.inBackground,
    reading: folders?.reading ?? deps.reading,
    identify: folders?.identify ?? deps.identify,
    lanes,
    tenant: settings.tenant,
    clearRule: settings.dockClear,
    rules: [...settings.dockRules, ...settings.dockSync.flatMap(ruleOf)],
    rehash: settings.dockRehash,
    secondCopy,
    fileBytes: settings.fileBytes,
    requireBytes: mode.requireBytes,
    mayWrite: mode.mayWrite,
  }
  const bays = volumes === null ? null : createBays(parts, volumes)
  const live: DockLive = {
    docks: deps.volumes !== null,
    docked: () => bays?.docked() ?? [],
    waiting: () => lanes.waiting().map(Number),
    served: (id) => lanes.served(String(id)),
    underWay: (id) => bays?.underWay(id) ?? { hub: '', files: [] },
    lanes: settings.dockLanes,
    lanesOfACamera: LANES_OF_A_CAMERA,
    secondCopies: secondCopy !== null,
  }
  const wall = createWall({ db, clock, log: deps.log, live, timeZone: deps.timeZone, names: settings.dockWallNames })
  return {
    routes: dockRoutes({
      db,
      ledger,
      tenant: deps.tenant,
      live,
      wall,
      letterhead: deps.letterhead,
      officersAt: deps.register.officersAt,
    }),
    start: async () => {
      await deps.profiles.look()
      await bays?.start()
    },
    stop: async () => {
      await bays?.stop()
      await secondCopy?.close()
    },
  }
}

const ruleOf = ({ folder, category, department }: SyncFolder): DockRule[] =>
  category === undefined && department === undefined ? [] : [{ when: { folder }, category, department }]

/** @throws where a folder of the station itself would be watched: it would take in what it writes */
function syncFoldersOf(deps: Deps): SyncFolders | null {
  const { settings, mode } = deps
  if (settings.dockSync.length === 0) return null
  const own = [settings.data, ...deps.folders, settings.dockRoot ?? []].flat().map((folder) => resolve(folder))
  const folders = settings.dockSync.map(({ device, officer, ...one }) => {
    const near = own.find((folder) => isWithin(folder, one.folder) || isWithin(one.folder, folder))
    if (near !== undefined)
      throw new Error(`dockSync: ${one.folder} is, holds or lies in the station's own folder ${near}`)
    return {
      ...one,
      officer: officer ?? null,
      device:
        device === undefined
          ? null
          : {
              DeviceType: device.deviceType,
              Manufacturer: device.manufacturer,
              SerialNumber: device.serialNumber,
              Model: device.model ?? null,
            },
    }
  })
  return createSyncFolders({
    ...deps,
    db: deps.db.inBackground,
    folders,
    tenant: settings.tenant,
    mayWrite: mode.mayWrite,
  })
}

const isWithin = (one: string, other: string): boolean => one === other || one.startsWith(`${other}${sep}`)
