// @module-tag merge
import { randomBytes } from 'node:crypto'
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Json, sha256Of } from '../support/given.ts'
import { temporaryFolder } from '../support/station.ts'
import { DOCK, dockWorld } from './world.ts'

let place: Awaited<ReturnType<typeof temporaryFolder>>
let folder: string
let world: Awaited<ReturnType<typeof dockWorld>>

const open = async (more: Record<string, unknown> = {}, settings: Record<string, unknown> = {}): Promise<void> => {
  world = await dockWorld({ dockSync: JSON.stringify([{ folder, stillSeconds: 1, ...more }]), ...settings })
}
const put = (name: string, bytes: Buffer = randomBytes(4000)): string => {
  mkdirSync(path.dirname(path.join(folder, name)), { recursive: true })
  bytes.fill(0, 0, Math.min(2, bytes.length))
  writeFileSync(path.join(folder, name), bytes)
  return sha256Of(bytes)
}
/** Of all sessions, oldest first. */
const filesTold = async (): Promise<Json[]> => {
  const all: Json[] = []
  for (const { DockSessionId } of (await world.sessions()).toReversed())
    all.push(...(await world.filesOf(DockSessionId)))
  return all
}
const released = (count: number): Promise<Json[]> =>
  world.until(async () => {
    const all = await world.sessions()
    return all.length >= count && all.every(({ State }) => State === 'released') ? all : null
  }, `${count} sessions`)
const takenAs = (sha256: string): Promise<Json> =>
  world.until(async () => (await filesTold()).find((one) => one.Sha256 === sha256), sha256)

const user = (username: string): Promise<Json> =>
  world.given.command('user.create', {
    username,
    password: 'seven lamps by the harbour',
    policies: [],
    group: null,
    guest: false,
  }) as Promise<Json>

beforeEach(async () => {
  place = await temporaryFolder('watched')
  folder = path.join(place.dir, 'incoming')
  mkdirSync(folder)
})
afterEach(async () => {
  await world?.close()
  await place.dispose()
})

describe('a folder that is watched', () => {
  it('is taken in like a camera: read back, listed with foreign files, with a receipt; nothing in it is changed', async () => {
    const one = put('interview.bin')
    const deep = put('room 2/2026-11/part a.bin')
    writeFileSync(path.join(place.dir, 'secret'), 'elsewhere')
    symlinkSync(path.join(place.dir, 'secret'), path.join(folder, 'link.mp4'))
    await open()
    const [session] = await released(1)
    expect(session).toMatchObject({
      Bay: folder,
      Profile: 'watched-folder',
      ClearRule: 'never',
      Files: 2,
      FilesDone: 2,
      Problems: 0,
      Foreign: 1,
    })
    const files = await filesTold()
    expect(files.map((file) => [file.Path, file.Outcome, file.Sha256])).toEqual(
      expect.arrayContaining([
        ['interview.bin', 'taken', one],
        ['room 2/2026-11/part a.bin', 'taken', deep],
        ['link.mp4', 'foreign', null],
      ]),
    )
    expect(sha256Of(world.blob(one))).toBe(one)
    const detail = (await world.get(`/session/${session?.DockSessionId}`)).json
    expect(detail.Clock).toMatchObject([{ Camera: null }])
    const receipt = (await world.get(`/session/${session?.DockSessionId}/receipt/receipt.json`)).json
    expect(receipt).toMatchObject({ bay: folder, totals: { taken: 2, foreign: 1, failed: 0, cleared: 0 } })
    expect(readdirSync(folder).sort()).toEqual(['interview.bin', 'link.mp4', 'room 2'])
    // It is no bay, and no empty one either.
    const wall = (await world.given.expecting(200, world.given.call('GET', `${DOCK}/wall`, { token: null }))) as Json
    expect([wall.Tiles, wall.Empty]).toEqual([[], []])
  })

  it('takes what comes later by itself, what was changed once more, what was renamed as what it is, and nothing twice', async () => {
    const first = put('a.bin', Buffer.alloc(3000, 7))
    await open()
    await takenAs(first)
    await released(1)
    const changed = put('a.bin', Buffer.alloc(3000, 8))
    await takenAs(changed)
    await released(2)
    // A program that writes under another name first.
    const whole = put('film.mp4.part', Buffer.alloc(5000, 9))
    const other = put('b.bin')
    await takenAs(other)
    expect((await filesTold()).some((file) => file.Path.startsWith('film'))).toBe(false)
    renameSync(path.join(folder, 'film.mp4.part'), path.join(folder, 'film.mp4'))
    expect(await takenAs(whole)).toMatchObject({ Path: 'film.mp4', Outcome: 'taken' })
    const sessions = await released(4)
    // Every file once: whatever was there stayed there, and no run listed it again.
    expect((await filesTold()).map((file) => file.Sha256)).toEqual([first, changed, other, whole])
    expect(new Set(sessions.map((one) => one.ReceiptSha256)).size).toBe(4)
  })

  it('waits for a growing file until it is unchanged for a while', async () => {
    await open({ stillSeconds: 2 })
    const parts = Array.from({ length: 8 }, () => randomBytes(1000))
    put('growing.bin', Buffer.alloc(2))
    for (const part of parts) {
      appendFileSync(path.join(folder, 'growing.bin'), part)
      await new Promise((resolve) => setTimeout(resolve, 400))
    }
    const whole = sha256Of(readFileSync(path.join(folder, 'growing.bin')))
    await takenAs(whole)
    await released(1)
    expect(await filesTold()).toHaveLength(1)
  })
})

