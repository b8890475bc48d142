// @module-tag merge
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { FACTS_VERSION } from '../../server/kernel/evidence/model.ts'
import { loadSettings } from '../../server/config/settings.ts'
import { openStation } from '../../server/index.ts'
import { settingsOfRows } from '../support/postgres-given.ts'
import { openTestRows } from '../support/rows.ts'

/** A station without any tool takes evidence in all the same, copies streams by itself, and goes on when the tools appear. */
const folder = mkdtempSync(join(tmpdir(), 'sallyport-catch-up-'))
const tools = join(folder, 'tools')
const media = join(folder, 'media')
const data = join(folder, 'data')

beforeAll(() => {
  mkdirSync(tools)
  mkdirSync(media)
  const ffmpeg = (...args: string[]) => execFileSync('/usr/bin/ffmpeg', ['-v', 'error', '-y', ...args])
  ffmpeg(
    '-f',
    'lavfi',
    '-i',
    'testsrc2=s=160x120:d=1',
    '-c:v',
    'libx264',
    '-pix_fmt',
    'yuv420p',
    join(media, 'walk.mkv'),
  )
  ffmpeg('-f', 'lavfi', '-i', 'testsrc2=s=160x120:d=1', '-frames:v', '1', join(media, 'still.jpg'))
  ffmpeg('-f', 'lavfi', '-i', 'testsrc2=s=160x120:d=1', '-c:v', 'mpeg4', join(media, 'old.avi'))
})
afterAll(() => rmSync(folder, { recursive: true }))

async function ingest(): Promise<void> {
  const rows = await settingsOfRows(data)
  const station = await openStation(
    loadSettings({}, { data, reserveBytes: 0, minFreeBytes: 0, logLevel: 'silent', toolFolders: tools, ...rows }),
  )
  try {
    const args = { paths: [media], case: null }
    await station.command({ command: 'ingest', args, user: 'test' }, () => {}, new AbortController().signal)
  } finally {
    await station.close()
  }
}

function state() {
  const db = openTestRows(join(data, 'sallyport.db'), { readOnly: true })
  try {
    return {
      jobs: db.prepare('select kind, state, message from jobs order by job_id').all() as {
        kind: string
        state: string
        message: string
      }[],
      derived: (
        db.prepare("select name, role, derivation from resources where role <> 'original' order by name").all() as {
          name: string
          role: string
          derivation: string
        }[]
      ).map(({ derivation, ...one }) => ({ ...one, tool: JSON.parse(derivation).Tool })),
      thumbnails: db.prepare('select count(*) from resources where thumbnail_sha256 is not null').pluck().get(),
      strips: db
        .prepare('select name from resource_views join resources using (resource_id) order by name')
        .pluck()
        .all(),
      facts: (
        db.prepare("select name, media from resources where role = 'original' order by name").all() as {
          name: string
          media: string
        }[]
      ).map(({ name, media }) => {
        const { Version, FrameRate } = JSON.parse(media)
        return { name, version: Version, rate: FrameRate?.Numerator ?? null }
      }),
      originals: db
        .prepare("select count(*) from resources where role = 'original' and state = 'UserCompleted'")
        .pluck()
        .get(),
    }
  } finally {
    db.close()
  }
}

it('ingests without tools, copies streams itself, names the missing tools, and catches up', async () => {
  await ingest()
  const before = state()
  expect(before.originals).toBe(3)
  expect(before.derived).toEqual([{ name: 'walk.mp4', role: 'playable', tool: 'mediabunny' }])
  const waiting = before.jobs.filter((job) => job.state === 'waiting')
  expect(waiting.map((job) => job.kind)).toEqual(
    expect.arrayContaining(['derive.thumbnail', 'derive.exif', 'derive.poster', 'derive.playable']),
  )
  for (const job of waiting) expect(job.message).toMatch(/ffmpeg|exiftool|ffprobe/i)
  expect(before.jobs.filter((job) => job.state === 'failed')).toEqual([])

  for (const name of ['ffmpeg', 'ffprobe', 'exiftool', 'bwrap', 'prlimit', 'nice', 'perl'])
    symlinkSync(join('/usr/bin', name), join(tools, name))
  await ingest()
  const after = state()
  expect(after.jobs.filter((job) => job.state !== 'done')).toEqual([])
  expect(after.thumbnails).toBe(3)
  expect(after.derived).toEqual([
    { name: 'old.mp4', role: 'playable', tool: 'ffmpeg' },
    { name: 'still.jpg.exif.json', role: 'metadata', tool: 'exiftool' },
    { name: 'still.preview.jpg', role: 'preview', tool: 'ffmpeg' },
    { name: 'walk.mp4', role: 'playable', tool: 'mediabunny' },
  ])
  // What was looked at without a tool is looked at again with it.
  expect(after.strips).toEqual(['old.avi', 'walk.mkv'])
  expect(after.facts).toEqual([
    { name: 'old.avi', version: FACTS_VERSION, rate: 25 },
    { name: 'still.jpg', version: FACTS_VERSION, rate: null },
    { name: 'walk.mkv', version: FACTS_VERSION, rate: 25 },
  ])
})
