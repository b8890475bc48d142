/**
 * Machines with readers and cameras plugged in: the tree under /sys, what `lsblk` writes and `/proc/self/mountinfo`, each drawn from what
 * such trees look like, built so that things can be plugged in and pulled. No hardware was asked.
 */
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { LinuxMachine } from '../../server/platform/volumes/linux.ts'

export interface Thing {
  readonly name: string
  /** Below `/sys/devices`, the folder of its disk: the last component is the kernel's name. */
  readonly disk: string
  /** The folder with `idVendor`, if there is one, and what is in it. */
  readonly usb?: { readonly at: string; readonly vendor: string; readonly product: string; readonly serial?: string }
  readonly lsblk: Record<string, unknown>
  readonly mounts: readonly string[]
  /** Of its block devices, disk first: `[kernel name, 8:16]`. */
  readonly numbers: readonly (readonly [string, string])[]
  /** What it lies on. */
  readonly slaves?: Readonly<Record<string, string>>
  /** What is to be listed: none for what is to be left alone. */
  readonly expect: readonly Record<string, unknown>[]
}

const HOST = 'pci0000:00/0000:00:14.0'
const disk = (kname: string, number: string, more: Record<string, unknown> = {}): Record<string, unknown> => ({
  kname,
  path: `/dev/${kname}`,
  'maj:min': number,
  type: 'disk',
  rm: true,
  hotplug: true,
  ro: false,
  tran: 'usb',
  fstype: null,
  label: null,
  uuid: null,
  size: 32_000_000_000,
  fssize: null,
  fsavail: null,
  ...more,
})
const part = (kname: string, number: string, more: Record<string, unknown> = {}): Record<string, unknown> =>
  disk(kname, number, {
    type: 'part',
    tran: null,
    fstype: 'vfat',
    fssize: 31_900_000_000,
    fsavail: 20_000_000_000,
    ...more,
  })
const mount = (number: string, at: string, type: string, source: string, options = 'rw,nosuid,nodev,noexec'): string =>
  `310 29 ${number} / ${at} ${options},relatime shared:161 - ${type} ${source} rw`

/** The machine's own disk, and what is never a camera. */
export const OWN: readonly Thing[] = [
  {
    name: 'the disk of the machine',
    disk: 'pci0000:00/0000:00:1d.0/0000:03:00.0/nvme/nvme0/nvme0n1',
    lsblk: disk('nvme0n1', '259:0', {
      rm: false,
      hotplug: false,
      tran: 'nvme',
      children: [part('nvme0n1p1', '259:1', { rm: false, hotplug: false, fstype: 'ext4' })],
    }),
    mounts: [mount('259:1', '/', 'ext4', '/dev/nvme0n1p1', 'rw')],
    numbers: [
      ['nvme0n1', '259:0'],
      ['nvme0n1p1', '259:1'],
    ],
    expect: [],
  },
  {
    name: 'a disc with a driver in a USB drive',
    disk: `${HOST}/usb1/1-9/1-9:1.0/host9/target9:0:0/9:0:0:0/block/sr0`,
    usb: { at: `${HOST}/usb1/1-9`, vendor: '0e8d', product: '1887' },
    lsblk: disk('sr0', '11:0', { type: 'rom', fstype: 'iso9660' }),
    mounts: [mount('11:0', '/media/officer/DRIVER', 'iso9660', '/dev/sr0', 'ro')],
    numbers: [['sr0', '11:0']],
    expect: [],
  },
  {
    name: 'a loop device, memory that swaps, a share of the network',
    disk: 'virtual/block/loop0',
    lsblk: disk('loop0', '7:0', { type: 'loop', rm: false, hotplug: false, tran: null, fstype: 'squashfs' }),
    mounts: [
      mount('7:0', '/snap/core/1', 'squashfs', '/dev/loop0', 'ro'),
      mount('0:52', '/mnt/share', 'cifs', '//nas/evidence'),
    ],
    numbers: [['loop0', '7:0']],
    expect: [],
  },
]

const usbDisk = (bus: string, device: string, host: number, kname: string): string =>
  `${HOST}/${bus}/${device}:1.0/host${host}/target${host}:0:0/${host}:0:0:0/block/${kname}`

