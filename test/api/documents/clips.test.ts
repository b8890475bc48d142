// @module-tag merge
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startServer } from '../../../server/index.ts'
import { type Given, givenStation, type Json, sha256Of } from '../../support/given.ts'
import { signIn } from '../../support/integrator.ts'

/** Clips of a recording and crops of a picture, over HTTP (decisions 31). Which frames they hold is tried in test/pipeline/clips.test.ts. */
let given: Given
const folder = mkdtempSync(path.join(tmpdir(), 'sallyport-clips-'))
const inFolder = (name: string): string => path.join(folder, name)
const ffmpeg = (...args: string[]) => execFileSync('ffmpeg', ['-v', 'error', '-y', ...args], { stdio: 'pipe' })
let original: Json
let playable: Json
/** Set by the tests of crops. */
let photo: Json

const placeOf = (one: Json): string => `${given.documents}/evidence/${one.EvidenceId}/resource/${one.ResourceId}`
const make = (body: object, one: Json = original, key?: string) =>
  given.call('POST', `${placeOf(one)}/clips`, {
    body,
    ...(key === undefined ? {} : { headers: { 'idempotency-key': key } }),
  })
const range = (FromSeconds: number, ToSeconds: number, more: object = {}) => ({ FromSeconds, ToSeconds, ...more })
const entriesOf = (action: string) => given.ledger().filter((entry) => entry.action === action)
const probe = (file: string): Json =>
  JSON.parse(
    execFileSync('ffprobe', [
      '-v',
      'error',
      '-count_frames',
      '-show_streams',
      '-show_format',
      '-of',
      'json',
      file,
    ]).toString(),
  )

async function completed(bytes: Buffer, name: string, more: Record<string, unknown> = {}): Promise<Json[]> {
  const { EvidenceId } = await given.evidence()
  const open = await given.resource(EvidenceId, { Name: name, ...more })
  await given.put(open.UploadUri, bytes)
  await given.expecting(200, given.call('POST', `${placeOf(open)}/complete`, { body: {} }))
  return given.settled(EvidenceId)
}

async function bytesOf(one: Json, query = ''): Promise<Buffer> {
  const reply = await given.call('GET', `${placeOf(one)}/content${query}`)
  expect(reply.status).toBe(200)
  return Buffer.from(reply.bytes)
}

/** The clips of the recording, in the order in which they were made. */
const clips = async (): Promise<Json[]> =>
  (await given.settled(original.EvidenceId)).filter(({ Taken }: Json) => ['exact', 'stream'].includes(Taken?.Kind))

beforeAll(async () => {
  mkdirSync(folder, { recursive: true })
  const picture = ['-f', 'lavfi', '-i', 'testsrc2=s=320x240:r=30000/1001:d=4']
  const codecs = [
    '-c:v',
    'libx264',
    '-preset',
    'veryfast',
    '-bf',
    '2',
    '-g',
    '30',
    '-pix_fmt',
    'yuv420p',
    '-c:a',
    'aac',
  ]
  const said = ['-metadata', 'title=canary title', '-metadata', 'comment=canary comment']
  ffmpeg(...picture, '-f', 'lavfi', '-i', 'sine=d=4', ...codecs, ...said, inFolder('long.mkv'))
  given = await givenStation()
  const list = await completed(readFileSync(inFolder('long.mkv')), 'long.mkv', {
    StartTimeUtc: '2026-11-20T02:47:31.5Z',
    TimeOffset: 'PT1M12S',
  })
  original = list.find((one) => one.Parent === null)
  playable = list.find((one) => one.MimeType === 'video/mp4')
}, 120_000)
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true })
  await given?.close()
})

