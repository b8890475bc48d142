/** Starts of evidence that an earlier program left out, or reckoned in another time zone (decisions 13, *Times*). */
// @module-tag merge
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { loadSettings } from '../../server/config/settings.ts'
import { openStation, startServer } from '../../server/index.ts'
import { settingsOfRows } from '../support/postgres-given.ts'
import { openTestRows } from '../support/rows.ts'
import { command, ffmpeg, temporaryFolder } from './tools.ts'

let dir = ''
let remove: () => Promise<void>
const settings = async (timeZone: string) => {
  const data = join(dir, 'data')
  const rows = await settingsOfRows(data)
  return loadSettings({}, { data, reserveBytes: 0, minFreeBytes: 0, logLevel: 'silent', port: 0, timeZone, ...rows })
}
const VIENNA = 'Europe/Vienna'
const NAMES = ['gps.jpg', 'local.jpg', 'nothing.jpg', 'zone.jpg']

beforeAll(async () => {
  ;({ dir, remove } = await temporaryFolder('older-starts'))
  const media = join(dir, 'media')
  mkdirSync(media)
  const tags: Record<string, readonly string[]> = {
    'gps.jpg': ['-GPSDateStamp=2024:11:20', '-GPSTimeStamp=05:07:40'],
    'local.jpg': ['-DateTimeOriginal=2024:11:20 14:07:42'],
    'nothing.jpg': ['-Artist=Halden'],
    'zone.jpg': ['-DateTimeOriginal=2024:11:20 14:07:42', '-OffsetTimeOriginal=+05:30'],
  }
  for (const [name, given] of Object.entries(tags)) {
    await ffmpeg(media, '-f', 'lavfi', '-i', `testsrc2=s=160x120:d=1`, '-frames:v', '1', name)
    await command('exiftool', ['-q', '-overwrite_original', '-n', `-Comment=${name}`, ...given, join(media, name)])
  }
  const station = await openStation(await settings(VIENNA))
  await station.command(
    { command: 'ingest', args: { paths: [media], case: null }, user: 'test' },
    () => {},
    new AbortController().signal,
  )
  await station.close()
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
/** Of ticks of 100 ns, to the second. */
const secondOf = (ticks: number | null): string | null =>
  ticks === null ? null : new Date(ticks / 10_000).toISOString().replace(/\.\d+/, '')
const starts = () =>
  rows<{ name: string; start_utc: string | null; ticks: number | null; said: string | null }>(
    `SELECT r.name, e.start_utc, e.start_ticks AS ticks, e.container_start_utc AS said
     FROM evidence e JOIN resources r ON r.evidence_id = e.evidence_id AND r.role = 'original' ORDER BY r.name`,
  ).map(({ ticks, ...one }) => ({ ...one, at: secondOf(ticks) }))
const filled = () =>
  rows<{ body: Uint8Array }>('SELECT body FROM ledger ORDER BY seq')
    .map(({ body }) => JSON.parse(Buffer.from(body).toString('utf8')))
    .filter(({ action }) => action === 'evidence.filled')
    .map(({ detail }) => detail)
const remembered = (name: string) =>
  rows<{ value: string }>(`SELECT value FROM station WHERE name = '${name}'`)[0]?.value
/** The station is up until both chores have come to an end. */
async function throughStart(zone: string): Promise<void> {
  const station = await startServer(await settings(zone))
  try {
    await expect
      .poll(() => [remembered('capture times'), remembered('zone of local times')], { timeout: 30_000 })
      .toEqual(['1', zone])
  } finally {
    await station.close()
  }
}

async function problems(zone: string): Promise<unknown> {
  const station = await openStation(await settings(zone))
  try {
    const verify = { command: 'verify', args: { fast: false }, user: 'test' }
    return ((await station.command(verify, () => {}, new AbortController().signal)) as { problems: unknown }).problems
  } finally {
    await station.close()
  }
}

const IN_VIENNA = [
  { name: 'gps.jpg', start_utc: '2024-11-20T05:07:40Z', at: '2024-11-20T05:07:40Z', said: 'gps:2024-11-20T05:07:40Z' },
  { name: 'local.jpg', start_utc: null, at: '2024-11-20T13:07:42Z', said: '2024-11-20T14:07:42' },
  { name: 'nothing.jpg', start_utc: null, at: null, said: null },
  expect.objectContaining({ name: 'zone.jpg', at: '2024-11-20T08:37:42Z' }),
]

describe('starts of older evidence', () => {
  it('pictures that were read before get the start that their metadata says, once', { timeout: 120_000 }, async () => {
    expect(starts()).toEqual(IN_VIENNA)
    expect(starts().map(({ name }) => name)).toEqual(NAMES)
    // As the station before this one left them.
    const db = openTestRows(join(dir, 'data', 'sallyport.db'))
    db.exec(`
      UPDATE evidence SET start_utc = NULL, start_ticks = NULL, container_start_utc = NULL
        WHERE evidence_id IN (SELECT evidence_id FROM resources WHERE name IN ('gps.jpg', 'local.jpg'));
      DELETE FROM station WHERE name = 'capture times';
    `)
    db.close()
    const before = filled().length
    await throughStart(VIENNA)
    expect(starts()).toEqual(IN_VIENNA)
    expect(filled().slice(before)).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ filled: ['StartTimeUtc'], startTimeFrom: 'gps' }),
        expect.objectContaining({ filled: ['LocalStartTime'], localTime: '2024-11-20T14:07:42' }),
      ]),
    )
    expect(filled()).toHaveLength(before + 2)
    await throughStart(VIENNA)
    expect(filled()).toHaveLength(before + 2)
  })

  it('I12: a local time is sorted anew as in the zone that the station is set to', { timeout: 120_000 }, async () => {
    const before = filled().length
    await throughStart('Asia/Tokyo')
    const tokyo = IN_VIENNA.with(1, { ...IN_VIENNA[1], at: '2024-11-20T05:07:42Z' })
    expect(starts()).toEqual(tokyo)
    const listed = rows<{ ticks: number }>(
      "SELECT l.recorded_ticks AS ticks FROM evidence_list l JOIN resources r USING (evidence_id) WHERE r.name = 'local.jpg'",
    )
    expect(listed.map(({ ticks }) => secondOf(ticks))).toEqual(['2024-11-20T05:07:42Z'])
    expect(filled().slice(before)).toEqual([
      expect.objectContaining({ filled: ['LocalStartTime'], localTime: '2024-11-20T14:07:42', timeZone: 'Asia/Tokyo' }),
    ])
    expect(await problems('Asia/Tokyo'), 'rows are what the newest entries say').toEqual([])
    // Broken off in the middle, with the offset of the camera's clock in it: what is sorted anew already is left alone.
    const db = openTestRows(join(dir, 'data', 'sallyport.db'))
    db.exec(`
      UPDATE station SET value = 'America/New_York' WHERE name = 'zone of local times';
      UPDATE resources SET time_offset = 'PT1M' WHERE name = 'local.jpg';
      UPDATE evidence SET start_ticks = start_ticks + 600000000 WHERE evidence_id = (SELECT evidence_id FROM resources WHERE name = 'local.jpg');
    `)
    db.close()
    await throughStart('Asia/Tokyo')
    expect(filled()).toHaveLength(before + 1)
    await throughStart(VIENNA)
    expect(starts()).toEqual(IN_VIENNA.with(1, { ...IN_VIENNA[1], at: '2024-11-20T13:08:42Z' }))
  })
})
