import { forgetSeenNotices } from '../../server/features/notifications/notices.ts'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { DockParts } from '../../server/features/docking/session/context.ts'
import { advance } from '../../server/features/docking/bays/run-session.ts'
import { sessionById, type SessionRow } from '../../server/features/docking/session/sessions.store.ts'
import { type NoticesWorld, noticesWorld, TENANT } from './world.ts'

/** Who is told when a camera fails, when stored bytes changed, when dispatch cannot be read; and what is kept of it. */
const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE
let folder: string
let world: NoticesWorld
let keeper: number
let officer: number
let custodian: number
let nobody: number
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'sallyport-notices-'))
  world = await noticesWorld(join(folder, 'a.db'))
  ;[keeper, officer, custodian, nobody] = [
    await world.principal('user'),
    await world.principal('user'),
    await world.principal('user'),
    await world.principal('user'),
  ]
  const administrators = await world.principal('group', true)
  await world.join(administrators, custodian)
  const technicians = await world.principal('group')
  await world.join(technicians, keeper)
  await world.inPolicy('ManageDevices', technicians)
})
afterAll(async () => {
  await world?.close()
  rmSync(folder, { recursive: true, force: true })
})

const fails = async (session: SessionRow): Promise<void> => {
  const parts = { db: world.db, ledger: world.ledger } as unknown as DockParts
  const row = async (): Promise<SessionRow> =>
    (await sessionById(world.db.read, session.session_id)) as unknown as SessionRow
  await advance({ parts, id: session.session_id }, await row(), {
    event: 'failed',
    reason: 'The card answers no more.',
  })
}
const triesAgain = async (session: SessionRow): Promise<void> => {
  const parts = { db: world.db, ledger: world.ledger } as unknown as DockParts
  const row = (await sessionById(world.db.read, session.session_id)) as SessionRow
  await advance({ parts, id: session.session_id }, row, { event: 'tryAgain' })
}
const about = async (who: number, kind: string) => (await world.list(who)).filter(({ Kind }) => Kind === kind)

describe('a camera that failed', () => {
  it('is told to who manages devices, by its name, and to its officer, without; once for all tries of a day', async () => {
    world.device('d7', [officer])
    const session = (await world.session('d7')) as SessionRow
    for (let tries = 0; tries < 5; tries++) {
      await fails(session)
      world.clock.advance(15_000)
      if (tries === 2) await world.seeAll(keeper)
      await triesAgain(session)
    }
    const object = { Type: 'dockSession', Id: String(session.session_id) }
    const [one, ...others] = await about(keeper, 'camera.failed')
    expect(others).toEqual([])
    expect(one).toMatchObject({
      Object: { ...object, Name: 'Camera 7' },
      Message: 'The card answers no more.',
      Times: 5,
      System: true,
    })
    // Whoever saw it is not told every quarter of a minute.
    expect(one?.SeenUtc).not.toBeNull()
    expect(await about(officer, 'camera.failed')).toEqual([
      expect.objectContaining({ Object: { ...object, Name: null }, Message: '', CreatedBy: null, Times: 5 }),
    ])
    for (const who of [custodian, nobody]) expect(await about(who, 'camera.failed')).toEqual([])
    world.clock.advance(DAY)
    await fails(session)
    expect((await about(keeper, 'camera.failed')).map(({ Times }) => Times)).toEqual([1, 5])
  })

  it('before it is identified, to device managers alone', async () => {
    const session = (await world.session(null)) as SessionRow
    const before = (await about(officer, 'camera.failed')).length
    await fails(session)
    expect((await about(keeper, 'camera.failed'))[0]?.Object.Name).toBe('1-2.3')
    expect((await about(officer, 'camera.failed')).length).toBe(before)
  })
})

describe('a file that differs from the list of its camera', () => {
  it('is notified once for each docking, with the first file and the number of files; a file that fits is not mentioned', async () => {
    world.device('d8', [officer])
    const session = (await world.session('d8')) as SessionRow
    const append = (
      action: 'resource.completed' | 'resource.differs' | 'dock.fileHere',
      name: string,
      differs = true,
    ) =>
      world.inTransaction((tx) =>
        world.ledger.append(tx, world.callOf(0), {
          action,
          object: { type: 'resource', id: '1', name },
          detail: {
            dockSessionId: String(session.session_id),
            ...(differs ? { differsFrom: 'a'.repeat(64) } : {}),
          },
        }),
      )
    await append('resource.completed', 'whole.mp4', false)
    for (const who of [keeper, officer]) expect(await about(who, 'camera.differs')).toEqual([])
    await append('resource.completed', 'first.mp4')
    await append('resource.differs', 'second.mp4')
    // Of one that an earlier docking told of already, its entry at this one says nothing new.
    await append('dock.fileHere', 'third.mp4')
    const object = { Type: 'dockSession', Id: String(session.session_id) }
    expect(await about(keeper, 'camera.differs')).toEqual([
      expect.objectContaining({
        Object: { ...object, Name: 'Camera 7' },
        Message: 'first.mp4',
        Times: 2,
        System: false,
      }),
    ])
    expect(await about(officer, 'camera.differs')).toEqual([
      expect.objectContaining({ Object: { ...object, Name: null }, Message: '', Times: 2 }),
    ])
    for (const who of [custodian, nobody]) expect(await about(who, 'camera.differs')).toEqual([])
  })
})

describe('alarms', () => {
  it('I5 a thousand of one hour are one notice for those who keep the station, and it goes with its alarm', async () => {
    const raise = (subject: number) =>
      world.inTransaction((tx) =>
        world.alarms.raise(tx, world.callOf(0), {
          kind: 'changed',
          subject: String(subject),
          message: 'The bytes on the disk are others now.',
        }),
      )
    for (let blob = 0; blob < 1000; blob++) await raise(blob)
    expect(await about(custodian, 'fixity.alarm')).toEqual([
      expect.objectContaining({
        Object: { Type: 'station', Id: TENANT, Name: TENANT },
        Times: 1000,
        SeenUtc: null,
        Message: 'The bytes on the disk are others now.',
      }),
    ])
    await world.seeAll(custodian)
    // Bytes that are lost ring again, also within the hour.
    await raise(1000)
    expect(await about(custodian, 'fixity.alarm')).toEqual([expect.objectContaining({ Times: 1001, SeenUtc: null })])
    for (const who of [keeper, officer, nobody]) expect(await about(who, 'fixity.alarm')).toEqual([])
    const undone = world.inTransaction(async (tx) => {
      await world.alarms.raise(tx, world.callOf(0), { kind: 'missing', subject: 'x', message: 'Gone.' })
      throw new Error('undone')
    })
    await expect(undone).rejects.toThrow('undone')
    expect(await about(custodian, 'fixity.alarm')).toEqual([expect.objectContaining({ Times: 1001 })])
  })
})

describe('keeping', () => {
  it('notices that were seen ninety days ago are removed, and unseen ones stay', async () => {
    const [one, other] = [await world.principal('user'), await world.principal('user')]
    const id = await world.aCase()
    await world.policies(id, [
      { principalId: one, level: 'View' },
      { principalId: other, level: 'View' },
    ])
    await world.share(id, nobody, one)
    await world.share(id, nobody, other)
    await world.seeAll(one)
    world.clock.advance(90 * DAY)
    await forgetSeenNotices(world, () => true)
    expect((await world.list(one)).length).toBe(1)
    world.clock.advance(1)
    await forgetSeenNotices(world, () => true)
    expect([(await world.list(one)).length, (await world.list(other)).length]).toEqual([0, 1])
  })
})