/** Ten readers and cameras. */
export const THINGS: readonly Thing[] = [
  {
    name: 'a reader with one slot and an SD card of one partition',
    disk: usbDisk('usb1/1-4', '1-4', 4, 'sdb'),
    usb: { at: `${HOST}/usb1/1-4`, vendor: '05E3', product: '0751', serial: '000000001206\n' },
    lsblk: disk('sdb', '8:16', { children: [part('sdb1', '8:17', { label: 'CARD', uuid: '6331-3765' })] }),
    mounts: [mount('8:17', '/media/officer/CARD', 'vfat', '/dev/sdb1')],
    numbers: [
      ['sdb', '8:16'],
      ['sdb1', '8:17'],
    ],
    expect: [
      {
        root: '/media/officer/CARD',
        label: 'CARD',
        filesystem: 'vfat',
        uuid: '6331-3765',
        device: '/dev/sdb1',
        readOnly: false,
        removable: true,
        bytes: { total: 31_900_000_000, free: 20_000_000_000 },
        usb: { vendorId: '05e3', productId: '0751', serial: '000000001206', busPath: '1-4' },
      },
    ],
  },
  {
    name: 'a reader with four slots of which one holds a card',
    disk: `${HOST}/usb1/1-5/1-5:1.0/host5/target5:0:0/5:0:0:2/block/sde`,
    usb: { at: `${HOST}/usb1/1-5`, vendor: '0bda', product: '0184' },
    lsblk: disk('sde', '8:64', { children: [part('sde1', '8:65', { fstype: 'exfat', label: null })] }),
    mounts: [mount('8:65', '/media/officer/6432-3861', 'exfat', '/dev/sde1')],
    numbers: [
      ['sde', '8:64'],
      ['sde1', '8:65'],
    ],
    expect: [
      { label: null, filesystem: 'exfat', usb: { vendorId: '0bda', productId: '0184', serial: null, busPath: '1-5' } },
    ],
  },
  {
    name: 'a body camera whose memory has no partitions',
    disk: usbDisk('usb1/1-6', '1-6', 6, 'sdf'),
    usb: { at: `${HOST}/usb1/1-6`, vendor: '4255', product: '1000', serial: 'BWC00017' },
    lsblk: disk('sdf', '8:80', {
      fstype: 'vfat',
      label: 'BODYCAM',
      uuid: '1111-2222',
      fssize: 64_000_000_000,
      fsavail: 1,
    }),
    mounts: [mount('8:80', '/media/officer/BODYCAM', 'vfat', '/dev/sdf')],
    numbers: [['sdf', '8:80']],
    expect: [
      {
        label: 'BODYCAM',
        device: '/dev/sdf',
        usb: { vendorId: '4255', productId: '1000', serial: 'BWC00017', busPath: '1-6' },
      },
    ],
  },
  {
    name: 'a camera with a small volume of its own program, which nobody may write, beside its recordings',
    disk: usbDisk('usb1/1-7', '1-7', 7, 'sdg'),
    usb: { at: `${HOST}/usb1/1-7`, vendor: '2aad', product: '6353', serial: 'A7' },
    lsblk: disk('sdg', '8:96', {
      ro: true,
      children: [part('sdg1', '8:97', { label: 'PLAYER' }), part('sdg2', '8:98', { label: 'RECORDINGS' })],
    }),
    mounts: [
      mount('8:97', '/media/officer/PLAYER', 'vfat', '/dev/sdg1', 'ro'),
      mount('8:98', '/media/officer/RECORDINGS', 'vfat', '/dev/sdg2', 'ro'),
    ],
    numbers: [
      ['sdg', '8:96'],
      ['sdg1', '8:97'],
      ['sdg2', '8:98'],
    ],
    expect: [
      { label: 'PLAYER', readOnly: true },
      { label: 'RECORDINGS', readOnly: true },
    ],
  },
  {
    name: 'a camera behind two hubs, with a blank in its label',
    disk: usbDisk('usb2/2-1/2-1.4/2-1.4.3', '2-1.4.3', 8, 'sdh'),
    usb: { at: `${HOST}/usb2/2-1/2-1.4/2-1.4.3`, vendor: '0483', product: '5720', serial: 'X' },
    // An older lsblk: everything is text, and there is no mountpoints.
    lsblk: disk('sdh', '8:112', {
      rm: '1',
      hotplug: '1',
      ro: '0',
      size: '16000000000',
      children: [
        part('sdh1', '8:113', {
          rm: '1',
          hotplug: '1',
          ro: '0',
          size: '15000',
          fssize: '15000',
          fsavail: '7',
          label: 'MY CAM',
        }),
      ],
    }),
    mounts: [mount('8:113', '/media/officer/MY\\040CAM', 'vfat', '/dev/sdh1')],
    numbers: [
      ['sdh', '8:112'],
      ['sdh1', '8:113'],
    ],
    expect: [
      {
        root: '/media/officer/MY CAM',
        bytes: { total: 15_000, free: 7 },
        usb: { vendorId: '0483', productId: '5720', serial: 'X', busPath: '2-1.4.3' },
      },
    ],
  },
  {
    name: 'a card whose filesystem a program serves (FUSE)',
    disk: usbDisk('usb1/1-8', '1-8', 10, 'sdi'),
    usb: { at: `${HOST}/usb1/1-8`, vendor: '0781', product: '5567', serial: '4C53' },
    lsblk: disk('sdi', '8:128', { children: [part('sdi1', '8:129', { fstype: 'ntfs', label: 'NTFS' })] }),
    mounts: ['311 29 0:61 / /media/officer/NTFS rw,nosuid,nodev - fuseblk /dev/sdi1 rw,user_id=0'],
    numbers: [
      ['sdi', '8:128'],
      ['sdi1', '8:129'],
    ],
    expect: [
      {
        label: 'NTFS',
        filesystem: 'ntfs',
        usb: { vendorId: '0781', productId: '5567', serial: '4C53', busPath: '1-8' },
      },
    ],
  },
  {
    name: 'a card in a slot of the machine, which is no USB',
    disk: 'pci0000:00/0000:00:1a.0/mmc_host/mmc0/mmc0:aaaa/block/mmcblk0',
    lsblk: disk('mmcblk0', '179:0', {
      rm: false,
      tran: null,
      children: [part('mmcblk0p1', '179:1', { rm: false, fstype: 'exfat' })],
    }),
    mounts: [mount('179:1', '/media/officer/SLOT', 'exfat', '/dev/mmcblk0p1')],
    numbers: [
      ['mmcblk0', '179:0'],
      ['mmcblk0p1', '179:1'],
    ],
    expect: [{ root: '/media/officer/SLOT', usb: null }],
  },
  {
    name: 'a fast disk in a USB case, which says that it is not removable, mounted twice',
    disk: usbDisk('usb2/2-2', '2-2', 11, 'sdj'),
    usb: { at: `${HOST}/usb2/2-2`, vendor: '152d', product: '0583', serial: 'DD5' },
    lsblk: disk('sdj', '8:144', {
      rm: false,
      hotplug: true,
      children: [part('sdj1', '8:145', { rm: false, fstype: 'ext4' })],
    }),
    mounts: [
      '312 29 8:145 /DCIM /srv/shown rw - ext4 /dev/sdj1 rw',
      mount('8:145', '/media/officer/CASE', 'ext4', '/dev/sdj1'),
    ],
    numbers: [
      ['sdj', '8:144'],
      ['sdj1', '8:145'],
    ],
    expect: [{ root: '/media/officer/CASE', filesystem: 'ext4' }],
  },
  {
    name: 'an encrypted stick that was opened',
    disk: usbDisk('usb1/1-10', '1-10', 12, 'sdk'),
    usb: { at: `${HOST}/usb1/1-10`, vendor: '0951', product: '1666', serial: 'E0' },
    lsblk: disk('sdk', '8:160', {
      children: [
        part('sdk1', '8:161', {
          fstype: 'crypto_LUKS',
          fssize: null,
          fsavail: null,
          children: [
            part('dm-0', '254:0', {
              type: 'crypt',
              rm: false,
              hotplug: false,
              path: '/dev/mapper/luks-1',
              fstype: 'ext4',
              label: 'SECRET',
            }),
          ],
        }),
      ],
    }),
    mounts: [mount('254:0', '/media/officer/SECRET', 'ext4', '/dev/mapper/luks-1')],
    numbers: [
      ['sdk', '8:160'],
      ['sdk1', '8:161'],
    ],
    slaves: { 'dm-0': '254:0' },
    expect: [
      {
        label: 'SECRET',
        device: '/dev/mapper/luks-1',
        usb: { vendorId: '0951', productId: '1666', serial: 'E0', busPath: '1-10' },
      },
    ],
  },
  {
    name: 'a stick that holds the station',
    disk: usbDisk('usb1/1-11', '1-11', 13, 'sdl'),
    usb: { at: `${HOST}/usb1/1-11`, vendor: '0951', product: '1666', serial: 'E1' },
    lsblk: disk('sdl', '8:176', {
      children: [part('sdl1', '8:177', { label: 'STATION' }), part('sdl2', '8:178', { label: 'MORE' })],
    }),
    mounts: [
      mount('8:177', '/media/officer/STATION', 'ext4', '/dev/sdl1'),
      mount('8:178', '/media/officer/MORE', 'ext4', '/dev/sdl2'),
    ],
    numbers: [
      ['sdl', '8:176'],
      ['sdl1', '8:177'],
      ['sdl2', '8:178'],
    ],
    expect: [],
  },
]

