// @module-tag merge
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { unexplainedBytes } from '../../../server/features/integrity/verification/verify.store.ts'
import { openRaw } from '../../../server/kernel/database/sqlite/raw.ts'
import { fileOfRows } from '../../support/rows.ts'
import { clockText, laterBy } from '../../../server/features/media/asked-files.ts'
import { type Given, givenStation, type Json, sha256Of } from '../../support/given.ts'

/** What the player and the picture viewer need to know, and the stills that are taken: the window's evidence page. */
let given: Given
const folder = mkdtempSync(path.join(tmpdir(), 'sallyport-media-'))
const inFolder = (name: string): string => path.join(folder, name)
const ffmpeg = (...args: string[]) => execFileSync('ffmpeg', ['-v', 'error', '-y', ...args], { stdio: 'pipe' })
const H264 = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', '-g', '10']
let clip: Buffer
let photo: Buffer
let tone: Buffer

beforeAll(async () => {
  const picture = ['-f', 'lavfi', '-i', 'testsrc2=s=320x240:r=30000/1001:d=2']
  const sound = ['-f', 'lavfi', '-i', 'sine=d=2']
  ffmpeg(...picture, ...sound, ...H264, '-c:a', 'libmp3lame', inFolder('clip.mkv'))
  ffmpeg('-f', 'lavfi', '-i', 'testsrc2=s=320x240:d=1', '-frames:v', '1', inFolder('photo.jpg'))
  execFileSync('exiftool', [
    '-q',
    '-overwrite_original',
    '-n',
    '-Orientation=6',
    '-Make=Sallyport',
    inFolder('photo.jpg'),
  ])
  ffmpeg(...sound, inFolder('tone.wav'))
  clip = readFileSync(inFolder('clip.mkv'))
  photo = readFileSync(inFolder('photo.jpg'))
  tone = readFileSync(inFolder('tone.wav'))
  given = await givenStation()
})
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true })
  await given?.close()
})

const placeOf = (one: Json, prefix = given.documents): string =>
  `${prefix}/evidence/${one.EvidenceId}/resource/${one.ResourceId}`
const media = (one: Json, prefix = given.documents): Promise<Json> =>
  given.expecting(200, given.call('GET', `${placeOf(one, prefix)}/media`))
const NO_VIEWS = [
  { Kind: 'strip', State: 'none', Message: '' },
  { Kind: 'waveform', State: 'none', Message: '' },
]
const done = (kind: string) => ({ Kind: kind, State: 'done', Message: '' })

async function completed(bytes: Buffer, name: string, more: Record<string, unknown> = {}): Promise<Json[]> {
  const { EvidenceId } = await given.evidence()
  const open = await given.resource(EvidenceId, { Name: name, ...more })
  await given.put(open.UploadUri, bytes)
  await given.expecting(200, given.call('POST', `${placeOf(open)}/complete`, { body: {} }))
  return given.settled(EvidenceId)
}
const originalIn = (list: Json[]): Json => list.find((one) => one.Parent === null)

