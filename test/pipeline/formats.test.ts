// @module-tag merge
import { mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createDeriver } from '../../server/features/media/derive/derive.ts'
import type { DerivationKind } from '../../shared/media/derivations.ts'
import type { Derived, Deriver, Source } from '../../server/features/media/derive/types.ts'
import { openBlobStore } from '../../server/storage/folder/store.ts'
import { createMediaTools } from '../../server/platform/ffmpeg/media-tools.ts'
import { diskStaging, sha256Of, type StagedFile } from './disk-store.ts'
import { OTHERS, PICTURES, RECORDINGS, type Sample } from './media.ts'
import { command, pictureTimes, temporaryFolder, type Witness, witness } from './tools.ts'
import { sampled } from '../support/scale.ts'

const SAMPLES = [...RECORDINGS, ...PICTURES, ...OTHERS]
const rows: string[][] = []
let media = ''
let root = ''
let remove: () => Promise<void>
let deriver: Deriver<StagedFile>

const source = async (file: string): Promise<Source> => {
  const path = join(media, file)
  return { path, sha256: await sha256Of(path), name: file }
}

const deriverWith = (tools = createMediaTools()): Deriver<StagedFile> =>
  createDeriver({ tools, store: diskStaging(root), vendor: 'sallyport' })

beforeAll(async () => {
  const folder = await temporaryFolder('formats')
  remove = folder.remove
  media = join(folder.dir, 'media')
  root = join(folder.dir, 'staging')
  await mkdir(media)
  await mkdir(root)
  const queue = [...SAMPLES]
  const worker = async () => {
    for (let next = queue.shift(); next; next = queue.shift()) await next.make(media)
  }
  await Promise.all([worker(), worker()])
  deriver = deriverWith()
}, 240_000)

afterAll(async () => {
  const table = markdown([['File', 'What', 'Sniffed as', 'Playable', 'Came out', 'Also'], ...Object.values(rows)])
  await writeFile(join(root, 'formats.md'), table)
  if (process.env['SALLYPORT_PRINT_TABLES'] === '1') process.stdout.write(`\n${table}\n`)
  await remove()
})

const markdown = ([head = [], ...body]: string[][]): string =>
  [head, head.map(() => '---'), ...body].map((cells) => `| ${cells.join(' | ')} |`).join('\n')

const methodOf = ({ staged, derivation }: Derived<StagedFile>): string =>
  staged === null ? 'identity' : derivation.Arguments.includes('libx264') ? 'transcode' : 'copy'

const say = (w: Witness): string =>
  `${w.codec} ${w.pixelFormat} ${w.width}×${w.height}${w.rotation ? ` turned ${w.rotation}°` : ''}, ${w.frames} pictures, ${w.seconds.toFixed(2)} s, ${w.audio ?? 'no sound'}`

/** Top-level boxes in their order, read independently of the code under test. */
async function boxes(path: string): Promise<string[]> {
  const bytes = await readFile(path)
  const found: string[] = []
  for (let at = 0; at + 8 <= bytes.length; at += Math.max(8, bytes.readUInt32BE(at))) {
    found.push(bytes.toString('latin1', at + 4, at + 8))
  }
  return found
}

