// @module-tag merge
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { OTHERS, PICTURES, RECORDINGS } from '../../pipeline/media.ts'
import { type Given, givenStation, type Json, sha256Of } from '../../support/given.ts'

/** What the station makes of files, as its interface shows it: interfaces 2.5, decisions 6, "Derivation". The vendor is another than the usual. */
let given: Given
const folder = mkdtempSync(path.join(tmpdir(), 'sallyport-derived-'))
const inFolder = (name: string): string => path.join(folder, name)
let photo: Buffer
let video: Buffer

beforeAll(async () => {
  const run = (program: string, ...args: string[]) =>
    execFileSync(program, args, { stdio: ['ignore', 'ignore', 'pipe'] })
  run(
    'ffmpeg',
    '-v',
    'error',
    '-y',
    '-f',
    'lavfi',
    '-i',
    'testsrc=s=320x240:d=1',
    '-frames:v',
    '1',
    inFolder('photo.jpg'),
  )
  run(
    'exiftool',
    '-q',
    '-overwrite_original',
    '-n',
    '-GPSLatitude=48.2082',
    '-GPSLatitudeRef=N',
    '-GPSLongitude=16.3738',
    '-GPSLongitudeRef=E',
    '-DateTimeOriginal=2026:11:20 10:11:12',
    '-OffsetTimeOriginal=+01:00',
    inFolder('photo.jpg'),
  )
  const h264 = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p']
  run(
    'ffmpeg',
    '-v',
    'error',
    '-y',
    '-f',
    'lavfi',
    '-i',
    'testsrc=s=160x120:r=10:d=1',
    ...h264,
    '-movflags',
    '+faststart',
    inFolder('clip.mp4'),
  )
  photo = readFileSync(inFolder('photo.jpg'))
  video = readFileSync(inFolder('clip.mp4'))
  given = await givenStation({ settings: { vendor: 'acme' } })
})
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true })
  await given?.close()
})

const contentOf = (one: Json, query = ''): string =>
  `${given.documents}/evidence/${one.EvidenceId}/resource/${one.ResourceId}/content${query}`
const INTERNAL = { KId: null, Username: 'internal', PrincipalId: '0', PrincipalType: null }