describe('a video with sound', () => {
  let original: Json
  let playable: Json
  beforeAll(async () => {
    const list = await completed(clip, 'clip.mkv', { StartTimeUtc: '2026-11-20T02:47:31.5Z', TimeOffset: 'PT1M12S' })
    original = originalIn(list)
    playable = list.find((one) => one.MimeType === 'video/mp4')
  })

  it('is told with everything a player needs, by its original and by what is played, under both prefixes', async () => {
    const told = await media(original)
    expect(told).toEqual({
      Kind: 'video',
      MimeType: 'video/x-matroska',
      DurationSeconds: expect.closeTo(2, 1),
      Width: 320,
      Height: 240,
      Rotation: 0,
      FrameRate: { Numerator: 30_000, Denominator: 1001 },
      VariableFrameRate: false,
      FrameCount: 60,
      VideoCodec: 'h264',
      AudioCodec: 'mp3',
      PlayableResourceId: playable.ResourceId,
      PreviewResourceId: null,
      ExifResourceId: null,
      Clock: null,
      Strip: {
        Address: `${placeOf(original)}/strip`,
        Columns: expect.any(Number),
        Rows: 1,
        Count: expect.any(Number),
        TileWidth: 160,
        TileHeight: 120,
        IntervalSeconds: expect.closeTo(0.45, 1),
      },
      Waveform: { Address: `${placeOf(original)}/waveform`, PeaksPerSecond: 50, Count: expect.any(Number) },
      Captions: [],
      Views: [done('strip'), done('waveform')],
    })
    expect(await media(original, '/api/v1/tenant/station')).toEqual(told)
    expect(await media(playable)).toEqual({ ...told, MimeType: 'video/mp4', AudioCodec: 'aac' })
  })

  it('has a strip: a JPEG shown in place, with a tag, kept by nobody', async () => {
    const { Strip } = await media(original)
    const reply = await given.call('GET', Strip.Address)
    expect([reply.status, reply.headers.get('content-type'), [...reply.bytes.subarray(0, 2)]]).toEqual([
      200,
      'image/jpeg',
      [0xff, 0xd8],
    ])
    expect(reply.headers.get('content-disposition')).toMatch(/^inline;/)
    expect(reply.headers.get('cache-control')).toBe('private, no-store')
    expect(reply.headers.get('x-content-type-options')).toBe('nosniff')
    expect(reply.headers.get('content-security-policy')).toContain("default-src 'none'")
    const etag = reply.headers.get('etag') ?? ''
    expect(etag).toBe(`"${sha256Of(reply.bytes)}"`)
    expect((await given.call('GET', Strip.Address, { headers: { 'if-none-match': etag } })).status).toBe(304)
    expect((await given.call('GET', `${placeOf(playable)}/strip`)).headers.get('etag')).toBe(etag)
    const size = execFileSync('identify', ['-format', '%w %h', '-'], { input: reply.bytes }).toString()
    expect(size).toBe(`${Strip.Columns * Strip.TileWidth} ${Strip.Rows * Strip.TileHeight}`)
  })

  it('has a waveform of as many peaks as it says', async () => {
    const { Waveform } = await media(original)
    const reply = await given.call('GET', Waveform.Address)
    expect([reply.status, reply.headers.get('content-type')]).toEqual([200, 'application/json; charset=utf-8'])
    expect(reply.json.PeaksPerSecond).toBe(Waveform.PeaksPerSecond)
    expect(reply.json.Peaks).toHaveLength(Waveform.Count)
    expect(Math.max(...reply.json.Peaks)).toBeGreaterThan(20)
  })

  it('says in the ledger what its views were made of, by what, and that they were handed out', async () => {
    const about = given.ledger().filter(({ object }) => object.id === original.ResourceId)
    const made = about.filter(({ action, detail }) => action === 'derivation.added' && detail?.['role'] !== 'thumbnail')
    expect(made.map(({ detail }) => detail?.['role']).sort()).toEqual(['strip', 'waveform'])
    for (const { detail, sha256 } of made) {
      expect(detail).toMatchObject({ inputSha256: playable.Sha256, tool: expect.stringMatching(/^ffmpeg/) })
      expect(sha256).toMatch(/^[0-9a-f]{64}$/)
    }
    const shown = about.filter(({ action }) => action === 'resource.previewed')
    expect(new Set(shown.map(({ detail }) => detail?.['view']))).toEqual(new Set(['strip', 'waveform']))
  })

  describe('a still', () => {
    const take = (body: Json, one = original, key?: string) =>
      given.call('POST', `${placeOf(one)}/still`, { body, ...(key === undefined ? {} : { key }) })
    let still: Json
    it('is a picture of its own below the original: upright, whole, with provenance and its own time', async () => {
      const reply = await take({ Seconds: 1.04 })
      expect(reply.status).toBe(201)
      still = reply.json
      expect(still).toMatchObject({
        EvidenceId: original.EvidenceId,
        Name: 'clip.mkv at 0:00:01.040.png',
        MimeType: 'image/png',
        Parent: original.ResourceId,
        StartTimeUtc: '2026-11-20T02:47:32.540Z',
        TimeOffset: 'PT1M12S',
        State: 'UserCompleted',
        UploadedBy: { PrincipalId: given.principalId },
        Derivation: { Tool: 'ffmpeg', Version: expect.stringMatching(/^\d/), InputSha256: sha256Of(clip) },
      })
      expect(still.Derivation.Arguments.join(' ')).not.toContain(given.data)
      const content = await given.call('GET', `${placeOf(still)}/content?purpose=play`)
      expect([content.status, content.headers.get('content-type')]).toEqual([200, 'image/png'])
      expect(sha256Of(content.bytes)).toBe(still.Sha256)
      const raw = (...args: string[]) =>
        execFileSync('ffmpeg', ['-v', 'error', ...args, '-frames:v', '1', '-f', 'rawvideo', '-pix_fmt', 'rgb24', '-'], {
          input: content.bytes,
          maxBuffer: 1e8,
        })
      // The film begins 25 ms after its sound: 1.04 s lies in picture 30, which begins at 1.026 s.
      const frame = raw('-i', inFolder('clip.mkv'), '-vf', "select='eq(n,30)'", '-fps_mode', 'passthrough')
      expect(sha256Of(raw('-i', '-'))).toBe(sha256Of(frame))
      const entry = given.ledger().find(({ correlationId }) => correlationId === reply.correlationId)
      expect(entry).toMatchObject({
        action: 'still.taken',
        object: { type: 'resource', id: still.ResourceId, name: still.Name },
        sha256: still.Sha256,
        bytes: still.LengthInBytes,
        detail: { parent: original.ResourceId, seconds: 1.04, frameSeconds: 1.026, inputSha256: sha256Of(clip) },
      })
    })

    it('is taken by the playable’s id too, under a name of one’s own, once for a key', async () => {
      const first = await take({ Seconds: 0, Name: 'The door.png' }, playable, 'still-1')
      const again = await take({ Seconds: 0, Name: 'The door.png' }, playable, 'still-1')
      expect([first.status, again.status]).toEqual([201, 201])
      expect(again.json).toEqual(first.json)
      expect(first.json).toMatchObject({
        Name: 'The door.png',
        Parent: original.ResourceId,
        StartTimeUtc: '2026-11-20T02:47:31.500Z',
      })
    })

    it('is told as a picture, gets a thumbnail, and is taken for nobody’s preview', async () => {
      const list = await given.settled(original.EvidenceId)
      expect(list.find((one) => one.ResourceId === still.ResourceId).Thumbnail).toMatch(/\/thumbnail$/)
      expect(await media(still)).toMatchObject({
        Kind: 'image',
        MimeType: 'image/png',
        Width: 320,
        Height: 240,
        PreviewResourceId: still.ResourceId,
        PlayableResourceId: null,
        Views: NO_VIEWS,
      })
      expect(await media(original)).toMatchObject({ PreviewResourceId: null, PlayableResourceId: playable.ResourceId })
    })

    it('is refused beyond the end, of what is no video, of what has no bytes, and without a position', async () => {
      const beyond = await take({ Seconds: 2.5 })
      expect([beyond.status, beyond.json.ErrorCode, beyond.json.Details[0].Path]).toEqual([
        400,
        'InvalidModel',
        'Seconds',
      ])
      for (const body of [{}, { Seconds: -1 }, { Seconds: '1' }, { Seconds: 1, Name: '' }])
        expect((await take(body)).status).toBe(400)
      const [picture] = await completed(photo, 'photo.jpg')
      expect((await take({ Seconds: 0 }, picture)).json.ErrorCode).toBe('NotAVideo')
      const open = await given.resource(original.EvidenceId)
      expect((await take({ Seconds: 0 }, open)).json.ErrorCode).toBe('ResourceNotCompleted')
      expect((await take({ Seconds: 0 }, still)).json.ErrorCode).toBe('NotAVideo')
      const folders = readFolders()
      expect(folders).toEqual([])
    })
  })
})