describe('an exact clip', () => {
  let clip: Json
  it('is a file of its own, made by a job: its original, its range and how it was made stand in its record and in the ledger', async () => {
    const reply = await make({ Kind: 'exact', Ranges: [range(1, 2)] })
    expect(reply.status).toBe(202)
    expect(reply.json.JobIds).toHaveLength(1)
    ;[clip] = await clips()
    expect(clip).toMatchObject({
      Parent: original.ResourceId,
      MimeType: 'video/mp4',
      Name: 'long.mkv from 0:00:00.991 to 0:00:02.025.mp4',
      StartTimeUtc: '2026-11-20T02:47:32.491Z',
      EndTimeUtc: '2026-11-20T02:47:33.525Z',
      TimeOffset: 'PT1M12S',
      Taken: { Kind: 'exact', FromSeconds: 0.991, ToSeconds: 2.025, FrameCount: 31, Area: null },
      Derivation: { Tool: 'ffmpeg', InputSha256: original.Sha256 },
    })
    const [asked] = entriesOf('clip.requested')
    expect(asked).toMatchObject({
      correlationId: reply.correlationId,
      object: { type: 'resource', id: original.ResourceId },
      detail: { kind: 'exact', ranges: ['1-2'], jobs: reply.json.JobIds },
    })
    const [made] = entriesOf('clip.created')
    expect(made).toMatchObject({
      actor: asked?.actor,
      object: { type: 'resource', id: clip.ResourceId, name: clip.Name },
      sha256: clip.Sha256,
      bytes: clip.LengthInBytes,
      detail: {
        parent: original.ResourceId,
        kind: 'exact',
        askedFrom: 1,
        askedTo: 2,
        from: 0.991,
        to: 2.025,
        frames: 31,
        tool: 'ffmpeg',
        arguments: clip.Derivation.Arguments,
        inputSha256: original.Sha256,
      },
    })
  })

  it('stores what it shows and nothing that the recording said of itself', async () => {
    const bytes = await bytesOf(clip)
    expect(sha256Of(bytes)).toBe(clip.Sha256)
    writeFileSync(inFolder('clip.mp4'), bytes)
    const { streams, format } = probe(inFolder('clip.mp4'))
    expect(streams.map(({ codec_type }: Json) => codec_type)).toEqual(['video', 'audio'])
    expect(streams[0].nb_read_frames).toBe('31')
    expect(format.tags.title).toBeUndefined()
    expect(bytes.includes('elst')).toBe(false)
    for (const residue of ['canary', 'x264', 'Lavc', 'Lavf'])
      expect([residue, bytes.includes(residue)]).toEqual([residue, false])
  })

  it('plays, has a picture and its own time line, and changes nothing for its recording', async () => {
    const told = await given.expecting(200, given.call('GET', `${placeOf(clip)}/media`))
    expect(told).toMatchObject({ Kind: 'video', Width: 320, Height: 240, FrameCount: 31, AudioCodec: 'aac' })
    expect(told.DurationSeconds).toBeCloseTo(1.034, 1)
    expect(told.PlayableResourceId).not.toBe(playable.ResourceId)
    const played = { EvidenceId: clip.EvidenceId, ResourceId: told.PlayableResourceId }
    expect((await bytesOf(played, '?purpose=play')).length).toBeGreaterThan(1000)
    const list = await given.settled(original.EvidenceId)
    expect(list.find(({ ResourceId }) => ResourceId === clip.ResourceId).Thumbnail).toMatch(/thumbnail$/)
    const before = await given.expecting(200, given.call('GET', `${placeOf(original)}/media`))
    expect(before).toMatchObject({ PlayableResourceId: playable.ResourceId, FrameCount: 120 })
  })

  it('may be cut and be a source of stills itself', async () => {
    const still = await given.expecting(201, given.call('POST', `${placeOf(clip)}/still`, { body: { Seconds: 0.5 } }))
    expect(still.Parent).toBe(clip.ResourceId)
    await make({ Kind: 'exact', Ranges: [range(0.2, 0.4, { Name: 'The door.mp4' })] }, clip)
    const second = (await clips()).find(({ Name }) => Name === 'The door.mp4')
    expect(second).toMatchObject({ Parent: clip.ResourceId, Derivation: { InputSha256: clip.Sha256 } })
  })
})

describe('several at once', () => {
  it('each have a job and a file; the same key asks once', async () => {
    const before = (await clips()).length
    const body = { Kind: 'exact', Ranges: [range(0, 0.5, { Name: 'a.mp4' }), range(3, 3.2, { Name: 'b.mp4' })] }
    const first = await make(body, playable, 'clips-1')
    const again = await make(body, playable, 'clips-1')
    expect([first.status, again.status]).toEqual([202, 202])
    expect(again.json).toEqual(first.json)
    expect(new Set(first.json.JobIds).size).toBe(2)
    // They are made side by side, so either may be ready first.
    const made = (await clips()).slice(before).sort((one, other) => one.Name.localeCompare(other.Name))
    expect(made.map(({ Name, Parent }) => [Name, Parent])).toEqual([
      ['a.mp4', original.ResourceId],
      ['b.mp4', original.ResourceId],
    ])
  })
})