describe('a picture', () => {
  let original: Json
  let exif: Json
  let preview: Json
  beforeAll(async () => {
    const { evidenceId } = await given.completed(photo, { name: 'IMG 1.jpg', mimeType: 'text/html' })
    const list = await given.settled(evidenceId)
    const named = (ending: string) => list.find((one) => one.Parent !== null && one.Name.endsWith(ending))
    ;[original, exif, preview] = [list.find((one) => one.Parent === null), named('.exif.json'), named('.preview.jpg')]
    expect(list).toHaveLength(3)
  })

  it('has its Exif as JSON beside it, made by the platform', async () => {
    expect(exif).toEqual({
      ResourceId: expect.stringMatching(/^\d+$/),
      EvidenceId: original.EvidenceId,
      Name: 'IMG 1.jpg.exif.json',
      MimeType: 'acme/json-exif',
      StartTimeUtc: null,
      EndTimeUtc: null,
      TimeOffset: null,
      UploadedTimeUtc: expect.stringMatching(/Z$/),
      UploadedBy: INTERNAL,
      Parent: original.ResourceId,
      Thumbnail: null,
      UploadCertificateThumbprint: null,
      State: 'UserCompleted',
      DecryptedLengthInBytes: null,
      ConcurrencyId: expect.stringMatching(/^[0-9a-f]{40}$/),
      Sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
      CameraSha256: null,
      LengthInBytes: expect.any(Number),
      Derivation: {
        Tool: 'exiftool',
        Version: expect.stringMatching(/^\d+/),
        Arguments: expect.arrayContaining(['-json']),
        InputSha256: sha256Of(photo),
      },
      Taken: null,
      Processing: [],
      LastCheck: {
        TimeUtc: exif.UploadedTimeUtc,
        Result: 'matches',
        ReadBack: expect.toBeOneOf(['direct', 'cache']),
        Kind: 'ingest',
      },
    })
    const content = await given.call('GET', contentOf(exif))
    expect(sha256Of(content.bytes)).toBe(exif.Sha256)
    expect(content.headers.get('content-type')).toBe('acme/json-exif')
    expect(content.text).toContain('2026:11:20 10:11:12')
    expect(JSON.stringify(exif.Derivation)).not.toContain(given.data)
  })

  it('keeps its own bytes, its claimed type in the record, its sniffed one in the answer', async () => {
    const content = await given.call('GET', contentOf(original))
    expect(sha256Of(content.bytes)).toBe(sha256Of(photo))
    expect(original.MimeType).toBe('text/html')
    expect(content.headers.get('content-type')).toBe('image/jpeg')
    expect(content.headers.get('content-disposition')).toMatch(/^attachment;/)
    expect(original.Processing.map((part: Json) => [part.Kind, part.State]).sort()).toEqual([
      ['derive.exif', 'done'],
      ['derive.inspect', 'done'],
      ['derive.preview', 'done'],
      ['derive.thumbnail', 'done'],
    ])
  })

  it('has a thumbnail, on the resource and on the evidence, at a relative address', async () => {
    const evidence = await given.expecting(200, given.call('GET', `${given.documents}/evidence/${original.EvidenceId}`))
    expect(original.Thumbnail).toBe(
      `${given.documents}/evidence/${original.EvidenceId}/resource/${original.ResourceId}/thumbnail`,
    )
    expect(evidence.Thumbnail).toBe(`${given.documents}/evidence/${original.EvidenceId}/thumbnail`)
    const [one, two] = [await given.call('GET', original.Thumbnail), await given.call('GET', evidence.Thumbnail)]
    for (const reply of [one, two]) {
      expect([reply.status, reply.headers.get('content-type'), [...reply.bytes.subarray(0, 2)]]).toEqual([
        200,
        'image/jpeg',
        [0xff, 0xd8],
      ])
      expect(reply.headers.get('content-disposition')).toMatch(/^inline;/)
    }
    expect(one.headers.get('etag')).toBe(two.headers.get('etag'))
    expect(
      (await given.call('GET', original.Thumbnail, { headers: { 'if-none-match': one.headers.get('etag') ?? '' } }))
        .status,
    ).toBe(304)
    expect((await given.call('HEAD', original.Thumbnail)).bytes.length).toBe(0)
  })

  it('purpose=play serves what was made of it, never the original', async () => {
    expect((await given.call('GET', contentOf(exif, '?purpose=play'))).status).toBe(200)
    const shown = await given.call('GET', contentOf(preview, '?purpose=play'))
    expect([shown.status, shown.headers.get('content-type')]).toEqual([200, 'image/jpeg'])
    expect(shown.headers.get('content-disposition')).toMatch(/^inline;/)
    expect(shown.text).not.toContain('2026:11:20')
    expect(sha256Of(shown.bytes)).not.toBe(sha256Of(photo))
    expect((await given.call('GET', contentOf(original, '?purpose=play'))).status).toBe(404)
  })
})

