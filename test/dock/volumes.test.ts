import { mkdir, rename, rm, symlink, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { folderVolumes } from '../../server/platform/volumes/folders.ts'
import { linuxVolumes, thisLinux } from '../../server/platform/volumes/linux.ts'
import { parseLsblk } from '../../server/platform/volumes/lsblk.ts'
import { macosVolumes, parseMacos } from '../../server/platform/volumes/macos.ts'
import { parseMountinfo } from '../../server/platform/volumes/mountinfo.ts'
import { parseWindows, windowsVolumes } from '../../server/platform/volumes/windows.ts'
import { temporaryFolder } from '../support/station.ts'
import { buildMachine, OWN, STATION_FOLDER, THINGS, type Thing } from './machines.ts'
import { macos, windows } from './other-machines.ts'
import { volumesConformance } from './volumes-conformance.ts'

const place = async (): Promise<string> => {
  const { dir, dispose } = await temporaryFolder('volumes')
  onTestFinished(dispose)
  return dir
}

volumesConformance('Linux, by recorded trees', async () => {
  const built = buildMachine(await place())
  for (const thing of OWN) built.plug(thing)
  const cards = { one: THINGS[0] as Thing, two: THINGS[2] as Thing }
  return {
    volumes: linuxVolumes(built.machine, { keepOut: [STATION_FOLDER] }),
    plug: async (card) => built.plug(cards[card]),
    pull: async (card) => built.pull(cards[card]),
    fail: async (now) => built.fail(now),
    dispose: async () => {},
  }
})

volumesConformance('folders (--dock-root)', async () => {
  const root = await place()
  // The folder itself can go away: a share that is not there, a disk that was not mounted.
  let now = path.join(root, 'dock')
  await mkdir(now)
  await writeFile(path.join(now, 'a file'), '')
  await symlink('/', path.join(now, 'a link'))
  await mkdir(path.join(now, '.being-filled'))
  return {
    volumes: folderVolumes(path.join(root, 'dock')),
    plug: async (card) => {
      await mkdir(path.join(now, `.${card}`))
      await rename(path.join(now, `.${card}`), path.join(now, card))
    },
    pull: (card) => rm(path.join(now, card), { recursive: true }),
    fail: async (gone) => {
      const next = path.join(root, gone ? 'away' : 'dock')
      await rename(now, next)
      now = next
    },
    dispose: async () => {},
  }
})

for (const [name, machine, volumesOf] of [
  ['Windows, by written answers', windows(), windowsVolumes],
  ['macOS, by written answers', macos(), macosVolumes],
] as const)
  volumesConformance(name, async () => {
    const there = new Set<'one' | 'two'>()
    let failing = false
    const ask = async (): Promise<string> => {
      if (failing) throw new Error('no answer')
      return machine.answer(there)
    }
    return {
      volumes: volumesOf(ask),
      plug: async (card) => void there.add(card),
      pull: async (card) => void there.delete(card),
      fail: async (now) => {
        failing = now
      },
      dispose: async () => {},
    }
  })

describe('Linux', () => {
  it.each(THINGS.map((thing) => [thing.name, thing] as const))('%s', async (_, thing) => {
    const built = buildMachine(await place())
    for (const own of OWN) built.plug(own)
    built.plug(thing)
    const found = await linuxVolumes(built.machine, { keepOut: [STATION_FOLDER] }).list()
    expect(found).toMatchObject(thing.expect)
    expect(found).toHaveLength(thing.expect.length)
  })

  it('all ten at once; none is taken for another', async () => {
    const built = buildMachine(await place())
    for (const thing of [...OWN, ...THINGS]) built.plug(thing)
    const found = await linuxVolumes(built.machine, { keepOut: [STATION_FOLDER] }).list()
    const expected = THINGS.flatMap((thing) => thing.expect)
    expect(found).toHaveLength(expected.length)
    expect(new Set(found.map(({ id }) => id)).size).toBe(expected.length)
    // The stick that holds the station is a camera like any other once the station is elsewhere.
    expect(await linuxVolumes(built.machine).list()).toHaveLength(expected.length + 2)
  })

  it('the same card at the same place, plugged in again, is another volume', async () => {
    const built = buildMachine(await place())
    const card = THINGS[0] as Thing
    built.plug(card)
    const [first] = await linuxVolumes(built.machine).list()
    built.pull(card)
    built.plug(card)
    const [second] = await linuxVolumes(built.machine).list()
    expect(second?.id).not.toBe(first?.id)
    expect(second?.usb).toEqual(first?.usb)
  })

  it('a machine that was started from a stick does not offer that stick', async () => {
    const built = buildMachine(await place())
    const stick = THINGS[0] as Thing
    built.plug({ ...stick, mounts: ['20 1 8:17 / / rw - ext4 /dev/sdb1 rw'] })
    expect(await linuxVolumes(built.machine).list()).toEqual([])
  })

  it('mountinfo: optional fields, escapes, bytes that are no UTF-8, lines that are none', () => {
    const text =
      '36 35 98:0 /mnt1 /mnt2 rw,noatime master:1 shared:7 - ext3 /dev/root rw,errors=continue\n' +
      '37 35 8:1 / /media/a\\040b\\134c\\011 rw - vfat /dev/sda1 ro\n38 35 8:2 / /media/\xff rw - vfat /dev/sda2 rw\n\nnot a line - x\n'
    const [bind, escaped, bytes, ...none] = parseMountinfo(Buffer.from(text, 'latin1'))
    expect(bind).toMatchObject({ number: '98:0', root: '/mnt1', path: '/mnt2', filesystem: 'ext3', readOnly: false })
    expect(escaped).toMatchObject({ path: '/media/a b\\c\t', readOnly: true })
    expect(bytes).toMatchObject({ path: '/media/\\xff', location: Buffer.from('/media/\xff', 'latin1') })
    expect(none).toEqual([])
  })

  it('output that is not from lsblk is refused, and this machine answers', async () => {
    expect(() => parseLsblk('{}')).toThrow()
    expect(() => parseLsblk('lsblk: unknown column')).toThrow()
    if (process.platform !== 'linux') return
    const machine = thisLinux()
    expect(Array.isArray(parseLsblk(await machine.lsblk()))).toBe(true)
    expect(parseMountinfo(await machine.mountinfo()).some(({ path: at }) => at === '/')).toBe(true)
    // Nothing of this machine itself is offered.
    for (const volume of await linuxVolumes(machine).list()) expect(volume.root).not.toBe('/')
  })
})

describe('the others', () => {
  it('Windows: matches disks with USB devices, and leaves other disks alone', () => {
    const found = parseWindows(windows().answer(new Set(['one', 'two'])))
    expect(found).toMatchObject([
      {
        root: 'E:\\',
        label: 'BODYCAM',
        readOnly: false,
        usb: { vendorId: '4255', productId: '1000', serial: 'BWC00017', busPath: expect.stringContaining('USB(4)') },
      },
      {
        root: 'F:\\',
        label: null,
        filesystem: 'exFAT',
        readOnly: true,
        usb: { vendorId: '05e3', productId: '0751', serial: null },
      },
    ])
    expect(parseWindows(windows().answer(new Set(['one', 'two'])), ['E:\\Sallyport'])).toHaveLength(1)
    expect(() => parseWindows('{}')).toThrow()
  })

  it('macOS: volumes below hubs, whole cards, and disks that are left alone', () => {
    const found = parseMacos(macos().answer(new Set(['one', 'two'])))
    expect(found).toMatchObject([
      {
        root: '/Volumes/BODYCAM',
        label: 'BODYCAM',
        device: 'disk4s1',
        usb: { vendorId: '4255', productId: '1000', serial: 'BWC00017', busPath: '14230000' },
      },
      {
        root: '/Volumes/CARD',
        device: 'disk5',
        readOnly: true,
        usb: { vendorId: '05e3', productId: '0751', serial: null },
      },
    ])
    expect(parseMacos(macos().answer(new Set(['one', 'two'])), ['/Volumes/CARD/station'])).toHaveLength(1)
    expect(() => parseMacos('[]')).toThrow()
  })
})
