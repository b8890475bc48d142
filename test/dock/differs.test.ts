/** Files whose bytes are not those of the camera's own list, and cards that were not looked at whole (decisions 13, promise I6). */
// @module-tag merge
import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import type { Json } from '../support/given.ts'
import { dockWorld } from './world.ts'

let world: Awaited<ReturnType<typeof dockWorld>>
afterEach(() => world?.close())

const OTHER = 'a'.repeat(64)
const FILE = 'media/R1_1.mp4'
const receiptOf = async (id: string): Promise<Json> => (await world.get(`/session/${id}/receipt/receipt.json`)).json
const rowsOf = (sql: string): Json[] => world.given.database((db) => db.prepare(sql).all() as Json[])

async function nextRelease(before: string): Promise<Json> {
  return world.until(
    async () => (await world.sessions()).find((one) => one.DockSessionId > before && one.State === 'released'),
    'another release',
  )
}

async function requireAttention(session: Json): Promise<void> {
  expect(session).toMatchObject({ Problems: 1, Differs: 1, Cleared: 0 })
  const tile = (await world.wall())[0]
  expect(tile).toMatchObject({ SafeToTake: true, Problems: 1, Differs: 1, NotLookedAt: 0 })
  const file = (await world.filesOf(session.DockSessionId)).find(({ Path }) => Path === FILE)
  expect(file).toMatchObject({ CameraSha256: OTHER, Cleared: 'kept' })
  expect(file?.Sha256).not.toBe(OTHER)
  const receipt = await receiptOf(session.DockSessionId)
  expect(receipt.totals).toMatchObject({ differs: 1, cleared: 0 })
  expect(receipt.files.find((one: Json) => one.path === FILE)).toMatchObject({ differsFrom: OTHER, cleared: false })
}

describe('a file that differs from the camera’s list', () => {
  it('I6: is kept, named everywhere, and no rule clears it, at this docking or a later one', async () => {
    world = await dockWorld({ dockClear: 'at-once' })
    const camera = world.camera('bay-1', { serial: 'D1', recordings: [1], listed: { [FILE]: OTHER } })
    camera.plugIn()
    const first = await world.reached('bay-1', 'released')
    await requireAttention(first)
    expect(camera.left()).toEqual([FILE])
    expect(rowsOf("SELECT status FROM evidence_list WHERE status = 'differs'")).toHaveLength(1)
    expect(rowsOf('SELECT camera_sha256 FROM resources WHERE camera_sha256 IS NOT NULL')).toEqual([
      { camera_sha256: OTHER },
    ])
    expect(world.entries('resource.completed')[0]).toMatchObject({ detail: { differsFrom: OTHER } })
    // It comes again, and its list says nothing of that file any more.
    camera.pull()
    await world.until(async () => (await world.wall()).length === 0, 'an empty wall')
    const manifest = JSON.parse(
      JSON.stringify(JSON.parse(new TextDecoder().decode(camera.manifest())), (key, value) =>
        key === 'sha256' ? undefined : value,
      ),
    )
    camera.writeManifest(manifest)
    camera.plugIn()
    await requireAttention(await nextRelease(first.DockSessionId))
    expect(camera.left()).toEqual([FILE])
    expect(rowsOf("SELECT status FROM evidence_list WHERE status = 'differs'")).toHaveLength(1)
  })

  it('I6: recognised by name, size and time alone it stays as it was named', async () => {
    world = await dockWorld({ dockClear: 'never', dockRehash: 'changed' })
    const camera = world.camera('bay-1', { serial: 'D2', recordings: [1], listed: { [FILE]: OTHER } })
    camera.plugIn()
    const first = await world.reached('bay-1', 'released')
    camera.pull()
    await world.until(async () => (await world.wall()).length === 0, 'an empty wall')
    const manifest = JSON.parse(new TextDecoder().decode(camera.manifest()))
    for (const recording of manifest.recordings) for (const file of recording.files) delete file.sha256
    camera.writeManifest(manifest)
    camera.plugIn()
    const second = await nextRelease(first.DockSessionId)
    expect((await world.filesOf(second.DockSessionId)).find(({ Path }) => Path === FILE)).toMatchObject({
      Outcome: 'here',
      CameraSha256: OTHER,
    })
    await requireAttention(second)
  })

  it('I6: contradicted at a later docking for the first time, it is named from then on', async () => {
    world = await dockWorld({ dockClear: 'never' })
    const camera = world.camera('bay-1', { serial: 'D3', recordings: [1] })
    camera.plugIn()
    const first = await world.reached('bay-1', 'released')
    expect(first).toMatchObject({ Problems: 0, Differs: 0 })
    camera.pull()
    await world.until(async () => (await world.wall()).length === 0, 'an empty wall')
    const manifest = JSON.parse(new TextDecoder().decode(camera.manifest()))
    manifest.recordings[0].files[0].sha256 = OTHER
    camera.writeManifest(manifest)
    camera.plugIn()
    const second = await nextRelease(first.DockSessionId)
    await requireAttention(second)
    expect(rowsOf("SELECT status FROM evidence_list WHERE status = 'differs'")).toHaveLength(1)
    const [noted, ...others] = world.entries('resource.differs')
    expect(others).toEqual([])
    expect(noted).toMatchObject({ detail: { differsFrom: OTHER, dockSessionId: second.DockSessionId, path: FILE } })
    // At the third docking it is known: nothing is written down anew.
    camera.pull()
    await world.until(async () => (await world.wall()).length === 0, 'an empty wall')
    camera.plugIn()
    await requireAttention(await nextRelease(second.DockSessionId))
    expect(world.entries('resource.differs')).toHaveLength(1)
  })

  it('I6: a camera that comes back with another list while its session waits for it is judged by the new list', async () => {
    world = await dockWorld({ dockClear: 'at-once' })
    const camera = world.camera('bay-1', { serial: 'D7', recordings: [1, 8], bytes: 4_000_000 })
    const sessionOf = async (): Promise<Json> => (await world.sessions())[0]
    camera.plugIn()
    await world.until(async () => (await sessionOf())?.FilesDone >= 1 && (await sessionOf()), 'the first file')
    camera.pull()
    await world.until(async () => (await sessionOf()).State === 'pulled', 'a camera that was pulled early')
    const [session] = await world.sessions()
    const had = (await world.filesOf(session.DockSessionId)).filter(({ Outcome }) => Outcome === 'taken')
    const manifest = JSON.parse(new TextDecoder().decode(camera.manifest()))
    for (const { files } of manifest.recordings) for (const one of files) one.sha256 = OTHER
    camera.writeManifest(manifest)
    camera.plugIn()
    const released = await world.reached('bay-1', 'released')
    expect(released).toMatchObject({ DockSessionId: session.DockSessionId, Differs: 9, Problems: 9, Cleared: 0 })
    expect(camera.left()).toHaveLength(9)
    expect(world.entries('resource.differs').length).toBeGreaterThanOrEqual(had.length)
    expect(rowsOf('SELECT camera_sha256 FROM resources')).toEqual(
      Array.from({ length: 9 }, () => ({ camera_sha256: OTHER })),
    )
  })

  it('a file that is as the list says is green and cleared', async () => {
    world = await dockWorld({ dockClear: 'at-once' })
    const camera = world.camera('bay-1', { serial: 'D4', recordings: [1] })
    const manifest = JSON.parse(new TextDecoder().decode(camera.manifest()))
    // A camera may write its digits as it likes.
    manifest.recordings[0].files[0].sha256 = camera.files[0]?.sha256.toUpperCase()
    camera.writeManifest(manifest)
    camera.plugIn()
    expect(await world.reached('bay-1', 'released')).toMatchObject({ Problems: 0, Differs: 0, Cleared: 1 })
    expect(camera.left()).toEqual([])
    expect(rowsOf("SELECT status FROM evidence_list WHERE status = 'differs'")).toEqual([])
  })
})