describe('what fills empty members', () => {
  const after = async (body: Record<string, unknown>): Promise<{ record: Json; versions: number }> => {
    const { EvidenceId } = await given.evidence(body)
    await given.completed(photo, { evidenceId: EvidenceId, name: 'a.jpg' })
    await given.settled(EvidenceId)
    const record = await given.expecting(200, given.call('GET', `${given.documents}/evidence/${EvidenceId}`))
    const versions = given.database((db) =>
      db
        .prepare("select count(*) from versions where entity = 'evidence' and entity_id = ?")
        .pluck()
        .get(Number(EvidenceId)),
    ) as number
    return { record, versions }
  }

  it('GPS and the time of capture, each change a version of its own', async () => {
    const { record, versions } = await after({})
    expect(record).toMatchObject({
      StartTimeUtc: '2026-11-20T09:11:12Z',
      LocationWKT: 'POINT (16.3738 48.2082)',
      LocationText: null,
    })
    // Created, filled, thumbnail.
    expect(versions).toBe(3)
  })

  it('each version is given as it was', async () => {
    const first = await given.evidence({ Name: 'four versions' })
    const { evidenceId } = await given.completed(photo, { evidenceId: first.EvidenceId, name: 'a.jpg' })
    await given.settled(evidenceId)
    const filled = await given.expecting(200, given.call('GET', `${given.documents}/evidence/${evidenceId}`))
    const last = await given.expecting(200, given.call('POST', `${given.documents}/evidence/${evidenceId}/complete`))
    const ids = given.database((db) =>
      db
        .prepare("select concurrency_id from versions where entity = 'evidence' and entity_id = ? order by number")
        .pluck()
        .all(Number(evidenceId)),
    ) as string[]
    const then = await Promise.all(
      ids.map((id) =>
        given.expecting(200, given.call('GET', `${given.documents}/evidence/${evidenceId}?concurrencyId=${id}`)),
      ),
    )
    expect(then.map((record) => record.ConcurrencyId)).toEqual(ids)
    expect([then[0], then[2], then[3]]).toEqual([first, filled, last])
    // In between one of place, time and picture was there already, and nothing else differed.
    const { ConcurrencyId, Thumbnail, StartTimeUtc, LocationWKT, Clock, ...rest } = then[1]
    expect({ ...first, ...rest, ConcurrencyId: first.ConcurrencyId }).toEqual(first)
    // The clock beside a time follows the time.
    expect([Clock.CorrectedTimeUtc, Clock.Source]).toEqual(
      StartTimeUtc === null ? [null, 'none'] : [StartTimeUtc, 'container'],
    )
    expect([Thumbnail, StartTimeUtc, LocationWKT].filter((member) => member === null)).not.toHaveLength(3)
    expect(ConcurrencyId).not.toBe(first.ConcurrencyId)
  })

  it('never what somebody wrote', async () => {
    const body = { StartTimeUtc: '2020-01-01T00:00:00Z', LocationWKT: 'POINT (1 2)', LocationText: 'here' }
    expect((await after(body)).record).toMatchObject({ ...body, EndTimeUtc: null })
  })

  it('a capture after the end that somebody wrote is no start', async () => {
    const { record } = await after({ EndTimeUtc: '2020-01-01T00:00:00Z' })
    expect([record.StartTimeUtc, record.EndTimeUtc]).toEqual([null, '2020-01-01T00:00:00Z'])
  })

  it('nothing twice: a second picture changes nothing of the first', async () => {
    const { record } = await after({})
    await given.completed(photo, { evidenceId: record.EvidenceId, name: 'b.jpg' })
    await given.settled(record.EvidenceId)
    const now = await given.expecting(200, given.call('GET', `${given.documents}/evidence/${record.EvidenceId}`))
    expect(now).toEqual(record)
  })
})

describe('a video that every browser plays', () => {
  it('gets a playable resource that shares its bytes, is played in place and found by type', async () => {
    const { evidenceId } = await given.completed(video, { name: 'clip.mp4' })
    const list = await given.settled(evidenceId)
    const [original, playable] = [list.find((one) => one.Parent === null), list.find((one) => one.Parent !== null)]
    expect(playable).toMatchObject({
      Name: 'clip.mp4',
      MimeType: 'video/mp4',
      UploadedBy: INTERNAL,
      Parent: original.ResourceId,
      Sha256: sha256Of(video),
      DecryptedLengthInBytes: video.length,
      Derivation: { Tool: 'identity', InputSha256: sha256Of(video) },
    })
    expect(
      given.database((db) => db.prepare('select count(*) from blobs where sha256 = ?').pluck().get(sha256Of(video))),
    ).toBe(1)
    const play = await given.call('GET', contentOf(playable, '?purpose=play'), { headers: { range: 'bytes=0-99' } })
    expect([play.status, play.bytes.length, play.headers.get('content-type')]).toEqual([206, 100, 'video/mp4'])
    expect(play.headers.get('content-disposition')).toMatch(/^inline;/)
    expect((await given.call('GET', contentOf(playable))).headers.get('content-disposition')).toMatch(/^attachment;/)
    expect((await given.call('GET', contentOf(original, '?purpose=play'))).json.ErrorCode).toBe('ResourceNotFound')
    const found = await given.expecting(200, given.call('GET', `${given.documents}/evidence?type=video`))
    expect(found.Items.map((item: Json) => item.EvidenceId)).toEqual([evidenceId])
    const images = await given.expecting(200, given.call('GET', `${given.documents}/evidence?type=image`))
    expect(images.Items.map((item: Json) => item.EvidenceId)).not.toContain(evidenceId)
  })
})

describe('what cannot be read', () => {
  it('stays as it is and says so under Processing, and in the ledger where something was tried', async () => {
    const broken = photo.subarray(0, 400)
    const { evidenceId, resourceId } = await given.completed(broken, { name: 'broken.jpg' })
    const [original, ...others] = await given.settled(evidenceId)
    expect(sha256Of((await given.call('GET', contentOf(original))).bytes)).toBe(sha256Of(broken))
    const failed = original.Processing.filter((part: Json) => part.State === 'failed')
    expect(failed.length).toBeGreaterThan(0)
    for (const part of failed)
      expect(part).toMatchObject({
        Kind: expect.any(String),
        Message: expect.stringMatching(/\w/),
        Attempts: 1,
        Progress: null,
      })
    expect(others.every((one: Json) => one.MimeType === 'acme/json-exif')).toBe(true)
    const tried = failed.filter((part: Json) => part.Kind !== 'derive.inspect').length
    expect(
      given.ledger().filter(({ action, object }) => action === 'derivation.failed' && object.id === resourceId),
    ).toHaveLength(tried)
  })
})