export const STATION_FOLDER = '/media/officer/STATION/data'

/** A machine whose tree lies in `folder`. */
export function buildMachine(folder: string) {
  const plugged = new Map<string, { thing: Thing; sequence: number }>()
  let sequence = 10
  let failing = false
  const devices = path.join(folder, 'devices')
  mkdirSync(path.join(folder, 'dev/block'), { recursive: true })
  const linkTo = (number: string, target: string): void => {
    const link = path.join(folder, 'dev/block', number)
    rmSync(link, { force: true })
    symlinkSync(path.relative(path.dirname(link), target), link)
  }
  const machine: LinuxMachine = {
    mountinfo: async () =>
      Buffer.from(`${[...plugged.values()].flatMap(({ thing }) => thing.mounts).join('\n')}\n`, 'latin1'),
    lsblk: async () => {
      if (failing) throw new Error('lsblk was killed')
      return JSON.stringify({ blockdevices: [...plugged.values()].map(({ thing }) => thing.lsblk) })
    },
    sysfs: folder,
  }
  return {
    machine,
    plug: (thing: Thing): void => {
      sequence++
      const at = path.join(devices, thing.disk)
      mkdirSync(at, { recursive: true })
      writeFileSync(path.join(at, 'diskseq'), `${sequence}\n`)
      for (const [name, number] of thing.numbers) {
        const own = name === path.basename(at) ? at : path.join(at, name)
        mkdirSync(own, { recursive: true })
        linkTo(number, own)
      }
      for (const [name, number] of Object.entries(thing.slaves ?? {})) {
        const own = path.join(devices, 'virtual/block', name)
        const below = path.join(at, thing.numbers.at(-1)?.[0] ?? '')
        mkdirSync(path.join(own, 'slaves'), { recursive: true })
        rmSync(path.join(own, 'slaves/below'), { force: true })
        symlinkSync(path.relative(path.join(own, 'slaves'), below), path.join(own, 'slaves/below'))
        linkTo(number, own)
      }
      if (thing.usb !== undefined) {
        const usb = path.join(devices, thing.usb.at)
        mkdirSync(usb, { recursive: true })
        writeFileSync(path.join(usb, 'idVendor'), `${thing.usb.vendor}\n`)
        writeFileSync(path.join(usb, 'idProduct'), `${thing.usb.product}\n`)
        if (thing.usb.serial !== undefined) writeFileSync(path.join(usb, 'serial'), thing.usb.serial)
      }
      plugged.set(thing.name, { thing, sequence })
    },
    pull: (thing: Thing): void => {
      plugged.delete(thing.name)
    },
    fail: (now: boolean): void => {
      failing = now
    },
  }
}