describe('a file that the station has', () => {
  it('is removed where the setting says so, and foreign files stay', async () => {
    const sha256 = put('one/a.bin')
    symlinkSync('/etc/passwd', path.join(folder, 'link'))
    await open({ after: 'clear' })
    const [session] = await released(1)
    expect(session).toMatchObject({ ClearRule: 'at-once', Cleared: 1 })
    expect(existsSync(path.join(folder, 'one/a.bin'))).toBe(false)
    expect(readdirSync(folder).sort()).toEqual(['link', 'one'])
    expect(sha256Of(world.blob(sha256))).toBe(sha256)
  })

  it('S19: is removed also where another entry of the folder cannot be read: a folder is not taken away', async () => {
    put('a.bin')
    const deep = `${'deep/'.repeat(20)}b.bin`
    put(deep)
    await open({ after: 'clear' })
    const [session] = await released(1)
    expect(session).toMatchObject({ FilesDone: 1, Cleared: 1 })
    expect((await filesTold()).filter(({ Outcome }) => Outcome === 'failed')).toHaveLength(1)
    expect([existsSync(path.join(folder, 'a.bin')), existsSync(path.join(folder, deep))]).toEqual([false, true])
  })

  it('is moved aside under its own path, never over another, and is not taken in from there', async () => {
    const first = put('one/a.bin')
    await open({ after: 'move' })
    await released(1)
    const second = put('one/a.bin')
    await takenAs(second)
    const sessions = await released(2)
    expect(sessions[0]).toMatchObject({ ClearRule: 'move', Cleared: 1 })
    const aside = path.join(folder, '.taken/one')
    expect(readdirSync(aside).sort()).toEqual(['a.bin', 'a.bin.2'])
    expect(sha256Of(readFileSync(path.join(aside, 'a.bin')))).toBe(first)
    expect(sha256Of(readFileSync(path.join(aside, 'a.bin.2')))).toBe(second)
    expect(world.entries('dock.fileCleared').map((entry) => entry.detail.movedTo)).toEqual([
      '.taken/one/a.bin',
      '.taken/one/a.bin.2',
    ])
    expect(await filesTold()).toHaveLength(2)
  })
})

describe('whose it is', () => {
  it('says the name of the folder in which it lies; a name that nobody has is told', async () => {
    await open({ officerFolders: true })
    const { principalId } = await user('ferry.b')
    put('ferry.b/statement.bin')
    put('nobody.x/other.bin')
    const [session] = await released(1)
    const detail = (await world.get(`/session/${session?.DockSessionId}`)).json
    expect(detail.Recordings.map((one: Json) => [one.Name, one.Officer?.Username ?? null]).sort()).toEqual([
      ['other.bin', null],
      ['statement.bin', 'ferry.b'],
    ])
    expect(detail.Notes).toEqual(['Nobody signs in as nobody.x: what is theirs is attributed to nobody.'])
    const evidence = detail.Recordings.find((one: Json) => one.Officer !== null).EvidenceId
    const held = await world.given.meddle((db) =>
      db.prepare('SELECT principal_id, level FROM evidence_policies WHERE evidence_id = ?').all(evidence),
    )
    expect(held).toEqual([{ principal_id: Number(principalId), level: 'View' }])
  })

  it('says the device that the setting names: its officers at that time, and that nobody proved it', async () => {
    await open({ device: { serialNumber: 'IV-1', manufacturer: 'Lantern', deviceType: 'InterviewRoom' } })
    const sha256 = put('a.bin')
    const { EvidenceId } = await takenAs(sha256)
    await released(1)
    const [session] = await world.sessions()
    expect(session).toMatchObject({ Device: { SerialNumber: 'IV-1', Manufacturer: 'Lantern' } })
    const identity = await world.given.meddle((db) =>
      db.prepare('SELECT device_identity FROM evidence WHERE evidence_id = ?').pluck().get(EvidenceId),
    )
    expect(identity).toBe('Claimed')
  })
})

describe('a folder that vanishes', () => {
  it('raises one alarm, loses nothing, and continues when it is back', async () => {
    const sha256 = put('a.bin')
    await open()
    await takenAs(sha256)
    await released(1)
    renameSync(folder, `${folder} away`)
    const alarms = (): Json[] => world.entries('alarm.raised')
    await world.until(async () => alarms().length > 0, 'the alarm')
    expect(alarms()[0]).toMatchObject({ object: { name: 'source' }, outcome: 'failed' })
    expect(alarms()[0]?.reason).toContain(folder)
    renameSync(`${folder} away`, folder)
    const later = put('b.bin')
    await takenAs(later)
    await released(2)
    expect(await filesTold()).toHaveLength(2)
    expect(alarms()).toHaveLength(1)
  })
})
