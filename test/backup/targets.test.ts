/** Places for snapshots over HTTP: what is refused (decisions 12). */
import { rmSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type IntegrityWorld, integrityWorld } from '../api/integrity/world.ts'

let world: IntegrityWorld
beforeAll(async () => {
  world = await integrityWorld()
})
afterAll(() => world?.given.close())

const folder = (name: string): string => path.join(world.given.dir, name)
const code = async (method: string, place: string, body?: unknown): Promise<unknown> => {
  const { status, json } = await world.send(method, place, body)
  return json?.ErrorCode ?? status
}
const isIdle = async (): Promise<boolean> => (await world.keeping()).Backups.Doing === null

it('S19: a place is added once, and one that is not there is told as that', async () => {
  const { TargetId } = await world.given.expecting(
    201,
    world.send('POST', '/backup-target', { Folder: folder('drive'), EveryHours: 24 }),
  )
  expect(await code('POST', '/backup-target', { Folder: `${folder('drive')}/`, EveryHours: 1 })).toBe('TargetExists')
  const place = `/backup-target/${TargetId}`
  expect(await code('DELETE', place)).toBe(204)
  for (const other of [place, '/backup-target/999999']) {
    expect(await code('DELETE', other)).toBe('TargetNotFound')
    expect(await code('POST', `${other}/snapshot`)).toBe('TargetNotFound')
    expect(await code('POST', `${other}/drill`)).toBe('TargetNotFound')
  }
})

it('S19: nothing is begun while a snapshot is being made', async () => {
  const { TargetId } = await world.given.expecting(
    201,
    world.send('POST', '/backup-target', { Folder: folder('second'), EveryHours: 24 }),
  )
  const place = `/backup-target/${TargetId}`
  await world.until(isIdle, 'the end of the first snapshot')
  const begun = await Promise.all(['snapshot', 'drill', 'snapshot'].map((what) => code('POST', `${place}/${what}`)))
  expect(begun.toSorted()).toEqual([202, 'BackupInProgress', 'BackupInProgress'])
  await world.until(isIdle, 'the end of what was begun')
  expect(world.entries('backup.asked').length).toBe(1)
  rmSync(folder('second'), { recursive: true })
})