/** Temporary folders of derivation that stayed behind. */
const readFolders = (): string[] =>
  execFileSync('ls', [path.join(given.data, 'blobs', '.staging')])
    .toString()
    .split('\n')
    .filter((name) => name.startsWith('derive'))

describe('other kinds', () => {
  it('a picture: upright size, a preview to look at, its Exif', async () => {
    const list = await completed(photo, 'photo.jpg')
    const original = originalIn(list)
    const told = await media(original)
    const named = (ending: string) => list.find((one) => one.Parent !== null && one.Name.endsWith(ending)).ResourceId
    expect(told).toMatchObject({
      Kind: 'image',
      MimeType: 'image/jpeg',
      Width: 240,
      Height: 320,
      Rotation: 90,
      DurationSeconds: null,
      FrameRate: null,
      FrameCount: null,
      PlayableResourceId: null,
      PreviewResourceId: named('.preview.jpg'),
      ExifResourceId: named('.exif.json'),
      Strip: null,
      Waveform: null,
      Captions: [],
      Views: NO_VIEWS,
    })
    expect((await given.call('GET', `${placeOf(original)}/strip`)).json.ErrorCode).toBe('ResourceNotFound')
    expect((await given.call('GET', `${placeOf(original)}/waveform`)).json.ErrorCode).toBe('ResourceNotFound')
  })

  it('a sound recording that browsers play: itself, and a waveform', async () => {
    const list = await completed(tone, 'tone.wav')
    const told = await media(originalIn(list))
    expect(told).toMatchObject({ Kind: 'audio', MimeType: 'audio/wav', AudioCodec: 'pcm_s16le', VideoCodec: null })
    expect(told.DurationSeconds).toBeCloseTo(2, 2)
    expect(told.Views).toEqual([NO_VIEWS[0], done('waveform')])
    const played = list.find((one) => one.ResourceId === told.PlayableResourceId)
    expect(played).toMatchObject({ Sha256: sha256Of(tone), MimeType: 'audio/wav', Derivation: { Tool: 'identity' } })
    const play = await given.call('GET', `${placeOf(played)}/content?purpose=play`, { headers: { range: 'bytes=0-3' } })
    expect([play.status, play.text]).toEqual([206, 'RIFF'])
    expect((await given.call('GET', told.Waveform.Address)).json.Peaks).toHaveLength(told.Waveform.Count)
  })

  it('text, a document, and what nobody can show', async () => {
    const kinds = [
      [Buffer.from('Zeuge meldet sich um 14 Uhr.\n'), 'text', 'text/plain'],
      [Buffer.from('%PDF-1.4\n%%EOF\n'), 'document', 'application/pdf'],
      [Buffer.from([0, 1, 2, 3, 250, 251]), 'none', 'application/octet-stream'],
    ] as const
    for (const [bytes, kind, type] of kinds) {
      const told = await media(originalIn(await completed(bytes, 'file')))
      expect(told).toMatchObject({ Kind: kind, MimeType: type, PlayableResourceId: null, Views: NO_VIEWS })
    }
  })

  it('a resource without bytes', async () => {
    const open = await given.resource((await given.evidence()).EvidenceId)
    expect(await media(open)).toMatchObject({ Kind: 'none', MimeType: 'application/octet-stream', Views: NO_VIEWS })
  })
})

