import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { run } from '../run/run.ts'
import { COLUMNS, parseLsblk, SPACE_COLUMNS, type BlockDevice } from './lsblk.ts'
import { type Mount, parseMountinfo } from './mountinfo.ts'
import { openSysfs, type Sysfs } from './sysfs.ts'
import { type Volume, type Volumes, type WatchOptions, watchByPolling } from './volumes.ts'

/** Source of the facts: this machine, or a recorded tree. */
export interface LinuxMachine {
  mountinfo(): Promise<Buffer>
  /** @returns the output of `lsblk -J -b -o …` */
  lsblk(): Promise<string>
  /** The folder that is `/sys`. */
  readonly sysfs: string
}

/** Mount points of the system. A disk with one of them is not a camera, even a stick from which the machine was started. */
const SYSTEM_MOUNTS = ['/', '/boot', '/boot/efi', '/efi', '/usr', '/var', '/home', '/nix', '/opt', '/srv', '/tmp']
/** Device types that are ignored: discs with drivers, and virtual devices. */
const IGNORED_TYPES = new Set(['rom', 'loop', 'zram', 'ram'])

const LSBLK = ['/usr/bin/lsblk', '/bin/lsblk']

export const thisLinux = (): LinuxMachine => ({
  mountinfo: () => readFile('/proc/self/mountinfo'),
  lsblk: async () => {
    // The first call waits for every filesystem. The second one reads none of them.
    const whole = await askLsblk(`${COLUMNS},${SPACE_COLUMNS}`, 1_000)
    return whole ?? (await askLsblk(COLUMNS, 5_000)) ?? Promise.reject(new Error('lsblk gives no list of disks.'))
  },
  sysfs: '/sys',
})

async function askLsblk(columns: string, timeoutMs: number): Promise<string | null> {
  for (const file of LSBLK) {
    const { end, stdout } = await run({ file, args: ['-J', '-b', '-o', columns], timeoutMs })
    if (end === 'ok') return stdout.toString('utf8')
    if (end !== 'not-started') return null
  }
  return null
}

/** @param keepOut the station's own folders (absolute): volumes with one of them are ignored */
export function linuxVolumes(
  machine: LinuxMachine,
  { keepOut = [], ...watching }: WatchOptions & { readonly keepOut?: readonly string[] } = {},
): Volumes {
  const sysfs = openSysfs(machine.sysfs)
  const list = async (): Promise<Volume[]> => {
    const [mountinfo, lsblk] = await Promise.all([machine.mountinfo(), machine.lsblk()])
    const pairs = candidates(parseMountinfo(mountinfo), parseLsblk(lsblk), keepOut)
    return Promise.all(pairs.map(([mount, device]) => volumeOf(mount, device, sysfs)))
  }
  return {
    list,
    watch: (onChange, signal) =>
      watchByPolling(list, onChange, signal, {
        mark: async () =>
          createHash('sha256')
            .update(await machine.mountinfo())
            .digest('hex'),
        ...watching,
      }),
  }
}

/** The mounts that may be cameras, each device once. Pure. */
export function candidates(
  mounts: readonly Mount[],
  devices: readonly BlockDevice[],
  keepOut: readonly string[],
): (readonly [Mount, BlockDevice])[] {
  const byNumber = new Map(devices.map((device) => [device.number, device]))
  const byPath = new Map(devices.map((device) => [device.path, device]))
  // FUSE filesystems and btrfs have device numbers of their own, but their source is still the device.
  const of = (mount: Mount): BlockDevice | undefined => byNumber.get(mount.number) ?? byPath.get(mount.source)
  const ownDisks = new Set<string>()
  for (const mount of mounts) {
    const isOwn = SYSTEM_MOUNTS.includes(mount.path) || keepOut.some((folder) => holds(mount, folder, mounts))
    if (isOwn) for (const disk of of(mount)?.disks ?? []) ownDisks.add(disk)
  }
  const taken = new Map<string, readonly [Mount, BlockDevice]>()
  for (const mount of mounts) {
    const device = of(mount)
    if (device === undefined || !device.removable || IGNORED_TYPES.has(device.type)) continue
    if (device.disks.some((disk) => ownDisks.has(disk))) continue
    const before = taken.get(device.name)
    // The same device twice is a bind mount. The mount of the whole filesystem is preferred.
    if (before === undefined || (before[0].root !== '/' && mount.root === '/')) taken.set(device.name, [mount, device])
  }
  return [...taken.values()]
}

/** Whether the folder is on this mount and on no deeper one. */
function holds(mount: Mount, folder: string, mounts: readonly Mount[]): boolean {
  const covers = (path: string): boolean => folder === path || folder.startsWith(path === '/' ? '/' : `${path}/`)
  return covers(mount.path) && !mounts.some(({ path }) => path.length > mount.path.length && covers(path))
}

async function volumeOf(mount: Mount, device: BlockDevice, sysfs: Sysfs): Promise<Volume> {
  const [usb, sequence] = await Promise.all([sysfs.usbOf(device.number), sysfs.sequenceOf(device.number)])
  const { total, free } = device
  const identity = [device.number, sequence, device.uuid, usb?.busPath, usb?.serial, mount.path]
  return {
    id: createHash('sha256').update(JSON.stringify(identity)).digest('hex').slice(0, 32),
    root: mount.path,
    location: mount.location,
    label: device.label,
    filesystem: device.filesystem ?? mount.filesystem,
    uuid: device.uuid,
    bytes: total === null || free === null ? null : { total, free },
    readOnly: mount.readOnly || device.readOnly,
    usb,
    removable: true,
    device: device.path,
  }
}