const KEPT = 'the original is kept whole and can be downloaded.'
describe('a file of an unusual kind', () => {
  const uploaded = async (file: string): Promise<{ original: Json; others: Json[]; failed: [string, string][] }> => {
    await [...RECORDINGS, ...PICTURES, ...OTHERS].find((sample) => sample.file === file)?.make(folder)
    const { evidenceId } = await given.completed(readFileSync(inFolder(file)), { name: file })
    const [original, ...others] = await given.settled(evidenceId)
    const failed = original.Processing.filter(({ State }: Json) => State === 'failed')
    return { original, others, failed: failed.map(({ Kind, Message }: Json) => [Kind, Message]) }
  }

  it.each([
    ['sei.h264', 'video/h264', 18],
    ['pal.dv', 'video/dv', 25],
    ['first-picture.wmv', 'video/x-ms-wmv', 1],
  ])('%s gets an MP4 that plays, with every picture', async (file, mimeType, pictures) => {
    const { original, others, failed } = await uploaded(file)
    expect([original.MimeType, failed]).toEqual([mimeType, []])
    const playable = others.filter((one) => one.MimeType === 'video/mp4')
    expect(playable.map((one) => one.Name)).toEqual([file.replace(/\.\w+$/, '.mp4')])
    const reply = await given.call('GET', contentOf(playable[0], '?purpose=play'))
    const counted = execFileSync(
      'ffprobe',
      [
        '-v',
        'error',
        '-count_frames',
        '-select_streams',
        'v',
        '-show_entries',
        'stream=codec_name,nb_read_frames',
      ].concat(['-of', 'csv=p=0', '-f', 'mov', '-i', 'pipe:0']),
      { input: reply.bytes },
    )
    expect([reply.status, counted.toString().trim()]).toEqual([200, `h264,${pictures}`])
  })

  it('whose beginning is junk keeps its bytes, and a failed job says why there is no MP4', async () => {
    const { original, others, failed } = await uploaded('behind-junk.mpg')
    expect(others).toEqual([])
    expect(failed).toEqual([
      ['derive.inspect', `The name says MPG, but the content was not recognised as a recording or picture; ${KEPT}`],
    ])
    const reply = await given.call('GET', contentOf(original))
    expect(sha256Of(reply.bytes)).toBe(sha256Of(readFileSync(inFolder('behind-junk.mpg'))))
  })

  it.each([
    ['moving.gif', 'image/gif'],
    ['still.bmp', 'image/bmp'],
  ])('%s gets a thumbnail and a picture to look at', async (file, mimeType) => {
    const { original, others, failed } = await uploaded(file)
    expect([original.MimeType, failed]).toEqual([mimeType, []])
    expect(others.map((one) => one.Name)).toEqual([file.replace(/\.\w+$/, '.preview.jpg')])
    for (const address of [original.Thumbnail, contentOf(others[0], '?purpose=play')]) {
      const reply = await given.call('GET', address)
      expect([reply.status, [...reply.bytes.subarray(0, 3)]]).toEqual([200, [0xff, 0xd8, 0xff]])
    }
  })

  it.each([
    ['icon.ico', 'image/x-icon'],
    ['naked.jxl', 'image/jxl'],
  ])('%s has a failed job that says why there is nothing to look at', async (file, mimeType) => {
    const { original, others, failed } = await uploaded(file)
    expect([original.MimeType, original.Thumbnail, others]).toEqual([mimeType, null, []])
    expect(failed).toEqual([['derive.inspect', `This station makes no preview of this kind of file; ${KEPT}`]])
  })

  it('a JPEG that is nothing but a picture is its own preview: no byte is stored again, and none is larger', async () => {
    const { original, others, failed } = await uploaded('bare.jpg')
    expect(failed).toEqual([])
    const preview = others.find((one) => one.MimeType === 'image/jpeg')
    expect([preview.Sha256, preview.LengthInBytes, preview.Derivation.Tool]).toEqual([
      original.Sha256,
      original.LengthInBytes,
      'identity',
    ])
  })
})