async function checkPlayable(sample: Sample, made: Derived<StagedFile>): Promise<string> {
  const original = join(media, sample.file)
  const path = made.staged?.path ?? original
  const [before, after] = await Promise.all([witness(original), witness(path)])
  expect(['h264', 'av1']).toContain(after.codec)
  expect(['yuv420p', 'yuvj420p']).toContain(after.pixelFormat)
  expect([null, 'aac']).toContain(after.audio)
  expect(after.audio === null).toBe(before.audio === null)
  expect(after.frames).toBe(before.frames)
  expect([after.width, after.height]).toEqual([before.width + (before.width % 2), before.height + (before.height % 2)])
  expect(after.rotation).toBe(sample.expect.rotation ?? 0)
  const order = await boxes(path)
  expect(order[0]).toBe('ftyp')
  expect(order.indexOf('moov')).toBeLessThan(order.indexOf('mdat'))
  const [timesBefore, timesAfter] = [await pictureTimes(original), await pictureTimes(path)]
  if (timesBefore.length === timesAfter.length) {
    // Every picture at its own time, to within the containers' own rounding.
    timesBefore.forEach((time, at) => expect(Math.abs(time - (timesAfter[at] ?? 0))).toBeLessThanOrEqual(4))
  }
  // A picture cut in two counts as a packet and cannot be decoded.
  expect((made.facts.frames ?? 0) - after.frames).toBeOneOf(made.notes.length > 0 ? [0, 1] : [0])
  expect(Math.abs((made.facts.durationMs ?? 0) - after.seconds * 1000)).toBeLessThan(150)
  return say(after)
}

async function checkJpeg(path: string, size: readonly [number, number]): Promise<string> {
  expect((await readFile(path)).subarray(0, 3).toString('hex')).toBe('ffd8ff')
  const [width, height] = (await command('identify', ['-format', '%w %h', path])).split(' ').map(Number)
  expect([width, height]).toEqual(size)
  return `${width}×${height}`
}

