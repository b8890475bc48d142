/** What the dock wall is told: numbers of bays that stay, whose camera it is, what lay on it, and the stream of it. */
// @module-tag merge
import { afterEach, describe, expect, it } from 'vitest'
import type { Json } from '../support/given.ts'
import { DOCK, dockWorld } from './world.ts'

type World = Awaited<ReturnType<typeof dockWorld>>
let world: World | undefined
afterEach(async () => {
  await world?.close()
  world = undefined
})

const whole = async ({ given }: World): Promise<Json> =>
  given.expecting(200, given.call('GET', `${DOCK}/wall`, { token: null }))

describe('the numbers of bays', () => {
  it('get a number at first use and keep it; bays that were used lately are shown empty', async () => {
    world = await dockWorld()
    const one = world.camera('left', { serial: 'W1', recordings: [1] })
    one.plugIn()
    await world.reached('left', 'released')
    const two = world.camera('by the door', { serial: 'W2', recordings: [1] })
    two.plugIn()
    await world.reached('by the door', 'released')
    const numbers = async () => (await whole(world as World)).Tiles.map((tile: Json) => [tile.Number, tile.Bay])
    expect(await numbers()).toEqual([
      [1, 'left'],
      [2, 'by the door'],
    ])
    one.pull()
    await world.until(async () => (await numbers()).length === 1, 'an empty bay')
    expect(await whole(world)).toMatchObject({
      Tiles: [{ Number: 2 }],
      Empty: [{ Number: 1, Bay: 'left' }],
      TimeZone: expect.stringMatching(/./),
    })
    one.plugIn()
    await world.until(async () => (await numbers()).length === 2, 'a full bay')
    expect((await whole(world)).Tiles[0]).toMatchObject({ Number: 1, Bay: 'left' })
    expect((await whole(world)).Empty).toEqual([])
  })
})

describe('a tile', () => {
  it.each([
    [false, null],
    [true, 'okafor'],
  ])('names who wears the camera only where the setting says so: %s', async (dockWallNames, Wearer) => {
    world = await dockWorld({ dockWallNames })
    const { given, keeper } = world
    const camera = world.camera('bay-1', { serial: 'W3', recordings: [1], extra: { 'notes/readme.txt': 'hello' } })
    camera.plugIn()
    const { DeviceId, DockSessionId } = await world.reached('bay-1', 'released')
    // Its own description is nothing strange; somebody’s notes are, and stay.
    const tile = async (): Promise<Json> => (await whole(world as World)).Tiles[0]
    expect(await tile()).toMatchObject({
      DockSessionId,
      Assigned: false,
      Wearer: null,
      Foreign: 1,
      Cleared: 0,
      FirstByteTimeUtc: expect.stringMatching(/Z$/),
      ReleasedTimeUtc: expect.stringMatching(/Z$/),
    })
    // Who has no surname is called by the name that they sign in with.
    const { principalId: PrincipalId } = await given.command('user.create', {
      username: 'okafor',
      password: 'seven lamps by the harbour',
      policies: [],
      group: null,
      guest: false,
    })
    const device = `/api/v1/tenant/station/device/${DeviceId}`
    await given.expecting(200, given.call('POST', `${device}/activate`, { token: keeper }))
    await given.expecting(201, given.call('POST', `${device}/association`, { token: keeper, body: { PrincipalId } }))
    expect(await tile()).toMatchObject({ Assigned: true, Wearer })
    if (Wearer === null) expect(JSON.stringify(await whole(world))).not.toMatch(/okafor/i)
  })
})

describe('a camera that was pulled', () => {
  it('is awaited for a day, and for two minutes when it was pulled before it was identified', async () => {
    world = await dockWorld()
    const pulled = (bay: string, before: string, minutes: number) =>
      (world as World).given.meddle((db) =>
        db
          .prepare(
            `INSERT INTO dock_sessions (tenant_id, volume_id, camera_key, bay, label, state, before, ended, clear_rule, detected_at)
             VALUES ('station', ?, ?, ?, '', 'pulled', ?, 0, 'never', ?)`,
          )
          .run(bay, `volume:${bay}`, bay, before, Date.now() - minutes * 60_000),
      )
    await pulled('known long ago', 'copying', 180)
    await pulled('known yesterday', 'copying', 1500)
    await pulled('unknown just now', 'detected', 1)
    await pulled('unknown before', 'detected', 3)
    const { Tiles } = await whole(world)
    expect(Tiles.map(({ Bay }: Json) => Bay)).toEqual(['known long ago', 'unknown just now'])
  })
})

describe('the stream of the wall', () => {
  it('sends the whole wall first, then each change, and repeats it while nothing changes', async () => {
    world = await dockWorld()
    const ends = new AbortController()
    const reply = await fetch(`${world.given.url}${DOCK}/wall/events`, { signal: ends.signal })
    expect([reply.status, reply.headers.get('content-type')]).toEqual([200, 'text/event-stream; charset=utf-8'])
    const walls: Json[] = []
    const reading = (async () => {
      let text = ''
      const decoder = new TextDecoder()
      for await (const bytes of reply.body as unknown as AsyncIterable<Uint8Array>) {
        text += decoder.decode(bytes, { stream: true })
        for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
          const [event, data] = text.slice(0, end).split('\n')
          if (event === 'event: wall') walls.push(JSON.parse((data ?? '').slice('data: '.length)))
          text = text.slice(end + 2)
        }
      }
    })().catch(() => {})
    const told = (what: (wall: Json) => boolean, words: string) =>
      (world as World).until(async () => walls.some(what), words)
    await told(({ Tiles, Docks }) => Docks === true && Tiles.length === 0, 'the empty wall')
    world.camera('bay-1', { serial: 'W4', recordings: [1] }).plugIn()
    await told(({ Tiles }) => Tiles[0]?.State === 'released' && Tiles[0].SafeToTake, 'a safe camera')
    const before = walls.length
    await world.until(async () => walls.length > before, 'a sign of life')
    ends.abort()
    await reading
  })
})
