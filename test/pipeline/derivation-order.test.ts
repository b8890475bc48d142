// @module-tag merge
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { openRaw } from '../../server/kernel/database/sqlite/raw.ts'
import { startServer } from '../../server/index.ts'
import { type Given, givenStation } from '../support/given.ts'
import { ffmpeg, temporaryFolder } from './tools.ts'

interface Job {
  readonly kind: string
  readonly subject: string
  readonly state: string
  readonly started_utc: string
  readonly finished_utc: string
}

let given: Given
let dir = ''
let remove: () => Promise<void>
beforeAll(async () => {
  // A clock of its own: each reading is a millisecond after the one before, so that no two jobs begin at the same time.
  let now = Date.UTC(2026, 10, 21, 6)
  vi.spyOn(Date, 'now').mockImplementation(() => (now += 1))
  ;({ dir, remove } = await temporaryFolder('order'))
  const film = ['-f', 'lavfi', '-i', 'testsrc2=s=160x120:r=10:d=1']
  await ffmpeg(dir, ...film, '-c:v', 'libx264', '-pix_fmt', 'yuv420p', 'copied.mkv')
  await ffmpeg(dir, ...film, '-c:v', 'mjpeg', '-pix_fmt', 'yuvj420p', 'converted.avi')
  given = await givenStation({ settings: { toolFolders: join(dir, 'none') }, fresh: true })
})
afterAll(async () => {
  await given?.close()
  await remove?.()
  vi.restoreAllMocks()
})

const jobs = (): Job[] => {
  const db = openRaw(given.file, { readOnly: true })
  try {
    return db.prepare("SELECT * FROM jobs WHERE kind LIKE 'derive.%'").all() as Job[]
  } finally {
    db.close()
  }
}

it('takes the newest evidence first, every poster before what plays and that before strips, two at a time', async () => {
  expect(given.settings.deriveLanes).toBe(2)
  // Without ffmpeg the copied ones are played already: their posters and strips wait, of the others posters and what plays.
  const ids: string[] = []
  for (const name of ['copied.mkv', 'converted.avi', 'copied.mkv', 'converted.avi']) {
    const { evidenceId, resourceId } = await given.completed(readFileSync(join(dir, name)), { name })
    await given.settled(evidenceId)
    ids.push(resourceId)
  }
  await given.stop()
  const label = ({ kind, subject }: Job): string =>
    `${kind.replace('derive.', '')} ${ids.indexOf(subject.replace('resource:', '')) + 1}`
  const waiting = ['playable 2', 'playable 4', 'poster 1', 'poster 2', 'poster 3', 'poster 4', 'strip 1', 'strip 3']
  const found = jobs().filter(({ state }) => state === 'waiting')
  expect(found.map(label).toSorted()).toEqual(waiting)

  const { toolFolders: _none, ...settings } = given.settings
  const station = await startServer({ ...settings, port: 0 })
  try {
    const madeOf = (): Job[] => jobs().filter(({ kind, state }) => kind === 'derive.strip' && state === 'done')
    for (let tries = 0; tries < 600 && madeOf().length < 4; tries++)
      await new Promise((resolve) => setTimeout(resolve, 50))
  } finally {
    await station.close()
  }
  const taken = jobs()
    .filter((job) => [...waiting, 'strip 2', 'strip 4'].includes(label(job)))
    .toSorted((a, b) => a.started_utc.localeCompare(b.started_utc))
  expect(taken.map(({ state }) => state)).toEqual(taken.map(() => 'done'))
  const order = taken.map(label)
  expect(order.slice(0, 6)).toEqual(['poster 4', 'poster 3', 'poster 2', 'poster 1', 'playable 4', 'playable 2'])
  // The strips of the converted ones come as soon as these are there.
  expect(order.slice(6).toSorted()).toEqual(['strip 1', 'strip 2', 'strip 3', 'strip 4'])
  expect(order.indexOf('strip 3')).toBeLessThan(order.indexOf('strip 1'))
  const together = taken.map(
    ({ started_utc: at }) => taken.filter((one) => one.started_utc <= at && one.finished_utc > at).length,
  )
  expect(Math.max(...together)).toBe(2)
})
