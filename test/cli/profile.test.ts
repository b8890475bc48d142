/** `profile test`: what the profiles make of a card, for whoever writes one. */
// @module-tag merge
import { existsSync, globSync, mkdirSync, mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { say } from './world.ts'

const OWN = {
  format: 'sallyport-profile/1',
  id: 'our-cameras',
  name: 'Our cameras',
  rank: 90,
  match: { folders: ['REC'] },
  identity: { manufacturer: 'Maker', model: 'M2', serial: ['name'] },
  media: {
    folders: ['REC/**'],
    extensions: ['mp4'],
    names: ['{serial:word}_{officer:digits}_{yyyy}{MM}{dd}{HH}{mm}{ss}_{part:digits(2)}.mp4'],
  },
  time: { zone: 'Europe/Vienna', modified: 'nothing' },
  join: { by: 'part' },
  sidecars: [{ extension: 'thm', as: 'keep' }],
  clear: { media: true, sidecars: false, never: [] },
}
const FILES = [
  'REC/M2-7_4711_20261120131500_01.mp4',
  'REC/M2-7_4711_20261120131500_02.mp4',
  'REC/M2-7_4711_20261120131500_01.thm',
  'setup.exe',
]

let folder: string
let card: string
let profile: string
const test = (...words: readonly string[]) => say(['profile', 'test', ...words], { data: join(folder, 'station') })

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'sallyport-profile-'))
  card = join(folder, 'card')
  profile = join(folder, 'ours.json')
  for (const file of FILES) {
    mkdirSync(dirname(join(card, file)), { recursive: true })
    writeFileSync(join(card, file), file)
  }
  writeFileSync(profile, JSON.stringify(OWN))
})
afterAll(() => rmSync(folder, { recursive: true }))

describe('profile test', () => {
  it('tells camera, recordings with parts and times, and what is left alone; a profile of one’s own is taken', async () => {
    const found = await test(card, '--profile', profile, '--json')
    expect(found).toMatchObject({ code: 0, stderr: '' })
    expect(JSON.parse(found.stdout)).toEqual({
      profile: 'our-cameras',
      matching: ['our-cameras'],
      serial: 'M2-7',
      serialFrom: 'name',
      manufacturer: 'Maker',
      model: 'M2',
      officer: null,
      recordings: [
        {
          title: expect.any(String),
          start: { utc: '2026-11-20T12:15:00.000Z', from: 'name' },
          end: null,
          officer: '4711',
          parts: FILES.slice(0, 2),
          beside: [FILES[2]],
          marks: [],
          trackPoints: 0,
          mayBeCleared: true,
          problems: [],
        },
      ],
      own: [],
      foreign: [{ path: 'setup.exe', reason: expect.any(String) }],
      skipped: [],
      problems: [],
    })
    const text = await test(card, '--profile', profile)
    expect(text).toMatchObject({ code: 0, stderr: '' })
    expect(text.stdout).toMatch(/^profile {2}our-cameras: Our cameras/m)
    expect(text.stdout).toMatch(/^left alone {2}setup\.exe {2}\S/m)
  })

  it('takes the profiles of the station’s folder where none is named, and makes no station', async () => {
    expect(await test(card)).toMatchObject({
      code: 1,
      stdout: expect.stringMatching(/^no camera {2}No profile knows it/),
    })
    mkdirSync(join(folder, 'station/profiles'), { recursive: true })
    writeFileSync(join(folder, 'station/profiles/ours.json'), JSON.stringify(OWN))
    expect(await test(card)).toMatchObject({ code: 0, stdout: expect.stringContaining('our-cameras') })
    expect(globSync('station/**', { cwd: folder }).toSorted()).toEqual([
      'station',
      'station/profiles',
      'station/profiles/ours.json',
    ])
  })

  it('names the problems of a profile, and exits 1 where another one is taken', async () => {
    const broken = join(folder, 'broken.json')
    writeFileSync(broken, JSON.stringify({ ...OWN, rank: 'first', join: { by: 'day' } }))
    const refused = await test(card, '--profile', broken)
    expect(refused.code).toBe(1)
    expect(refused.stderr).toMatch(/broken\.json is not used: .*rank.*join\.by/)
    const other = join(folder, 'other.json')
    writeFileSync(other, JSON.stringify({ ...OWN, match: { labels: ['BWC*'] } }))
    mkdirSync(join(card, 'DCIM'), { recursive: true })
    const taken = await test(card, '--profile', other)
    expect(taken).toMatchObject({ code: 1, stdout: expect.stringMatching(/^profile {2}dcim/) })
    expect(await test(card, '--profile', other, '--label', 'BWC 7')).toMatchObject({ code: 0 })
    expect((await test(card, '--profile', join(folder, 'nowhere.json'))).stderr).toMatch(
      /nowhere\.json could not be read/,
    )
    rmSync(join(card, 'DCIM'), { recursive: true })
  })

  it('matches by USB numbers that are given, and refuses what is none', async () => {
    const usb = join(folder, 'usb.json')
    writeFileSync(usb, JSON.stringify({ ...OWN, match: { usb: [{ vendorId: '4255', productId: '1000' }] } }))
    expect(await test(card, '--profile', usb)).toMatchObject({ code: 1 })
    expect(await test(card, '--profile', usb, '--usb', '4255:1000')).toMatchObject({ code: 0 })
    expect(await test(card, '--profile', usb, '--usb', 'left port')).toMatchObject({ code: 2 })
  })

  it('S12: reads only, follows no link, and says so of a folder that is none', async () => {
    const marks = () => globSync('**', { cwd: card }).map((file) => [file, statSync(join(card, file)).mtimeMs])
    symlinkSync('/etc/hostname', join(card, 'REC/link.mp4'))
    const before = marks()
    const found = await test(card, '--profile', profile)
    expect(found.stdout).toMatch(/^not read {2}.*link\.mp4/m)
    expect(marks()).toEqual(before)
    expect(existsSync(join(card, 'sallyport'))).toBe(false)
    expect(await test(join(folder, 'nowhere'))).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/There is no folder/),
    })
    expect(await test()).toMatchObject({ code: 2 })
  })
})