describe('a station without ffmpeg', () => {
  it('says that the views are on their way, and takes no still', async () => {
    mkdirSync(inFolder('none'))
    const bare = await givenStation({ settings: { toolFolders: inFolder('none') } })
    try {
      ffmpeg('-i', inFolder('clip.mkv'), '-an', '-c', 'copy', inFolder('mute.mkv'))
      const { evidenceId, resourceId } = await bare.completed(readFileSync(inFolder('mute.mkv')), { name: 'mute.mkv' })
      await bare.settled(evidenceId)
      const place = `${bare.documents}/evidence/${evidenceId}/resource/${resourceId}`
      const told = await bare.expecting(200, bare.call('GET', `${place}/media`))
      expect(told).toMatchObject({ Kind: 'video', PlayableResourceId: expect.any(String), Strip: null })
      expect(told.Views).toEqual([
        { Kind: 'strip', State: 'working', Message: expect.stringMatching(/ffmpeg is not installed/) },
        NO_VIEWS[1],
      ])
      const reply = await bare.call('POST', `${place}/still`, { body: { Seconds: 0 } })
      expect([reply.status, reply.json.ErrorCode]).toEqual([503, 'NotReady'])
    } finally {
      await bare.close()
    }
  })
})

describe('times', () => {
  it.each([
    [0, '0:00:00.000'],
    [59.9996, '0:01:00.000'],
    [3661.25, '1:01:01.250'],
    [90_000, '25:00:00.000'],
  ])('%d s is %s', (seconds, text) => expect(clockText(seconds)).toBe(text))

  it('a start keeps what it has beyond milliseconds', () => {
    expect(laterBy('2026-11-20T02:47:31.1234567Z', 1.5)?.text).toBe('2026-11-20T02:47:32.6234567Z')
    expect(laterBy('2026-11-20T23:59:59Z', 2)?.text).toBe('2026-11-21T00:00:01.000Z')
    expect(laterBy(null, 2)).toBeNull()
  })
})

describe('I3 custody of what is only looked at', () => {
  it('views and stills are explained by the ledger; one that was exchanged is found', async () => {
    await given.stop()
    const db = openRaw(await fileOfRows(given.file))
    try {
      expect(unexplainedBytes(db)).toEqual([])
      const other = sha256Of(photo)
      db.prepare("UPDATE resource_views SET sha256 = ? WHERE kind = 'strip'").run(other)
      expect(unexplainedBytes(db)).toEqual([expect.objectContaining({ name: 'clip.mkv', sha256: other })])
      db.prepare("UPDATE resource_views SET sha256 = ? WHERE kind = 'waveform'").run(other)
      expect(unexplainedBytes(db)).toHaveLength(3)
      const [still] = db.prepare("SELECT resource_id FROM resources WHERE name LIKE '% at %.png'").pluck().all()
      db.prepare('UPDATE resources SET sha256 = ? WHERE resource_id = ?').run(other, still)
      expect(unexplainedBytes(db).map(({ resource_id }) => resource_id)).toContain(still)
    } finally {
      db.close()
    }
  })
})
