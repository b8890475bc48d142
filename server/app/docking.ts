import type { DeviceRegister as Devices } from '../features/devices/register.ts'
import { createIdentifyInWorker } from '../features/docking/discovery/identify-in-worker.ts'
import { createProfileFolder, withProfiles } from '../features/docking/discovery/profile-folder.ts'
import { shippedProfiles } from '../features/docking/profiles/shipped.ts'
import { dockJobHandlers } from '../features/docking/session/recordings.jobs.ts'
import { createCameraBookmarks } from '../features/evidence/annotations/bookmarks.ts'
import type { Feature, Kernel } from '../kernel/kernel.ts'
import { volumesOfThisMachine } from '../platform/volumes/this-machine.ts'
import { dockDevices } from './dock-devices.ts'
import type { Signer } from '../kernel/ledger/signed-note.ts'
import type { DeviceRegister, Identify } from '../features/docking/ports.ts'
import { join, resolve, sep } from 'node:path'
import { usedSecondCopy } from '../features/docking/session/sessions.store.ts'
import { createSecondCopy } from '../features/docking/transfer/second-copy.ts'
import { type Bays, createBays } from '../features/docking/bays/bays.ts'
import { createLanes, LANES_OF_A_CAMERA } from '../features/docking/transfer/copy-lanes.ts'
import { createWall, type DockLive } from '../features/docking/wall/wall.ts'
import { dockRoutes } from '../features/docking/wall/dock.routes.ts'
import type { ClockSync } from '../platform/clock/sync.ts'
import { createVolumeReading, type VolumeReading } from '../platform/volumes/volume-reader.ts'
import type { Volumes } from '../platform/volumes/volumes.ts'
import type { SyncFolder } from '../config/dock-sync.ts'
import { besideFolders, createSyncFolders, type SyncFolders } from '../features/docking/sync/folders.ts'
import type { DockRule } from '../../shared/docking/docking.ts'

interface Needs {
  readonly clockSync: () => Promise<ClockSync>
  readonly devices: Devices
}

/** Dependencies of docking on the kernel, other features and this machine. */
type Parts = Kernel & {
  readonly signer: () => Signer
  readonly clockSync: Needs['clockSync']
  readonly reading: VolumeReading
  /** Null when this station does not look for cameras. */
  readonly volumes: Volumes | null
  readonly identify: Identify
  readonly register: DeviceRegister
}

/** Docking of cameras: bays, sessions, transfer, and the dock wall. */
export function dockingFeature(kernel: Kernel, { clockSync, devices }: Needs): Feature & Pick<Bays, 'drives'> {
  const { settings, db, ledger, versions, records, jobs, clock, log, mode, timeZone } = kernel
  const profiles = createProfileFolder({
    folder: join(settings.data, 'profiles'),
    shipped: shippedProfiles(),
    onProblem: (problem) => log.warn({ ...problem }, 'a camera profile is not used'),
  })
  const deps: Parts = {
    ...kernel,
    clockSync,
    signer: kernel.keys.signing.current,
    reading: createVolumeReading(),
    volumes: settings.dock
      ? volumesOfThisMachine({
          dockRoot: settings.dockRoot ?? null,
          keepOut: kernel.folders,
          onProblem: (error) => log.warn({ err: error }, 'the volumes of this machine could not be listed'),
        })
      : null,
    identify: withProfiles(profiles, createIdentifyInWorker({ profiles: profiles.profiles, timeZone })),
    register: dockDevices(devices),
  }
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
    // Background priority: otherwise pages would wait for the writes of sixty cameras.
    db: db.inBackground,
    reading: folders?.reading ?? deps.reading,
    identify: folders?.identify ?? deps.identify,
    lanes,
    tenant: settings.tenant,
    nodeId: settings.databaseUrl === undefined ? null : kernel.node.id,
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
  const wall = createWall({ db, clock, log, live, timeZone, names: settings.dockWallNames })
  return {
    drives: async () => (await bays?.drives()) ?? [],
    handlers: dockJobHandlers({
      db: db.inBackground,
      records,
      jobs,
      tenant: settings.tenant,
      setBookmarks: createCameraBookmarks({ ledger, versions, clock }),
    }),
    routes: dockRoutes({
      db,
      ledger,
      live,
      wall,
      letterhead: { stationName: settings.stationName, timeZone },
      officersAt: deps.register.officersAt,
    }),
    start: async () => {
      await profiles.look()
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

/** @throws Error when a watched folder overlaps the station's own folders, since the station would take in its own files */
function syncFoldersOf(deps: Parts): SyncFolders | null {
  const { settings, mode } = deps
  if (settings.dockSync.length === 0) return null
  const ownFolders = [settings.data, ...deps.folders, settings.dockRoot ?? []].flat().map((folder) => resolve(folder))
  const folders = settings.dockSync.map(({ device, officer, ...one }) => {
    const near = ownFolders.find((folder) => isWithin(folder, one.folder) || isWithin(one.folder, folder))
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
