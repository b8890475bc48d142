/** When the whole volume of the blobs is away (promise I5): one alarm, no verdict on any blob, and on it goes when it is back. */
import { mkdirSync, readdirSync, renameSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type IntegrityWorld, integrityWorld } from './world.ts'

let world: IntegrityWorld
let hashes: string[]
beforeAll(async () => {
  world = await integrityWorld()
  hashes = []
  for (let at = 0; at < 6; at++) {
    const { sha256, evidenceId } = await world.given.completed(Buffer.from(`statement ${at} `.repeat(100)))
    await world.given.settled(evidenceId)
    hashes.push(sha256)
  }
  await world.runAll()
})
afterAll(() => world?.given.close())

const results = (): unknown[] =>
  world.given.database((db) => db.prepare('SELECT DISTINCT result FROM blob_checks').pluck().all())
const verdicts = (): number => world.entries('resource.checked').length
const raised = (): string[] => world.entries('alarm.raised').map(({ detail }) => detail.subject)
const storeIsReady = async (): Promise<boolean> =>
  (await world.given.call('GET', '/readyz', { token: null })).json.Checks.store.Ok
const acknowledged = async (): Promise<void> => {
  const [alarm] = await world.alarms()
  await world.given.expecting(
    200,
    world.send('POST', `/alarm/${alarm?.AlarmId}/acknowledge`, { Reason: 'The cable is being looked at.' }),
  )
}
/** Asks for everything to be read, and waits until the schedule has looked at least twice. */
const asked = async (): Promise<void> => {
  await world.given.expecting(201, world.send('POST', '/run'))
  await world.until(async () => (await world.alarms()).length > 0, 'the alarm')
  await new Promise((resolve) => setTimeout(resolve, 6_000))
}
/** The run that waited goes on by itself. */
const wentOn = (): Promise<unknown> =>
  world.until(async () => {
    const { Run, LastRun } = (await world.keeping()).Fixity
    return Run === null && LastRun?.State === 'done' && LastRun.Problems === 0
  }, 'the end of the run')

it('I5 its folder is gone: the schedule rests, says so once, and goes on when it is back', {
  timeout: 60_000,
}, async () => {
  const blobs = path.join(world.given.data, 'blobs')
  expect(await storeIsReady()).toBe(true)
  renameSync(blobs, `${blobs}.away`)
  await asked()
  const [alarm, ...more] = await world.alarms()
  expect([alarm, more]).toMatchObject([{ Kind: 'missing', Subject: 'blobs', EvidenceIds: [] }, []])
  expect(alarm?.Message).toMatch(
    /^The volume of the blobs is away since 2\S+Z\. The folder of the blobs is not there\. Nothing is checked until it is back\.$/,
  )
  expect([results(), verdicts(), await storeIsReady()]).toEqual([['matches'], 0, false])
  // Whoever knows of it is not told again while it lasts.
  await acknowledged()
  await new Promise((resolve) => setTimeout(resolve, 6_000))
  expect([await world.alarms(), raised()]).toEqual([[], ['blobs']])
  renameSync(`${blobs}.away`, blobs)
  await wentOn()
  expect([await world.alarms(), results(), await storeIsReady()]).toEqual([[], ['matches'], true])
})

it('I5 nothing in it can be read: the same, and a later time is an alarm of its own', { timeout: 60_000 }, async () => {
  const blobs = path.join(world.given.data, 'blobs')
  const aside = path.join(world.given.dir, 'aside')
  mkdirSync(aside)
  const folders = readdirSync(blobs).filter((name) => /^[0-9a-f]{2}$/.test(name))
  for (const name of folders) renameSync(path.join(blobs, name), path.join(aside, name))
  await asked()
  expect((await world.alarms()).map(({ Message }) => Message)).toEqual([
    expect.stringMatching(/Of \d+ blobs that were good none can be read\./),
  ])
  expect([results(), verdicts(), raised()]).toEqual([['matches'], 0, ['blobs', 'blobs']])
  await acknowledged()
  for (const name of folders) renameSync(path.join(aside, name), path.join(blobs, name))
  await wentOn()
  // One that is missing among others that are there is missing.
  world.remove(hashes[0] as string)
  expect((await world.runAll()).Problems).toBe(1)
  expect((await world.alarms()).map(({ Subject }) => Subject)).toEqual([hashes[0]])
})
