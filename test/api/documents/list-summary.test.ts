// @module-tag merge
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Given, givenStation, type Json } from '../../support/given.ts'

/** What the list says of real files, taken in and worked on as they are; and the tags in use. */
let given: Given
beforeAll(async () => {
  given = await givenStation()
})
afterAll(() => given?.close())

const itemOf = async (evidenceId: string): Promise<Json> =>
  (await given.expecting(200, given.call('GET', `${given.documents}/evidence?text=${evidenceId}`))).Items.find(
    (item: Json) => item.EvidenceId === evidenceId,
  )
const made = (name: string, ...args: string[]): Buffer => {
  const file = path.join(given.dir, name)
  execFileSync('ffmpeg', ['-v', 'error', '-y', ...args, file])
  return readFileSync(file)
}
const video = (name: string, codec = 'libx264'): Buffer =>
  made(name, '-f', 'lavfi', '-i', 'testsrc2=s=160x120:r=10:d=2', '-c:v', codec, '-pix_fmt', 'yuv420p')

describe('a summary', () => {
  it('of a video: how long, how large, what kind, at work and then verified', async () => {
    const bytes = video('clip.mp4')
    const { evidenceId } = await given.completed(bytes, { name: 'BW 0417.mp4' })
    expect(['working', 'verified']).toContain((await itemOf(evidenceId)).Summary.Status)
    await given.settled(evidenceId)
    const { Summary } = await itemOf(evidenceId)
    expect(Summary).toEqual({
      Type: 'video',
      DurationSeconds: expect.closeTo(2, 1),
      LengthInBytes: bytes.length,
      Width: 160,
      Height: 120,
      ResourceCount: 1,
      FileName: 'BW 0417.mp4',
      Status: 'verified',
      Progress: null,
      Message: '',
      RecordedTimeUtc: null,
      ClockOffset: null,
      ClockSource: 'none',
      ClockUncertaintySeconds: null,
      Strip: {
        Address: expect.stringMatching(new RegExp(`/evidence/${evidenceId}/resource/\\d+/strip$`)),
        Columns: 4,
        Rows: 1,
        Count: 4,
        TileWidth: 160,
        TileHeight: 120,
        IntervalSeconds: expect.closeTo(0.5, 1),
      },
      Camera: null,
      Officers: [],
      Cases: [],
      CategoryName: null,
    })
    const strip = await fetch(`${given.url}${Summary.Strip.Address}`, {
      headers: { authorization: `Bearer ${given.token}` },
    })
    expect([strip.status, strip.headers.get('content-type')]).toEqual([200, 'image/jpeg'])
  })

  it('added up over all that match, by the length of what is played where the original tells none', async () => {
    const known = video('sum.mp4')
    const raw = made('sum.aac', '-f', 'lavfi', '-i', 'sine=d=3', '-c:a', 'aac')
    for (const [bytes, name] of [
      [known, 'adding up.mp4'],
      [raw, 'adding up.aac'],
      [Buffer.from('adding up\n'), 'adding up.txt'],
    ] as const)
      await given.settled((await given.completed(bytes, { name })).evidenceId)
    const reply = (query: string): Promise<Json> =>
      given.expecting(200, given.call('GET', `${given.documents}/evidence?text=adding&${query}`))
    const { Items, Sums } = await reply('sums=true&count=1')
    expect(Items.length).toBe(1)
    const all = (await reply('count=100')).Items.map(({ Summary }: Json) => Summary)
    expect(all.length).toBe(3)
    expect(Sums).toEqual({
      Count: 3,
      LengthInBytes: known.length + raw.length + 10,
      DurationSeconds: expect.closeTo(
        all.reduce((sum: number, { DurationSeconds }: Json) => sum + (DurationSeconds ?? 0), 0),
        3,
      ),
    })
    expect(Sums.DurationSeconds).toBeGreaterThan(4.5)
    expect(await reply('count=1')).not.toHaveProperty('Sums')
  })

  it('of an upload under way: open; of a broken file: needs a look, with the reason', async () => {
    const { EvidenceId } = await given.evidence()
    await given.resource(EvidenceId, { Name: 'later.mp4' })
    expect((await itemOf(EvidenceId)).Summary).toMatchObject({
      Status: 'open',
      Type: 'none',
      FileName: 'later.mp4',
      LengthInBytes: 0,
    })
    const broken = video('clip.avi', 'mpeg4')
    broken.fill(0, broken.indexOf('movi') + 4)
    const { evidenceId } = await given.completed(broken, { name: 'broken.avi' })
    await given.settled(evidenceId)
    expect((await itemOf(evidenceId)).Summary).toMatchObject({
      Status: 'attention',
      Message: expect.stringContaining('original'),
    })
  })

  it('of a camera whose clock was wrong: the corrected time, and by how much', async () => {
    const { EvidenceId } = await given.evidence({ StartTimeUtc: '2026-11-20T01:46:19.240Z' })
    await given.resource(EvidenceId, { StartTimeUtc: '2026-11-20T01:46:19.240Z', TimeOffset: 'PT1M12S' })
    expect((await itemOf(EvidenceId)).Summary).toMatchObject({
      RecordedTimeUtc: '2026-11-20T01:47:31.240Z',
      ClockOffset: 'PT1M12S',
    })
    const found: Json = await given.expecting(
      200,
      given.call('GET', `${given.documents}/evidence?from=2026-11-20T01:47:31.240Z&to=2026-11-20T01:47:31.240Z`),
    )
    expect(found.Items.map((item: Json) => item.EvidenceId)).toEqual([EvidenceId])
  })

  it('of a refused file: needs a look', async () => {
    const { EvidenceId } = await given.evidence()
    const open = await given.resource(EvidenceId)
    await given.put(open.UploadUri, Buffer.from('x'))
    await given.call('POST', `${given.documents}/evidence/${EvidenceId}/resource/${open.ResourceId}/complete`, {
      body: { Sha256: 'f'.repeat(64) },
    })
    expect((await itemOf(EvidenceId)).Summary).toMatchObject({
      Status: 'attention',
      Message: expect.stringContaining('refused'),
    })
  })
})