describe('formats: results from real files', () => {
  // Several at a time: most of what one takes is waiting for its sandboxes.
  for (const { some, tags } of sampled(SAMPLES, 5))
    test.concurrent.each(some)('$file ($title)', { tags }, async (sample) => {
      const of = await source(sample.file)
      const found = await deriver.inspect(of.path)
      expect(found.mimeType).toBe(sample.expect.mimeType)
      expect([...found.work].sort()).toEqual([...sample.expect.work].sort())
      if (sample.expect.message) expect(found.message).toMatch(sample.expect.message)
      else expect(found.message).toBeNull()
      let how = '–'
      let out = found.message ?? '–'
      const also: string[] = []
      for (const work of found.work) {
        const made = await deriver.derive(work, of)
        const path = made.staged?.path ?? of.path
        expect(made.derivation.InputSha256).toBe(of.sha256)
        expect(made.derivation.Arguments.join(' ')).not.toContain(root)
        expect(made.derivation.Arguments.join(' ')).not.toContain(media)
        if (work === 'playable') {
          how = methodOf(made)
          expect(how).toBe(sample.expect.playable)
          out = [await checkPlayable(sample, made), ...made.notes].join('; ')
          expect(made.name).toBe(`${sample.file.replace(/\.\w+$/, '')}.mp4`)
        } else if (work === 'poster' || work === 'thumbnail') {
          also.push(`${work} ${await checkJpeg(path, sample.expect.thumbnail ?? [0, 0])}`)
        } else if (work === 'preview') {
          const { width, height } = { width: found.facts.width ?? 640, height: found.facts.height ?? 480 }
          const part = Math.min(1, 2560 / Math.max(width, height))
          expect(made.staged === null).toBe(sample.file === 'bare.jpg')
          also.push(
            `preview ${await checkJpeg(path, [width * part, height * part])}${made.staged === null ? ' itself' : ''}`,
          )
          const tags = JSON.parse(await command('exiftool', ['-json', '-G1', path])) as Record<string, unknown>[]
          const groups = Object.keys(tags[0] ?? {}).map((tag) => tag.split(':')[0])
          expect(groups.filter((group) => /IFD|GPS|XMP|IPTC|Photoshop|MakerNotes/.test(group ?? ''))).toEqual([])
        } else if (work === 'audio') {
          const heard = await witness(path)
          expect(made.staged === null).toBe(sample.expect.heard === 'itself')
          expect(heard.audio).toBe(made.mimeType === 'audio/mp4' ? 'aac' : (await witness(of.path)).audio)
          expect(heard.codec).toBe('')
          expect(['audio/wav', 'audio/mpeg', 'audio/mp4']).toContain(made.mimeType)
          also.push(
            `${made.staged === null ? 'itself' : 'm4a'}, ${heard.audio}, ${((made.facts.durationMs ?? 0) / 1000).toFixed(2)} s`,
          )
        } else {
          expect(made.mimeType).toBe('sallyport/json-exif')
          expect(made.name).toBe(`${sample.file}.exif.json`)
          const json = JSON.parse(await readFile(path, 'utf8')) as Record<string, unknown>
          also.push(
            `exif ${Object.keys(json).length} tags${'ExifTool:Warning' in json ? `, “${String(json['ExifTool:Warning'])}”` : ''}`,
          )
        }
        await made.dispose()
      }
      rows[SAMPLES.indexOf(sample)] = [sample.file, sample.title, found.mimeType, how, out, also.join(', ') || '–']
    })

  test('a file that is not what its name promises says so; of others nothing is expected', async () => {
    const { path } = await source('noise.mp4')
    const named = async (name: string) => (await deriver.inspect(path, { name })).message
    const late = (await source('behind-junk.mpg')).path
    expect((await deriver.inspect(late, { name: 'behind-junk.mpg' })).message).toMatch(
      /^The name says MPG, but the content was not recognised/,
    )
    expect(await named('noise.mp4')).toMatch(/^The name says MP4, but the content was not recognised/)
    expect(await named('NOISE.MPG')).toMatch(/^The name says MPG/)
    expect(await named('noise.bin')).toBeNull()
    expect(await named('mp4')).toBeNull()
  })

  test('of a picture that moves the first one is shown, and that is said', async () => {
    const made = await deriver.derive('preview', await source('moving.gif'))
    expect(made.notes).toEqual(['Of a picture that moves, the first one is shown.'])
    await made.dispose()
  })

  test('at least 24 formats are tried', () => expect(SAMPLES.length).toBeGreaterThanOrEqual(24))

  test('Exif: what exiftool itself says, GPS signed, time with its zone', async () => {
    const of = await source('gps.jpg')
    const made = await deriver.derive('exif', of)
    const json = JSON.parse(await readFile(made.staged?.path ?? '', 'utf8')) as Record<string, unknown>
    const [own] = JSON.parse(await command('exiftool', ['-json', '-G1', '-n', of.path])) as Record<string, unknown>[]
    for (const tag of ['GPS:GPSLatitude', 'ExifIFD:DateTimeOriginal', 'IFD0:Make', 'IFD0:Orientation']) {
      expect(json[tag]).toEqual(own?.[tag])
    }
    expect(made.claims?.position?.latitude).toBeCloseTo(48.2082, 5)
    expect(made.claims?.position?.longitude).toBeCloseTo(-16.3738, 5)
    expect(made.claims?.captured).toEqual({ text: '2026-11-20T10:11:12.25', offset: '+01:00' })
    expect(Object.keys(json).some((key) => key.startsWith('System:') || key === 'SourceFile')).toBe(false)
    await made.dispose()
  })

  test('broken Exif: still a JSON, nothing invented', async () => {
    const made = await deriver.derive('exif', await source('broken-exif.jpg'))
    expect([made.claims?.position, made.claims?.captured]).toEqual([null, null])
    await made.dispose()
  })

  test('the same file gives the same bytes when a job runs twice', async () => {
    const of = await source('hevc.mp4')
    const [first, second] = [await deriver.derive('playable', of), await deriver.derive('playable', of)]
    expect(second.staged?.sha256).toBe(first.staged?.sha256)
    await first.dispose()
    await second.dispose()
  })

  test('an aborted job leaves no folder and no process', async () => {
    const folders = async () => (await command('ls', [root])).split('\n').filter((name) => name.startsWith('derive-'))
    const before = await folders()
    const cancel = new AbortController()
    const reason = new Error('cancelled by an officer')
    const going = deriver.derive('playable', await source('vp9-opus.webm'), { signal: cancel.signal })
    setTimeout(() => cancel.abort(reason), 120)
    await expect(going).rejects.toBe(reason)
    expect(await folders()).toEqual(before)
  })

  test('a transcode whose output disagrees is not kept', async () => {
    const real = createMediaTools()
    const cheat = {
      ...real,
      ffmpeg: (input: string, args: readonly string[], given: Parameters<typeof real.ffmpeg>[2]) =>
        real.ffmpeg(
          input,
          args.flatMap((arg) => (arg === '-fps_mode' ? ['-frames:v', '9', arg] : [arg])),
          given,
        ),
    }
    await expect(deriverWith(cheat).derive('playable', await source('hevc.mp4'))).rejects.toThrow(/9 of 18 pictures/)
  })
})

