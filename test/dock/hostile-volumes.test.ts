// @module-tag merge
import { execFileSync } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { appendFileSync, mkdirSync, readFileSync, renameSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import path from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { FoundFile, Skipped, WalkEntry } from '../../server/platform/files/walk.ts'
import { createVolumeReading, VolumeFault, type VolumeReading } from '../../server/platform/volumes/volume-reader.ts'
import { IMAGE_KINDS, imagesMissing, type ImageKind, makeImage, type Plugged, plugIn } from '../simulators/image.ts'
import type { Volume } from '../../server/platform/volumes/volumes.ts'
import { isLong, scale } from '../support/scale.ts'
import { temporaryFolder } from '../support/station.ts'
import { volume } from './cards.ts'

/** Twelve ways to do harm, once each in the gate, five times in the long run. */
const ROUNDS = scale(1, 5)
const missing = Object.fromEntries(
  await Promise.all(IMAGE_KINDS.map(async (kind) => [kind, await imagesMissing(kind)] as const)),
) as Record<ImageKind, string | null>
const MIB = 2 ** 20

interface Bench {
  readonly folder: string
  readonly volume: Volume
  readonly plugged: Plugged
  readonly image: string
}

/** @param fill writes what is on the card before it is plugged in */
async function bench(kind: ImageKind, fill: (at: string) => void = () => {}, spare = 32 * MIB): Promise<Bench> {
  const { dir, dispose } = await temporaryFolder('hostile')
  const filled = path.join(dir, 'filled')
  const image = path.join(dir, `card.${kind}`)
  await mkdir(filled)
  fill(filled)
  await makeImage(filled, image, kind, spare)
  await rm(filled, { recursive: true })
  const at = path.join(dir, 'mount')
  const plugged = await plugIn(image, kind, at)
  onTestFinished(async () => {
    await plugged.release().catch(() => {})
    await dispose()
  })
  return { folder: dir, volume: volume({ root: at, location: Buffer.from(at) }), plugged, image }
}

async function listed(
  reading: VolumeReading,
  of: Volume,
): Promise<{ files: FoundFile[]; skipped: Skipped[]; seconds: number }> {
  const start = performance.now()
  const entries: WalkEntry[] = []
  for await (const entry of reading.list(of)) if (entry.kind !== 'folder') entries.push(entry)
  return {
    files: entries.filter((entry) => entry.kind === 'file'),
    skipped: entries.filter((entry) => entry.kind === 'skipped'),
    seconds: (performance.now() - start) / 1000,
  }
}

const below = (of: Volume, entries: readonly { path: string }[]): string[] =>
  entries.map(({ path: at }) => path.relative(of.root, at))
const bytes = (...values: (string | number)[]): Buffer =>
  Buffer.concat(values.map((value) => (typeof value === 'number' ? Buffer.from([value]) : Buffer.from(value))))

/** What the fault is, for a read that must not succeed. */
const faultOf = async (work: Promise<unknown>): Promise<string> => {
  try {
    await work
    return 'none'
  } catch (error) {
    if (error instanceof VolumeFault) return error.code
    throw error
  }
}

describe.skipIf(missing.ext4 !== null)(
  `S12 hostile volumes, ext4${missing.ext4 === null ? '' : ` (skipped: ${missing.ext4})`}`,
  () => {
    const reading = createVolumeReading()

    it.each(Array.from({ length: ROUNDS }, (_, at) => at))(
      'S12 links, pipes, sockets, devices: told and left, round %i',
      async () => {
        const { volume: of, folder } = await bench('ext4')
        writeFileSync(path.join(folder, 'secret'), 'secret')
        for (const [name, to] of [
          ['root', '/'],
          ['up', '..'],
          ['passwd', '/etc/passwd'],
          ['secret', '../secret'],
          ['loop', 'loop'],
        ] as const)
          symlinkSync(to, path.join(of.root, name))
        execFileSync('mkfifo', [path.join(of.root, 'pipe')])
        execFileSync('mknod', [path.join(of.root, 'disk'), 'b', '7', '0'])
        execFileSync('mknod', [path.join(of.root, 'zero'), 'c', '1', '5'])
        execFileSync('python3', [
          '-c',
          'import socket,sys; socket.socket(socket.AF_UNIX).bind(sys.argv[1])',
          path.join(of.root, 'socket'),
        ])
        writeFileSync(path.join(of.root, 'film.mp4'), 'film')
        const { files, skipped } = await listed(reading, of)
        expect(below(of, files)).toEqual(['film.mp4'])
        expect(below(of, skipped).sort()).toEqual(
          ['disk', 'lost+found', 'loop', 'passwd', 'pipe', 'root', 'secret', 'socket', 'up', 'zero'].filter(
            (name) => name !== 'lost+found',
          ),
        )
        expect(new Set(skipped.map(({ outcome }) => outcome))).toEqual(new Set(['foreign']))
      },
    )

    it('S12 a folder that becomes a link after it was listed is not followed, and nothing is taken away behind it', async () => {
      const { volume: of, folder } = await bench('ext4')
      mkdirSync(path.join(of.root, 'DCIM'))
      writeFileSync(path.join(of.root, 'DCIM/a.mp4'), 'inside')
      mkdirSync(path.join(folder, 'outside'))
      writeFileSync(path.join(folder, 'outside/a.mp4'), 'secret')
      const { files } = await listed(reading, of)
      renameSync(path.join(of.root, 'DCIM'), path.join(of.root, 'moved'))
      symlinkSync(path.join(folder, 'outside'), path.join(of.root, 'DCIM'))
      const file = files[0] as FoundFile
      expect(await faultOf(reading.readSmall(of, file, MIB))).toBe('Changed')
      expect(await faultOf(reading.remove(of, file))).toBe('Changed')
      expect(readFileSync(path.join(folder, 'outside/a.mp4'), 'utf8')).toBe('secret')
    })

    it('S12 a folder held open stays the folder it was: what is read comes from there', async () => {
      const { volume: of, folder } = await bench('ext4')
      mkdirSync(path.join(of.root, 'DCIM'))
      writeFileSync(path.join(of.root, 'DCIM/a.mp4'), 'inside')
      mkdirSync(path.join(folder, 'outside'))
      writeFileSync(path.join(folder, 'outside/a.mp4'), 'secret')
      const file = (await listed(reading, of)).files[0] as FoundFile
      const open = await reading.open(of, file)
      renameSync(path.join(of.root, 'DCIM'), path.join(of.root, 'moved'))
      symlinkSync(path.join(folder, 'outside'), path.join(of.root, 'DCIM'))
      expect(readFileSync(open.path, 'utf8')).toBe('inside')
      await open.close()
    })

    it('S12 another volume mounted in a folder is not entered', async () => {
      const { volume: of } = await bench('ext4')
      mkdirSync(path.join(of.root, 'sub'))
      execFileSync('mount', ['-t', 'tmpfs', 'none', path.join(of.root, 'sub')])
      onTestFinished(() => void execFileSync('umount', [path.join(of.root, 'sub')]))
      writeFileSync(path.join(of.root, 'sub/a.mp4'), 'x')
      const { files, skipped } = await listed(reading, of)
      expect(files).toEqual([])
      expect(skipped).toMatchObject([{ outcome: 'foreign', reason: 'It lies on another volume.' }])
    })

    it('S12 names: not UTF-8, line ends, twins, a slash written into the filesystem', async () => {
      const { volume: of, plugged, image, folder } = await bench('ext4')
      const names = [
        bytes(0xff, 0xfe, '.mp4'),
        bytes('a', 0xc3),
        bytes('line\nend'),
        bytes('...'),
        bytes('.. '),
        bytes('A'),
        bytes('a'),
        bytes('é'.normalize('NFC')),
        bytes('é'.normalize('NFD')),
      ]
      for (const name of names) writeFileSync(Buffer.concat([Buffer.from(`${of.root}/`), name]), 'x')
      const { files } = await listed(reading, of)
      expect(files.map(({ location }) => location.subarray(of.location.length + 1).toString('hex')).sort()).toEqual(
        names.map((name) => name.toString('hex')).sort(),
      )
      for (const file of files) expect((await reading.readSmall(of, file, MIB)).toString()).toBe('x')
      expect(files.filter(({ twin }) => twin)).toHaveLength(4)
      // The name is changed below the filesystem: `..Xetc` becomes `../etc`.
      mkdirSync(path.join(of.root, 'bad'))
      writeFileSync(path.join(of.root, 'bad/..Xetc'), 'x')
      await plugged.release()
      const raw = readFileSync(image)
      for (let at = raw.indexOf('..Xetc'); at !== -1; at = raw.indexOf('..Xetc', at + 1)) raw[at + 2] = 0x2f
      writeFileSync(image, raw)
      const again = await plugIn(image, 'ext4', path.join(folder, 'mount'))
      onTestFinished(() => again.release().catch(() => {}))
      const after = await listed(reading, of)
      expect(below(of, after.files)).not.toContain('bad/../etc')
      expect(after.skipped).toMatchObject([{ path: expect.stringMatching(/bad/) }])
    })

    it('S12 100,000 entries and 300 nested folders: all reported, in time', { timeout: 180_000 }, async () => {
      const { volume: of } = await bench('ext4', () => {}, 2048 * MIB)
      for (let at = 0; at < 100_000; at++) writeFileSync(path.join(of.root, `f${at}`), '')
      let deep = of.root
      for (let at = 0; at < 300; at++) deep = path.join(deep, 'd')
      mkdirSync(deep, { recursive: true })
      writeFileSync(path.join(deep, 'film.mp4'), 'x')
      const { files, skipped, seconds } = await listed(reading, of)
      expect(files).toHaveLength(100_000)
      expect(skipped).toMatchObject([{ outcome: 'too-deep' }])
      expect(seconds).toBeLessThan(30)
      console.info(`S12: 100,000 entries listed in ${seconds.toFixed(1)} s`)
    })

    it('S12 a sparse file of 2 TB is reported by the bytes that it holds', async () => {
      const { volume: of } = await bench('ext4')
      writeFileSync(path.join(of.root, 'film.mp4'), 'x')
      truncateSync(path.join(of.root, 'film.mp4'), 2 * 2 ** 40)
      const { files } = await listed(reading, of)
      expect(files).toMatchObject([{ length: 2 * 2 ** 40 }])
      expect(files[0]?.allocated).toBeLessThan(MIB)
      expect(await faultOf(reading.readSmall(of, files[0] as FoundFile, MIB))).toBe('TooLong')
    })

    it('S12 a file that grows is never taken for whole, nor taken away', async () => {
      const { volume: of } = await bench('ext4')
      const at = path.join(of.root, 'film.mp4')
      writeFileSync(at, Buffer.alloc(1000))
      const file = (await listed(reading, of)).files[0] as FoundFile
      const open = await reading.open(of, file)
      expect(await open.unchanged()).toBe(true)
      appendFileSync(at, 'more')
      expect(await open.unchanged()).toBe(false)
      await open.close()
      expect(await faultOf(reading.readSmall(of, file, MIB))).toBe('Changed')
      expect(await faultOf(reading.remove(of, file))).toBe('Changed')
      const now = (await listed(reading, of)).files[0] as FoundFile
      await reading.remove(of, now)
      expect((await listed(reading, of)).files).toEqual([])
    })

    it('S12 bad sectors: readable files are read, and the others are reported', async () => {
      const { volume: of, image } = await bench(
        'ext4',
        (at) => {
          for (let n = 0; n < 8; n++) writeFileSync(path.join(at, `f${n}`), Buffer.alloc(2 * MIB, n + 1))
        },
        4 * MIB,
      )
      const { files } = await listed(reading, of)
      const size = readFileSync(image).length
      truncateSync(image, Math.floor(size / 2))
      const outcomes = await Promise.all(files.map((file) => faultOf(reading.readSmall(of, file, 4 * MIB))))
      expect(outcomes.filter((outcome) => outcome === 'none').length).toBeGreaterThan(0)
      expect(new Set(outcomes)).toEqual(new Set(['none', 'Unreadable']))
    })
  },
)

describe.each(IMAGE_KINDS)('S12 a card of %s', (kind) => {
  const reading = createVolumeReading()
  it.skipIf(missing[kind] !== null)(
    `S12 pulled at each 5 %: every read ends with an answer`,
    { timeout: 180_000 },
    async () => {
      // A twentieth of it is more than a system reads ahead.
      const whole = 16 * MIB
      const outcomes: Record<string, number> = {}
      let cut = 0
      let pulls = 0
      // In the gate the four kinds share the nineteen places between them.
      const first = isLong ? 5 : 5 * (1 + IMAGE_KINDS.indexOf(kind))
      for (let percent = first; percent < 100; percent += scale(5 * IMAGE_KINDS.length, 5)) {
        pulls++
        const { volume: of, plugged } = await bench(
          kind,
          (at) => writeFileSync(path.join(at, 'FILM.MP4'), Buffer.alloc(whole, 1)),
          4 * MIB,
        )
        const file = (await listed(reading, of)).files.find(({ name }) => name === 'FILM.MP4') as FoundFile
        const open = await reading.open(of, file)
        const into = Buffer.alloc(64 * 1024 + randomInt(4096))
        let at = 0
        let pulled = false
        let outcome = 'none'
        while (at < whole && outcome === 'none') {
          if (!pulled && at >= (whole * percent) / 100) {
            await plugged.pull()
            pulled = true
          }
          const count = { value: 0 }
          outcome = await faultOf(open.read(into, at).then((value) => void (count.value = value)))
          at += count.value
          if (count.value === 0) break
        }
        await open.close()
        // What the system had read ahead may still come; the end of the file never does.
        if (outcome !== 'none') cut++
        outcomes[outcome] = (outcomes[outcome] ?? 0) + 1
        expect(await faultOf(reading.readSmall(of, file, 2 * whole))).not.toBe('none')
      }
      expect(cut).toBe(pulls)
      console.info(`S12 ${kind}: ${pulls} pulls, ${JSON.stringify(outcomes)}`)
    },
  )
})

describe.skipIf(missing.fat !== null)(
  `S12 a card that does not answer${missing.fat === null ? '' : ` (skipped: ${missing.fat})`}`,
  () => {
    it('S12 is given up after its time, and delays no other', { timeout: 120_000 }, async ({ skip }) => {
      const patient = createVolumeReading({ stallMs: 2_000, listings: 1 })
      const { volume: of, plugged } = await bench('fat', (at) => {
        for (let n = 0; n < 20; n++) writeFileSync(path.join(at, `F${n}.MP4`), Buffer.alloc(MIB, n))
      })
      const other = await bench('fat', (at) => writeFileSync(path.join(at, 'A.MP4'), 'x'))
      if (plugged.slow === null) return skip('the kernel serves FAT itself')
      const file = (await listed(patient, of)).files[3] as FoundFile
      const stop = new AbortController()
      // Whatever happens: a card that stands still for ever would hold up whoever takes it out.
      onTestFinished(() => stop.abort())
      // No byte a second: it stands still from the first one on.
      const slowed = plugged.slow(0.001, stop.signal)
      // What the system remembers of names is a second old at most; of bytes it knows none yet.
      await new Promise((resolve) => setTimeout(resolve, 1500))
      const [stalled, healthy, read] = await Promise.all([
        listed(patient, of),
        listed(patient, other.volume),
        faultOf(patient.readSmall(of, file, 4 * MIB)),
      ])
      stop.abort()
      await slowed
      expect(stalled.seconds).toBeLessThan(8)
      expect(stalled.skipped).toMatchObject([
        { outcome: 'unreadable', reason: expect.stringContaining('did not answer') },
      ])
      expect(below(other.volume, healthy.files)).toEqual(['A.MP4'])
      expect(read).toBe('Stalled')
    })
  },
)