describe('a clip of the untouched stream', () => {
  it('says where it will begin and end, keeps that, and has the frames of the original', async () => {
    const Ranges = [range(1.2, 1.5), range(0, 3.9)]
    const bounds = await given.expecting(
      200,
      given.call('POST', `${placeOf(original)}/clip-bounds`, { body: { Ranges } }),
    )
    expect(bounds).toEqual([
      { FromSeconds: expect.closeTo(1.024, 2), ToSeconds: expect.closeTo(2.025, 2), FrameCount: 30 },
      { FromSeconds: expect.closeTo(0.023, 2), ToSeconds: expect.closeTo(4.027, 1), FrameCount: 120 },
    ])
    await make({ Kind: 'stream', Ranges: [range(1.2, 1.5)] })
    const clip = (await clips()).find(({ Taken }) => Taken.Kind === 'stream')
    expect(clip.Taken).toMatchObject({
      FromSeconds: bounds[0].FromSeconds,
      ToSeconds: bounds[0].ToSeconds,
      FrameCount: 30,
    })
    const made = entriesOf('clip.created').find(({ object }) => object.id === clip.ResourceId)
    expect(made?.detail).toMatchObject({
      kind: 'stream',
      askedFrom: 1.2,
      frameHash: expect.stringMatching(/^[0-9a-f]{64}$/),
    })
    expect(clip.Derivation.Arguments).toContain('copy')
  })
})

describe('what is refused', () => {
  it('is what is no range, too many, too long, of no video, and what lies beyond the end', async () => {
    for (const body of [
      {},
      { Kind: 'exact', Ranges: [] },
      { Kind: 'smart', Ranges: [range(0, 1)] },
      { Kind: 'exact', Ranges: [range(2, 1)] },
      { Kind: 'exact', Ranges: [range(0, 100_000)] },
      { Kind: 'exact', Ranges: Array.from({ length: 51 }, () => range(0, 1)) },
    ])
      expect([JSON.stringify(body).slice(0, 60), (await make(body)).status]).toEqual([
        JSON.stringify(body).slice(0, 60),
        400,
      ])
    for (const Ranges of [
      [],
      [range(2, 1)],
      [range(-1, 1)],
      [range(0, 100_000)],
      [range(10_000_001, 10_000_002)],
      Array.from({ length: 51 }, () => range(0, 1)),
    ]) {
      const about = JSON.stringify(Ranges).slice(0, 60)
      const asked = await given.call('POST', `${placeOf(original)}/clip-bounds`, { body: { Ranges } })
      expect([about, asked.status, asked.json.ErrorCode]).toEqual([about, 400, 'InvalidModel'])
      expect([about, (await make({ Kind: 'exact', Ranges })).status]).toEqual([about, 400])
    }
    const { EvidenceId } = original
    const note = await given.completed(Buffer.from('a note'), { name: 'note.txt', evidenceId: EvidenceId })
    await given.settled(EvidenceId)
    // Sound that no browser plays has a copy to listen to, and no frames.
    ffmpeg('-f', 'lavfi', '-i', 'sine=d=2', '-c:a', 'wmav2', inFolder('sound.wma'))
    const list = await completed(readFileSync(inFolder('sound.wma')), 'sound.wma')
    expect(list.filter(({ Parent }) => Parent !== null)).not.toEqual([])
    const open = await given.resource(EvidenceId, { Name: 'open.mp4' })
    for (const [one, code] of [
      [{ EvidenceId, ResourceId: note.resourceId }, 'NotAVideo'],
      [list.find(({ Parent }) => Parent === null), 'NotAVideo'],
      [open, 'ResourceNotCompleted'],
    ] as const) {
      expect((await make({ Kind: 'exact', Ranges: [range(0, 1)] }, one)).json.ErrorCode).toBe(code)
      const asked = await given.call('POST', `${placeOf(one)}/clip-bounds`, { body: { Ranges: [range(0, 1)] } })
      expect(asked.json.ErrorCode).toBe(code)
    }
    const bounds = await given.call('POST', `${placeOf(original)}/clip-bounds`, {
      body: { Ranges: [range(0, 1), range(9, 10)] },
    })
    expect([bounds.status, bounds.json.Details[0].Path]).toEqual([400, 'Ranges[1].FromSeconds'])
    await make({ Kind: 'exact', Ranges: [range(9, 10)] })
    await given.settled(original.EvidenceId)
    const [failed] = entriesOf('clip.failed')
    expect(failed).toMatchObject({ outcome: 'failed', reason: expect.stringMatching(/^The recording ends at/) })
  })
})