describe('tags', () => {
  it('are counted over evidences, most used first, one for all ways to write it', async () => {
    for (const Tags of [['Night', 'Žižkov'], ['night', 'burglary'], ['Nightly'], ['night'], ['100%']])
      await given.evidence({ Tags })
    const tags = (query: string): Promise<Json> =>
      given.expecting(200, given.call('GET', `${given.documents}/tag?${query}`))
    expect(await tags('text=nig')).toEqual([
      { Tag: 'Night', Count: 3 },
      { Tag: 'Nightly', Count: 1 },
    ])
    expect((await tags('text=%C5%BDI')).map((tag: Json) => tag.Tag)).toEqual(['Žižkov'])
    expect(await tags('text=%25')).toEqual([])
    expect(await tags('count=1')).toEqual([{ Tag: 'Night', Count: 3 }])
    expect((await given.call('GET', `/api/v1/tenant/station/tag?text=100%25`)).json).toEqual([
      { Tag: '100%', Count: 1 },
    ])
    expect((await given.call('GET', `${given.documents}/tag?count=0`)).status).toBe(400)
  })

  it('of several all must hold; a member may be repeated', async () => {
    const found: Json = await given.expecting(
      200,
      given.call('GET', `${given.documents}/evidence?tag=night&tag=burglary`),
    )
    expect([found.Total, found.Items[0].Tags]).toEqual([1, ['night', 'burglary']])
    const types: Json = await given.expecting(
      200,
      given.call('GET', `${given.documents}/evidence?type=video&type=image`),
    )
    expect(types.Items.every((item: Json) => item.Summary.Type === 'video')).toBe(true)
    const both = await given.call('GET', `${given.documents}/evidence?cursor=x&offset=1`)
    expect([both.status, both.json.Details[0].Path]).toEqual([400, 'offset'])
  })
})