test('in the real store: what is derived is placed under its hash and nothing stays in staging', async () => {
  const store = await openBlobStore({ root: join(root, 'blobs'), now: () => Date.now() })
  try {
    const own = createDeriver({ tools: createMediaTools(), store, vendor: 'sallyport' })
    for (const [work, file] of [
      ['playable', 'h264-aac.ts'],
      ['exif', 'gps.jpg'],
      ['thumbnail', 'gps.jpg'],
    ] as const) {
      const made = await own.derive(work, await source(file))
      if (made.staged === null) throw new Error('nothing was made')
      const placed = await store.place(made.staged)
      await store.confirm(placed)
      await made.dispose()
      expect(await sha256Of(store.pathOf(placed.sha256))).toBe(made.staged.sha256)
    }
    expect(await readdir(join(root, 'blobs', '.staging'))).toEqual([])
  } finally {
    await store.close()
  }
})

/** Where the system has a program; not the copies that packages bring along. */
const installed = async (name: string): Promise<string> =>
  (await command('/bin/sh', ['-c', 'PATH=/usr/local/bin:/usr/bin:/bin; command -v "$0"', name])).trim()

describe('a station without tools', () => {
  test('copies by mediabunny, waits for the rest, and catches up when ffmpeg and exiftool appear', async () => {
    const bin = join(root, 'bin')
    await mkdir(bin)
    const tools = createMediaTools({ searchPath: [bin], exiftoolScript: null })
    const bare = deriverWith(tools)
    expect((await tools.state()).versions).toMatchObject({ ffmpeg: null, ffprobe: null, exiftool: null })
    for (const [file, how] of [
      ['h264-aac.ts', 'copy'],
      ['h264-last.mp4', 'copy'],
      ['av1.mkv', 'copy'],
      ['turned-copy.mov', 'copy'],
      ['h264-aac.mp4', 'identity'],
    ] as const) {
      const of = await source(file)
      const found = await bare.inspect(of.path)
      expect(found.work).toEqual(['playable', 'poster'])
      expect(found.facts.videoCodec).toMatch(/h264|av1/)
      const made = await bare.derive('playable', of)
      expect(methodOf(made)).toBe(how)
      expect(made.derivation.Tool).toBe(how === 'copy' ? 'mediabunny' : 'identity')
      const [before, after] = await Promise.all([witness(of.path), witness(made.staged?.path ?? of.path)])
      expect([after.frames, after.rotation, after.audio]).toEqual([before.frames, before.rotation, before.audio])
      await made.dispose()
    }
    const waiting: [DerivationKind, string][] = [
      ['playable', 'hevc.mp4'],
      ['playable', 'mjpeg-pcm.avi'],
      ['poster', 'h264-aac.mp4'],
      ['thumbnail', 'gps.jpg'],
      ['exif', 'gps.jpg'],
      ['audio', 'tone.wav'],
      ['thumbnail', 'photo.heic'],
    ]
    for (const [work, file] of waiting) {
      await expect(bare.derive(work, await source(file)), `${work} of ${file}`).rejects.toMatchObject({
        name: 'NotYet',
      })
    }
    for (const name of ['ffmpeg', 'ffprobe', 'exiftool', 'heif-convert', 'perl']) {
      await symlink(await installed(name), join(bin, name))
    }
    for (const [work, file] of waiting) await (await bare.derive(work, await source(file))).dispose()
  }, 120_000)
})
