import { readdir, readFile, realpath } from 'node:fs/promises'
import { basename, dirname, join, relative, sep } from 'node:path'
import type { UsbIdentity } from './volumes.ts'

/** Facts about devices from `/sys`. @param sysfs path of that tree */
export interface Sysfs {
  /** The USB device of a block device; null when it is not on USB. @param number such as `8:17` */
  usbOf(number: string): Promise<UsbIdentity | null>
  /** The kernel's sequence number of the disk, which is never reused; null before Linux 5.15. */
  sequenceOf(number: string): Promise<string | null>
}

/** Most layers between a filesystem and its disk; encryption on a partition on a disk has three. */
const DEEPEST = 4

export function openSysfs(sysfs: string): Sysfs {
  const inside = async (path: string): Promise<string | null> => {
    const [root, real] = await Promise.all([realpath(sysfs), realpath(path)]).catch(() => ['', ''])
    return real !== '' && !relative(root, real).startsWith('..') ? real : null
  }
  const folderOf = (number: string): Promise<string | null> =>
    /^\d+:\d+$/.test(number) ? inside(join(sysfs, 'dev/block', number)) : Promise.resolve(null)

  /** The devices below an encrypted or mapped device. */
  const below = async (folder: string): Promise<string[]> => {
    const names = await readdir(join(folder, 'slaves')).catch(() => [])
    const found = await Promise.all(names.map((name) => inside(join(folder, 'slaves', name))))
    return found.filter((path) => path !== null)
  }

  const usbAbove = async (folder: string, layers: number): Promise<UsbIdentity | null> => {
    for (let at = folder; relative(sysfs, at) !== '' && at !== sep && at !== dirname(at); at = dirname(at)) {
      const vendorId = await attribute(at, 'idVendor')
      const productId = await attribute(at, 'idProduct')
      if (vendorId !== null && productId !== null)
        return {
          vendorId: vendorId.toLowerCase(),
          productId: productId.toLowerCase(),
          serial: await attribute(at, 'serial'),
          busPath: basename(at),
        }
    }
    if (layers >= DEEPEST) return null
    for (const lower of await below(folder)) {
      const usb = await usbAbove(lower, layers + 1)
      if (usb !== null) return usb
    }
    return null
  }

  const sequence = async (folder: string, layers: number): Promise<string | null> => {
    // The folder of a partition is inside that of its disk.
    const diskSequence = (await attribute(folder, 'diskseq')) ?? (await attribute(dirname(folder), 'diskseq'))
    if (layers >= DEEPEST) return diskSequence
    for (const lower of await below(folder)) {
      const deeper = await sequence(lower, layers + 1)
      if (deeper !== null) return deeper
    }
    return diskSequence
  }

  return {
    usbOf: async (number) => {
      const folder = await folderOf(number)
      return folder === null ? null : usbAbove(folder, 0)
    },
    sequenceOf: async (number) => {
      const folder = await folderOf(number)
      return folder === null ? null : sequence(folder, 0)
    },
  }
}

/** Most characters of a device's own texts, which are untrusted. */
const LONGEST = 256

async function attribute(folder: string, name: string): Promise<string | null> {
  const text = await readFile(join(folder, name), 'utf8').catch(() => null)
  const clean = text
    ?.replaceAll(/\p{Cc}/gu, '')
    .trim()
    .slice(0, LONGEST)
  return clean === undefined || clean === '' ? null : clean
}
