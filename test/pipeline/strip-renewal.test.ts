// @module-tag merge
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { FACTS_VERSION } from '../../server/kernel/evidence/model.ts'
import { loadSettings } from '../../server/config/settings.ts'
import { openStation, startServer } from '../../server/index.ts'
import { settingsOfRows } from '../support/postgres-given.ts'
import { openTestRows } from '../support/rows.ts'
import { ffmpeg, temporaryFolder } from './tools.ts'

/** The evidence of an older station: what it did not know to make is made when this one starts, and nothing else is done again. */
let dir = ''
let remove: () => Promise<void>
const settings = async () => {
  const data = join(dir, 'data')
  const rows = await settingsOfRows(data)
  return loadSettings({}, { data, reserveBytes: 0, minFreeBytes: 0, logLevel: 'silent', port: 0, ...rows })
}

beforeAll(async () => {
  ;({ dir, remove } = await temporaryFolder('renewal'))
  mkdirSync(join(dir, 'media'))
  const film = ['-f', 'lavfi', '-i', 'testsrc2=s=160x120:r=30000/1001:d=1', '-f', 'lavfi', '-i', 'sine=d=1']
  const codecs = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', '-c:a', 'aac']
  await ffmpeg(join(dir, 'media'), ...film, ...codecs, 'walk.mkv')
  await ffmpeg(join(dir, 'media'), '-f', 'lavfi', '-i', 'sine=d=1', 'tone.wav')
  await ffmpeg(join(dir, 'media'), '-f', 'lavfi', '-i', 'testsrc2=s=160x120:d=1', '-frames:v', '1', 'photo.jpg')
})
afterAll(() => remove())

const rows = <T>(sql: string): T[] => {
  const db = openTestRows(join(dir, 'data', 'sallyport.db'), { readOnly: true })
  try {
    return db.prepare(sql).all() as T[]
  } finally {
    db.close()
  }
}
const ADDED_SINCE = ['Version', 'FrameRate', 'FrameCount', 'VariableFrameRate', 'Rotation']
const VIEWS = 'select name, kind from resource_views join resources using (resource_id) order by name, kind'
const JOBS = 'select kind, state, count(*) as times from jobs group by kind, state order by kind'

it('gets strips, waveforms, previews and figures, once', { timeout: 90_000 }, async () => {
  const first = await openStation(await settings())
  const args = { paths: [join(dir, 'media')], case: null }
  await first.command({ command: 'ingest', args, user: 'test' }, () => {}, new AbortController().signal)
  await first.close()
  const views = rows(VIEWS)
  expect(views).toEqual([
    { name: 'tone.wav', kind: 'waveform' },
    { name: 'walk.mkv', kind: 'strip' },
    { name: 'walk.mkv', kind: 'waveform' },
  ])
  const before = rows<{ kind: string; times: number }>(JOBS)

  // As the station before this one had left it.
  const db = openTestRows(join(dir, 'data', 'sallyport.db'))
  db.exec(`
    DELETE FROM resource_views;
    DELETE FROM jobs WHERE kind IN ('derive.strip', 'derive.waveform', 'derive.preview');
    DELETE FROM resources WHERE role = 'preview' AND mime_type LIKE 'image/%';
    UPDATE jobs SET state = 'failed' WHERE kind = 'derive.poster';
    UPDATE resources SET thumbnail_sha256 = NULL WHERE name = 'walk.mkv';
  `)
  const known = db.prepare('SELECT resource_id, media FROM resources WHERE media IS NOT NULL').all()
  for (const { resource_id: id, media } of known as { resource_id: number; media: string }[]) {
    const left = Object.entries(JSON.parse(media)).filter(([name]) => !ADDED_SINCE.includes(name))
    db.prepare('UPDATE resources SET media = ? WHERE resource_id = ?').run(JSON.stringify(Object.fromEntries(left)), id)
  }
  db.close()
  const station = await startServer(await settings())
  try {
    await expect.poll(() => rows(VIEWS), { timeout: 60_000, interval: 500 }).toEqual(views)
    const facts = () =>
      rows<{ media: string }>("select media from resources where name = 'walk.mkv'").map(({ media }) => {
        const { FrameRate, FrameCount, VariableFrameRate, Version } = JSON.parse(media)
        return { rate: FrameRate?.Numerator, frames: FrameCount, uneven: VariableFrameRate, version: Version }
      })
    await expect
      .poll(facts, { timeout: 30_000 })
      .toEqual([{ rate: 30_000, frames: 30, uneven: false, version: FACTS_VERSION }])
    const done = () => rows("select value from station where name = 'derivations'")
    await expect.poll(done, { timeout: 30_000 }).toEqual([{ value: String(FACTS_VERSION) }])
    await expect
      .poll(() => rows("select name from resources where role = 'preview' order by name"), { timeout: 30_000 })
      .toEqual([{ name: 'photo.preview.jpg' }, { name: 'tone.wav' }])
    await expect
      .poll(() => rows("select kind from jobs where state in ('queued', 'running')"), { timeout: 30_000 })
      .toEqual([])
  } finally {
    await station.close()
  }
  // Each original was inspected once more; what had been made or had failed was left as it was.
  const after = rows<{ kind: string; state: string; times: number }>(JOBS)
  expect(after).toEqual(
    before.map((row) => ({
      ...row,
      times: row.kind === 'derive.inspect' ? row.times * 2 : row.times,
      state: row.kind === 'derive.poster' ? 'failed' : 'done',
    })),
  )
})
