// @module-tag merge
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Json, sha256Of } from '../support/given.ts'
import { dockWorld } from './world.ts'
import { openTestRows } from '../support/rows.ts'

type World = Awaited<ReturnType<typeof dockWorld>>

/** Another volume than that of the temporary folder, on a machine that has one. */
const OTHER = '/dev/shm'
const hasOther = (() => {
  try {
    return statSync(OTHER).dev !== statSync(tmpdir()).dev
  } catch {
    return false
  }
})()

describe.skipIf(!hasOther)(hasOther ? 'a second copy' : 'a second copy (skipped: this machine has one volume)', () => {
  let world: World
  let volume: string
  let folder: string
  beforeEach(() => {
    volume = mkdtempSync(path.join(OTHER, 'sallyport-second-'))
    folder = path.join(volume, 'copies')
  })
  afterEach(async () => {
    await world?.close()
    rmSync(volume, { recursive: true, force: true })
  })
  const at = (sha256: string): string => path.join(folder, sha256.slice(0, 2), sha256.slice(2, 4), sha256)
  const receiptOf = async ({ DockSessionId }: Json): Promise<Json> =>
    (await world.get(`/session/${DockSessionId}/receipt/receipt.json`)).json
  const waits = (bay: string, reason: RegExp): Promise<Json> =>
    world.until(
      async () =>
        (await world.sessions()).find(
          (one) => one.Bay === bay && one.State === 'verifying' && reason.test(one.Reason ?? ''),
        ),
      `${reason} in ${bay}`,
    )

  it('of every file is durable and read back before the camera is committed, and the receipt says so', async () => {
    mkdirSync(folder)
    world = await dockWorld({ dockSecondCopy: folder, dockClear: 'at-once' })
    const camera = world.camera('bay-1', { serial: 'S1', recordings: [2] })
    camera.plugIn()
    const session = await world.reached('bay-1', 'released')
    expect(session).toMatchObject({ Cleared: 2, Problems: 0 })
    const receipt = await receiptOf(session)
    expect(receipt.secondCopy).toBe(folder)
    for (const { path: name, sha256 } of camera.files) {
      expect(sha256Of(readFileSync(at(sha256)))).toBe(sha256)
      const file = receipt.files.find((one: Json) => one.path === name)
      expect(file).toMatchObject({ cleared: true, secondReadBack: 'cache', secondCopyUtc: expect.any(String) })
      expect(Date.parse(file.secondCopyUtc)).toBeLessThanOrEqual(Date.parse(receipt.committedUtc))
    }
    // The same bytes once more have their second copy already.
    const again = world.camera('bay-2', { serial: 'S1b', recordings: [1] })
    again.plugIn()
    await world.reached('bay-2', 'released')
  })

  it('I6 waits for its volume, at verifying and with its reason, and nothing is cleared before', async () => {
    world = await dockWorld({ dockSecondCopy: folder, dockClear: 'at-once' })
    const camera = world.camera('bay-1', { serial: 'S2', recordings: [2] })
    camera.plugIn()
    const waiting = await waits('bay-1', /is not there: .* Connect its volume/)
    expect(waiting).toMatchObject({ FilesDone: 2, Cleared: 0, CommittedTimeUtc: null })
    expect((await world.wall())[0]).toMatchObject({ State: 'verifying', SafeToTake: false })
    expect([camera.left().length, world.entries('dock.committed').length]).toEqual([2, 0])
    mkdirSync(folder)
    expect(await world.reached('bay-1', 'released')).toMatchObject({ Cleared: 2 })
    for (const { sha256 } of camera.files) expect(sha256Of(readFileSync(at(sha256)))).toBe(sha256)

    // It goes away under the open store; what stands in its place is empty, or that of another station.
    renameSync(folder, `${folder}-unplugged`)
    const next = world.camera('bay-2', { serial: 'S3', recordings: [1] })
    next.plugIn()
    await waits('bay-2', /is not there/)
    mkdirSync(folder)
    await waits('bay-2', /Another volume lies where the second copies were/)
    expect(readdirSync(folder)).toEqual([])
    writeFileSync(path.join(folder, 'sallyport-second-copy'), 'http://another.station')
    await waits('bay-2', /that of another station/)
    expect(next.left()).toHaveLength(1)
    rmSync(folder, { recursive: true })
    renameSync(`${folder}-unplugged`, folder)
    expect(await world.reached('bay-2', 'released')).toMatchObject({ Cleared: 1 })
  })

  it('on the volume of the station is none', async () => {
    const beside = mkdtempSync(path.join(tmpdir(), 'sallyport-beside-'))
    try {
      world = await dockWorld({ dockSecondCopy: beside })
      world.camera('bay-1', { serial: 'S4', recordings: [1] }).plugIn()
      await waits('bay-1', /lies on the same volume/)
      expect(readdirSync(beside)).toEqual([])
    } finally {
      rmSync(beside, { recursive: true })
    }
  })

  it('that was damaged is made anew when the same bytes come again', async () => {
    mkdirSync(folder)
    world = await dockWorld({ dockSecondCopy: folder })
    const camera = world.camera('bay-1', { serial: 'S5', recordings: [1] })
    camera.plugIn()
    const first = await world.reached('bay-1', 'released')
    const [{ sha256, bytes }] = camera.files as [(typeof camera.files)[0]]
    writeFileSync(at(sha256), Buffer.alloc(bytes.length))
    // As if the first session had none: what is there is read before it is believed.
    const db = openTestRows(world.given.file)
    db.prepare('UPDATE dock_files SET second_at = NULL').run()
    db.close()
    camera.pull()
    await world.until(async () => (await world.wall()).length === 0, 'an empty wall')
    camera.plugIn()
    await world.until(
      async () =>
        (await world.sessions()).find((one) => one.DockSessionId !== first.DockSessionId && one.State === 'released'),
      'a second release',
    )
    expect(sha256Of(readFileSync(at(sha256)))).toBe(sha256)
  })
})