describe('a card that was not read completely', () => {
  it('3.9: folders deeper than the station goes: the camera is not safe to take, and nothing is cleared from it', async () => {
    world = await dockWorld({ dockClear: 'at-once' })
    const camera = world.camera('bay-1', { serial: 'D5', recordings: [1] })
    const deep = path.join(camera.at, 'media', ...Array.from({ length: 20 }, (_, at) => `d${at}`))
    mkdirSync(deep, { recursive: true })
    writeFileSync(path.join(deep, 'R9_1.mp4'), 'a recording that nobody sees')
    camera.plugIn()
    const session = await world.reached('bay-1', 'released')
    expect(session.NotLookedAt).toBeGreaterThan(0)
    expect((await world.wall())[0]).toMatchObject({ SafeToTake: false, NotLookedAt: session.NotLookedAt })
    expect(session).toMatchObject({ Cleared: 0 })
    expect(camera.left()).toContain(FILE)
    expect((await world.filesOf(session.DockSessionId)).find(({ Path }) => Path === FILE)).toMatchObject({
      Outcome: 'taken',
      Cleared: 'kept',
      KeptBecause: expect.stringMatching(/could not look at everything/),
    })
  })

  it('3.9: files that the list names outside the camera are listed as refused, and nothing outside is read', async () => {
    world = await dockWorld()
    const camera = world.camera('bay-1', { serial: 'D6', recordings: [1] })
    const manifest = JSON.parse(new TextDecoder().decode(camera.manifest()))
    const outside = ['../../etc/passwd', '/etc/passwd', 'media/../../../x.mp4', '..\\..\\x.mp4', 'C:\\x.mp4']
    manifest.recordings[0].files.push(...outside.map((one) => ({ path: one })))
    manifest.recordings.push({ id: 'R2', startUtc: '2026-11-21T09:00:00Z', files: [{ path: '../only-outside.mp4' }] })
    camera.writeManifest(manifest)
    camera.plugIn()
    const session = await world.reached('bay-1', 'released')
    const refused = (await receiptOf(session.DockSessionId)).files.filter(({ reason }: Json) =>
      reason?.startsWith('Refused: '),
    )
    expect(refused.map((one: Json) => one.path).sort()).toEqual([...outside, '../only-outside.mp4'].sort())
    expect(refused.every((one: Json) => one.outcome === 'failed' && one.sha256 === null)).toBe(true)
    expect(session.Problems).toBe(refused.length)
    expect((await world.wall())[0]).toMatchObject({ Problems: refused.length })
  })
})