describe('a part of a picture', () => {
  beforeAll(async () => {
    ffmpeg('-f', 'lavfi', '-i', 'testsrc2=s=320x240:d=1', '-frames:v', '1', inFolder('photo.jpg'))
    execFileSync('exiftool', [
      '-q',
      '-overwrite_original',
      '-n',
      '-Orientation=6',
      '-Make=Canary',
      inFolder('photo.jpg'),
    ])
    const list = await completed(readFileSync(inFolder('photo.jpg')), 'photo.jpg')
    photo = list.find((one) => one.Parent === null)
  })
  const crop = (body: object, one: Json) => given.call('POST', `${placeOf(one)}/crop`, { body })

  it('is a picture of its own: upright, every pixel as it is, without the metadata', async () => {
    const reply = await crop({ Left: 11, Top: 7, Width: 101, Height: 55 }, photo)
    expect(reply.status).toBe(201)
    expect(reply.json).toMatchObject({
      Parent: photo.ResourceId,
      MimeType: 'image/png',
      Taken: { Kind: 'crop', Area: { Left: 11, Top: 7, Width: 101, Height: 55 }, FromSeconds: null },
      Derivation: { InputSha256: photo.Sha256 },
    })
    const bytes = await bytesOf(reply.json)
    expect(bytes.includes('Canary')).toBe(false)
    const raw = (...args: string[]) => ffmpeg(...args, '-f', 'rawvideo', '-pix_fmt', 'rgb24', '-')
    writeFileSync(inFolder('part.png'), bytes)
    const upright = [
      '-noautorotate',
      '-i',
      inFolder('photo.jpg'),
      '-vf',
      'transpose=1,format=rgb24,crop=101:55:11:7:exact=1',
    ]
    expect(sha256Of(raw('-i', inFolder('part.png')))).toBe(sha256Of(raw(...upright)))
    expect(entriesOf('picture.cropped')[0]).toMatchObject({
      correlationId: reply.correlationId,
      object: { id: reply.json.ResourceId },
      sha256: reply.json.Sha256,
      detail: { parent: photo.ResourceId, left: 11, top: 7, width: 101, height: 55, inputSha256: photo.Sha256 },
    })
    const told = await given.expecting(200, given.call('GET', `${placeOf(photo)}/media`))
    expect(told.PreviewResourceId).not.toBe(reply.json.ResourceId)
    const part = await given.expecting(200, given.call('GET', `${placeOf(reply.json)}/media`))
    expect(part).toMatchObject({ Kind: 'image', Width: 101, Height: 55, PreviewResourceId: reply.json.ResourceId })
  })

  it('is refused beyond the picture, and of what is no picture', async () => {
    const beyond = await crop({ Left: 200, Top: 0, Width: 100, Height: 10 }, photo)
    expect([beyond.status, beyond.json.Details[0].Path]).toEqual([400, 'Width'])
    for (const area of [
      { Left: 0, Top: 0, Width: 0, Height: 10 },
      { Left: 0, Top: 0, Width: 10, Height: 0 },
      { Left: -1, Top: 0, Width: 10, Height: 10 },
      { Left: 0, Top: -1, Width: 10, Height: 10 },
      { Left: 0, Top: 0, Width: 100_001, Height: 10 },
    ])
      expect([area, (await crop(area, photo)).status]).toEqual([area, 400])
    expect((await crop({ Left: 0, Top: 0, Width: 10, Height: 10 }, original)).json.ErrorCode).toBe('NotAPicture')
    // A picture is no recording.
    expect((await make({ Kind: 'exact', Ranges: [range(0, 1)] }, photo)).json.ErrorCode).toBe('NotAVideo')
    const open = await given.resource(photo.EvidenceId, { Name: 'open.jpg' })
    const early = await crop({ Left: 0, Top: 0, Width: 10, Height: 10 }, open)
    expect(early.json.ErrorCode).toBe('ResourceNotCompleted')
  })
})

describe('a disk at its floor', () => {
  it('takes neither clips nor a part of a picture: nothing is begun', async () => {
    await given.stop()
    const { bavail, bsize } = statfsSync(given.data)
    // Above what stops all writing, below what new files are taken for.
    const station = await startServer({ ...given.settings, minFreeBytes: 2 * bavail * bsize })
    try {
      const connection = JSON.stringify(given.connection).replaceAll(given.url, station.url)
      const token = await signIn(JSON.parse(connection) as typeof given.connection, station.url)
      const FULL = [503, 'StorageFull']
      const seq = given.ledger().at(-1)?.seq
      const post = async (place: string, body: object): Promise<unknown[]> => {
        const reply = await fetch(`${station.url}${place}`, {
          method: 'POST',
          headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
          body: JSON.stringify(body),
        })
        return [reply.status, ((await reply.json()) as Json).ErrorCode]
      }
      expect(await post(`${placeOf(original)}/clips`, { Kind: 'exact', Ranges: [range(0, 1)] })).toEqual(FULL)
      expect(await post(`${placeOf(photo)}/crop`, { Left: 0, Top: 0, Width: 9, Height: 9 })).toEqual(FULL)
      const acts = given.ledger(seq).map(({ action }) => action)
      expect(acts.filter((action) => /^(?:clip|picture)\./.test(action))).toEqual([])
    } finally {
      await station.close()
    }
  })
})
