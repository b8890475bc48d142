import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Json, sha256Of } from '../../support/given.ts'
import type { Person } from '../cases/world.ts'
import { attach, captionFile } from './acts.ts'
import { annotationWorld, type AnnotationWorld } from './world.ts'

/** Captions attached to a recording: from a file that was taken in like any other. */
let world: AnnotationWorld
let reader: Person
beforeAll(async () => {
  world = await annotationWorld()
  reader = await world.person('reader')
  await world.allow(reader, 'View')
})
afterAll(() => world?.given.close())

const SRT =
  '1\r\n00:00:00,100 --> 00:00:00,900\r\n<b>Stop</b> & wait\r\n\r\n2\r\n00:00:01,000 --> 00:00:01,500\r\nÉcoutez\r\n'

describe('captions', () => {
  it('of SubRip become WebVTT of plain text, with the recording as parent and the file as origin', async () => {
    const file = await captionFile(world, world.clip, SRT)
    const made = await world.given.expecting(
      201,
      attach(world, world.clip, file, { Language: 'fr-CA', Label: 'Témoin' }),
    )
    const vtt = 'WEBVTT\n\n00:00:00.100 --> 00:00:00.900\nStop &amp; wait\n\n00:00:01.000 --> 00:00:01.500\nÉcoutez\n'
    expect(made).toMatchObject({
      Name: 'clip.fr-CA.vtt',
      MimeType: 'text/vtt',
      Parent: world.clip.ResourceId,
      State: 'UserCompleted',
      Sha256: sha256Of(vtt),
      UploadedBy: { Username: 'uploader' },
      Derivation: {
        Tool: 'captions',
        Version: '1',
        Arguments: ['SubRip', `resource ${file}`],
        InputSha256: sha256Of(SRT),
      },
    })
    const place = `${world.place}/resource/${made.ResourceId}`
    expect((await world.given.call('GET', `${place}/content`)).text).toBe(vtt)
    expect((await world.as(reader, 'GET', `${place}/captions`)).json).toEqual({
      ResourceId: made.ResourceId,
      Language: 'fr-CA',
      Label: 'Témoin',
      Cues: [
        { StartSeconds: 0.1, EndSeconds: 0.9, Text: 'Stop & wait' },
        { StartSeconds: 1, EndSeconds: 1.5, Text: 'Écoutez' },
      ],
    })
    const media = (await world.as(reader, 'GET', `${world.place}/resource/${world.clip.ResourceId}/media`)).json
    expect(media.Captions).toEqual([{ ResourceId: made.ResourceId, Language: 'fr-CA', Label: 'Témoin' }])
    // Still a film with what a player needs of it.
    expect(media).toMatchObject({ Kind: 'video', PlayableResourceId: expect.any(String), ExifResourceId: null })
  })

  it('in UTF-16 with its mark are read; in anything else that is no UTF-8 they are refused', async () => {
    const utf16 = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(SRT, 'utf16le')])
    const upload = async (bytes: Buffer): Promise<string> =>
      (await world.given.completed(bytes, { name: 'said.srt', evidenceId: world.clip.EvidenceId })).resourceId
    expect((await attach(world, world.clip, await upload(utf16))).status).toBe(201)
    const latin = await attach(world, world.clip, await upload(Buffer.from(SRT, 'latin1')))
    expect([latin.status, latin.json.ErrorCode]).toEqual([409, 'CaptionsNotReadable'])
  })

  it('that nobody understands are refused with their lines, and nothing is made', async () => {
    const before = (await world.given.call('GET', `${world.place}/resource`)).json.length
    const file = await captionFile(
      world,
      world.clip,
      `WEBVTT\n\n00:00:02.000 --> 00:00:01.000\n<script>alert(1)</script>\n`,
    )
    const { status, json } = await attach(world, world.clip, file)
    expect([status, json.ErrorCode, json.Details]).toEqual([
      409,
      'CaptionsNotReadable',
      [{ Path: 'line 3', Message: 'ends before it begins' }],
    ])
    expect((await world.given.call('GET', `${world.place}/resource`)).json).toHaveLength(before + 1)
  })

  it('belong to a recording, to files of the same evidence, and to who may change it', async () => {
    const file = await captionFile(world, world.clip)
    const code = async (reply: ReturnType<typeof attach>): Promise<unknown[]> => {
      const { status, json } = await reply
      return [status, json.ErrorCode]
    }
    expect(await code(attach(world, world.clip, '999999'))).toEqual([404, 'ResourceNotFound'])
    expect(await code(attach(world, { ...world.clip, ResourceId: file }, file))).toEqual([409, 'NotARecording'])
    expect(await code(attach(world, world.clip, file, { Language: 'x"><script>' }))).toEqual([400, 'InvalidModel'])
    const open = await world.given.resource(world.clip.EvidenceId)
    expect(await code(attach(world, world.clip, open.ResourceId))).toEqual([409, 'ResourceNotCompleted'])
    const own = await world.as(reader, 'POST', `${world.place}/resource/${world.clip.ResourceId}/captions`, {
      FileResourceId: file,
      Language: 'en',
    })
    expect(own.status).toBe(403)
    const none = await world.as(reader, 'GET', `${world.place}/resource/${world.clip.ResourceId}/captions`)
    expect([none.status, (none.json as Json).ErrorCode]).toEqual([404, 'CaptionsNotFound'])
  })

  it('are taken away and given back, as versions of their own; nothing of them is lost meanwhile', async () => {
    const file = await captionFile(world, world.clip, SRT)
    const made = await world.given.expecting(201, attach(world, world.clip, file, { Label: 'Wrong' }))
    const place = `${world.place}/resource/${made.ResourceId}`
    const offered = async (): Promise<boolean> =>
      (await world.as(reader, 'GET', `${world.place}/resource/${world.clip.ResourceId}/media`)).json.Captions.some(
        ({ ResourceId }: Json) => ResourceId === made.ResourceId,
      )
    const code = async (method: string, at: string): Promise<unknown> => {
      const { status, json } = await world.given.call(method, at)
      return status === 200 ? status : [status, json.ErrorCode]
    }
    expect(await offered()).toBe(true)
    expect(await code('POST', `${place}/captions/restore`)).toEqual([409, 'CaptionsNotDetached'])
    expect((await world.as(reader, 'DELETE', `${place}/captions`)).status).toBe(403)
    const taken = await world.given.expecting(200, world.given.call('DELETE', `${place}/captions`))
    expect([taken.State, taken.Sha256, await offered()]).toEqual(['UserCompleted', made.Sha256, false])
    expect(taken.ConcurrencyId).not.toBe(made.ConcurrencyId)
    expect(await code('DELETE', `${place}/captions`)).toEqual([409, 'CaptionsDetached'])
    // The resource, its words and the file it was made from are there.
    expect((await world.given.call('GET', `${place}/content`)).status).toBe(200)
    expect((await world.as(reader, 'GET', `${place}/captions`)).json.Cues).toHaveLength(2)
    expect((await world.given.call('GET', `${world.place}/resource/${file}/content`)).text).toBe(SRT)
    expect(await code('POST', `${place}/captions/restore`)).toBe(200)
    expect(await offered()).toBe(true)
    // What is no captions is neither.
    expect(await code('DELETE', `${world.place}/resource/${file}/captions`)).toEqual([404, 'CaptionsNotFound'])
  })
})
