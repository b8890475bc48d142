/** Snapshots, restoring and trials from the terminal (decisions 11): what they print, and their exit codes. */
// @module-tag merge
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ledger, makePlace, type Place, rows, say, sayJson } from './world.ts'

const PASSPHRASE = 'nine ladders against the wall'
let place: Place
let drive: string
beforeAll(async () => {
  place = makePlace('backup')
  const media = place.folder('media')
  for (const at of [1, 2, 3]) writeFileSync(join(media, `${at}.txt`), `statement ${at}`.repeat(300))
  await sayJson(['ingest', media], { data: place.data })
  drive = place.folder('drive')
})
afterAll(() => place.remove())

describe('backup, drill, restore', () => {
  it('one after the other, without a station', async () => {
    const made = await say(['backup', '--to', drive, '--with-keys', '--passphrase-stdin'], {
      data: place.data,
      input: `${PASSPHRASE}\n`,
    })
    expect(made).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^Snapshot \d{8}T\d{9}Z: \d+ entries, \d+ blobs, \d+ of them new/),
    })
    expect(ledger(place.data).findLast(({ action }) => action === 'backup.made')).toMatchObject({
      action: 'backup.made',
      source: 'cli',
      actor: { kind: 'cli' },
    })

    const tried = await say(['drill', '--from', drive, '--sample', '2'], { data: place.data })
    expect(tried).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/gives back what it should: \d+ entries, 2 of \d+ blobs/),
    })

    const restored = place.path('restored')
    const back = await say(['restore', '--from', drive, '--data', restored, '--passphrase-stdin'], {
      input: PASSPHRASE,
    })
    expect(back).toMatchObject({ code: 0, stdout: expect.stringMatching(/The station has its keys again\.\n$/) })
    expect(rows(restored, 'SELECT sha256 FROM blobs ORDER BY sha256')).toEqual(
      rows(place.data, 'SELECT sha256 FROM blobs ORDER BY sha256'),
    )
    // The checkpoint covers the entry that explains why newer copies outside do not fit.
    expect(ledger(restored).slice(-2)).toMatchObject([
      { action: 'station.restored', detail: { keys: 'restored', problems: [] } },
      { action: 'checkpoint.signed' },
    ])
  })

  it('I3: of an older snapshot it starts, although newer checkpoints were copied outside since', async () => {
    const data = place.path('earlier')
    const target = place.folder('earlier-drive')
    const outside = place.folder('outside')
    writeFileSync(place.path('since.txt'), 'taken in since')
    await sayJson(['ingest', place.path('media/1.txt')], { data })
    expect((await say(['checkpoints', 'add', '--folder', outside], { data })).code).toBe(0)
    const made = ['backup', '--to', target, '--with-keys', '--passphrase-stdin']
    expect((await say(made, { data, input: PASSPHRASE })).code).toBe(0)
    await sayJson(['ingest', place.path('since.txt')], { data })
    const newest = (folder: string): number =>
      Math.max(
        ...readdirSync(folder, { recursive: true }).map((name) => Number.parseInt(basename(String(name)), 10) || 0),
      )
    const before = newest(outside)
    const restored = place.path('earlier-restored')
    const words = ['restore', '--from', target, '--data', restored, '--passphrase-stdin']
    expect((await say(words, { input: PASSPHRASE })).code).toBe(0)
    const [inSnapshot] = rows<{ size: number }>(
      restored,
      'SELECT size FROM checkpoints ORDER BY size DESC LIMIT 1 OFFSET 1',
    )
    expect(before).toBeGreaterThan(inSnapshot?.size as number)
    // It takes writes: what lies outside is explained by the entry of the restore.
    expect((await say(['ingest', place.path('since.txt')], { data: restored })).code).toBe(0)
  })

  it('without the keys: by checkpoints that were kept outside, or on sight alone, which leaves an alarm', async () => {
    const data = place.path('rooted')
    const target = place.folder('rooted-drive')
    const outside = place.folder('rooted-outside')
    await sayJson(['ingest', place.path('media/2.txt')], { data })
    expect((await say(['checkpoints', 'add', '--folder', outside], { data })).code).toBe(0)
    expect((await say(['backup', '--to', target], { data })).code).toBe(0)
    const words = (to: string) => ['restore', '--from', target, '--data', to]
    const shown = place.path('shown')
    expect(await say([...words(shown), '--checkpoints', outside])).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/The checkpoints that were kept outside show that it is this station’s\./),
    })
    expect(await say(['alarms'], { data: shown })).toMatchObject({ code: 0 })
    const stranger = place.folder('nobodys-checkpoints')
    const never = place.path('never-shown')
    expect(await say([...words(never), '--checkpoints', stranger])).toMatchObject({ code: 1, stdout: '' })
    expect(existsSync(join(never, 'sallyport.db'))).toBe(false)
    const trusted = place.path('trusted')
    expect(await say([...words(trusted), '--trust-on-sight'])).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/NOTHING SHOWS WHOSE IT IS: an alarm stays open/),
    })
    expect(await say(['alarms'], { data: trusted })).toMatchObject({
      code: 1,
      stdout: expect.stringMatching(/^alarm /),
    })
  })

  it('a damaged snapshot is named by both, and leaves nothing', async () => {
    const [name = ''] = readdirSync(join(drive, 'snapshots'))
    const file = join(drive, 'snapshots', name, 'blobs.txt')
    writeFileSync(file, readFileSync(file, 'utf8').replace('0', '1'))
    const tried = await say(['drill', '--from', drive], { data: place.data })
    expect(tried).toMatchObject({ code: 1, stdout: expect.stringMatching(/^broken {2}blobs\.txt was changed/) })
    const restored = place.folder('never')
    const { key } = await sayJson<{ key: string }>(['key', 'show'], { data: place.data })
    const unshown = await say(['restore', '--from', drive, '--data', restored])
    expect(unshown).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(/^Nothing was given that shows/),
    })
    const back = await say(['restore', '--from', drive, '--data', restored, '--signed-by', key])
    expect(back).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(/nothing was restored:\n {2}blobs\.txt was changed/),
    })
    expect(readdirSync(restored)).toEqual([])
    const open = await say(['alarms'], { data: place.data })
    expect(open).toMatchObject({ code: 1, stdout: expect.stringMatching(/^alarm 1 .* backup .*does not give back/) })
  })

  it('an unknown argument, or a missing folder', async () => {
    for (const words of [
      ['backup'],
      ['backup', '--to', drive, '--with-keys'],
      ['restore', '--from', drive],
      ['checkpoints', 'add', '--folder', drive, '--station', 'x'],
    ])
      expect([words, (await say(words, { data: place.data })).code]).toEqual([words, 2])
    expect((await say(['backup', '--to', drive], { data: place.path('none') })).code).toBe(1)
    expect(existsSync(place.path('none'))).toBe(false)
  })
})
