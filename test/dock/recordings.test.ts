// @module-tag merge
import { randomBytes } from 'node:crypto'
import { afterEach, describe, expect, it } from 'vitest'
import { openTestDatabase } from '../support/rows.ts'
import { placesOf, spansOf } from '../../server/features/docking/session/part-spans.ts'
import type { Json, Reply } from '../support/given.ts'
import { signIn } from '../support/integrator.ts'
import { film } from './films.ts'
import { iso, Shelf } from './shelf.ts'
import { dockWorld } from './world.ts'

type World = Awaited<ReturnType<typeof dockWorld>>
let world: World
afterEach(() => world?.close())

const START = Date.UTC(2026, 10, 21, 8, 0, 0)
const detail = async (session: Json): Promise<Json> =>
  world.given.expecting(200, world.get(`/session/${session.DockSessionId}`))
const rows = (sql: string, ...values: unknown[]): Json[] =>
  world.given.database((db) => db.prepare(sql).all(...values)) as Json[]

/** A device that Ann had until shortly before ten past eight, and Bob has since. */
async function worn(serial: string) {
  const { given, keeper } = world
  const put = (method: string, place: string, body?: Json): Promise<Reply> =>
    given.call(method, `/api/v1/tenant/station${place}`, { token: keeper, ...(body === undefined ? {} : { body }) })
  const identification = { SerialNumber: serial, Manufacturer: 'Lantern' }
  const device = { DeviceIdentification: identification, DeviceType: 'BodyWornCamera' }
  const { Id } = await given.expecting(201, put('POST', '/device', device))
  await given.expecting(200, put('POST', `/device/${Id}/activate`))
  const db = await openTestDatabase({ file: given.file })
  const since = BigInt(START - 3_600_000) * 10_000n
  await db.transaction((tx) =>
    tx.updateTable('device_activity').set({ from_ticks: since }).where('device_id', '=', Id).execute(),
  )
  await db.close()
  const officer = async (username: string): Promise<string> =>
    (
      await given.command('user.create', {
        username,
        password: 'seven lamps by the harbour',
        policies: [],
        group: null,
        guest: false,
      })
    ).principalId
  const [ann, bob] = [await officer('ann'), await officer('bob')]
  const wore = (PrincipalId: string, from: number, to: number | null): Promise<Json> =>
    given.expecting(
      201,
      put('POST', `/device/${Id}/association`, {
        PrincipalId,
        FromUtc: iso(from),
        ToUtc: to === null ? null : iso(to),
      }),
    )
  const first = await wore(ann, START - 3_600_000, START + 550_000)
  await wore(bob, START + 550_000, null)
  return { Id, ann, bob, first, put }
}

describe('the recordings of a camera become evidence', () => {
  it('with bookmarks at the marks of the camera: on the part in which they lie, by the station', async () => {
    world = await dockWorld()
    const camera = new Shelf(world.root, 'bay-1')
    await film(camera.file('media/r1-1.mp4', ''), 4, 'one')
    await film(camera.file('media/r1-2.mp4', ''), 3, 'two')
    const marks = [1, 5.5, 60].map((seconds) => ({ atUtc: iso(START + seconds * 1000), label: `At ${seconds}\u202e` }))
    camera.manifest('M1', [
      {
        startUtc: iso(START),
        endUtc: iso(START + 7000),
        files: [{ path: 'media/r1-1.mp4' }, { path: 'media/r1-2.mp4' }],
        marks,
      },
    ])
    camera.plugIn()
    const session = await world.reached('bay-1', 'released')
    const [recording] = (await detail(session)).Recordings
    await world.until(async () => rows('SELECT * FROM dock_recordings WHERE settled = 1').length === 1, 'its bookmarks')
    const found = rows(
      'SELECT b.*, r.name FROM bookmarks b JOIN resources r USING (resource_id) WHERE b.evidence_id = ? ORDER BY bookmark_id',
      recording.EvidenceId,
    )
    // The second part begins where the first one's four seconds end; what lies behind the end is told to lie there.
    expect(found.map((one) => [one.name, one.start_seconds, one.title, one.text?.slice(0, 40) ?? null])).toEqual([
      ['r1-1.mp4', 1, 'At 1', null],
      ['r1-2.mp4', 1.5, 'At 5.5', null],
      ['r1-2.mp4', 3, 'At 60', 'The camera says that this was 53.0 secon'],
    ])
    expect(JSON.parse(found[0].created_by)).toMatchObject({ PrincipalId: '0', PrincipalType: 'internal' })
    expect(world.entries('bookmark.added').map(({ actor, object }) => [actor.kind, object.id])).toEqual(
      found.map(() => ['internal', recording.EvidenceId]),
    )
    for (const one of found) expect(one.concurrency_id).toMatch(/^[0-9a-f]{40}$/)
    // The station as an author is in no list, and cannot sign in.
    const [author] = rows('SELECT * FROM principals WHERE principal_id = 0')
    expect([author.enabled, author.deleted_utc === null, author.password_hash]).toEqual([0, false, null])
    // The parts have times of their own.
    const parts = rows("SELECT name, start_utc, end_utc FROM resources WHERE role = 'original' ORDER BY name")
    expect(parts).toEqual([
      { name: 'r1-1.mp4', start_utc: iso(START), end_utc: iso(START + 4000) },
      { name: 'r1-2.mp4', start_utc: iso(START + 4000), end_utc: iso(START + 7000) },
    ])
    expect(world.entries('resource.timed').map(({ detail: { filled } }) => filled)).toEqual([
      ['EndTimeUtc'],
      ['StartTimeUtc'],
    ])
  })

  it('with the times that names and entries of its parts carry, and without one that only repeats the recording’s', async () => {
    world = await dockWorld({ timeZone: 'UTC' })
    const camera = new Shelf(world.root, 'bay-1')
    for (const part of ['a', 'b', 'c']) camera.file(`media/${part}.bin`, randomBytes(2000))
    camera.manifest('M2', [
      {
        startUtc: iso(START),
        files: [
          { path: 'media/a.bin' },
          { path: 'media/b.bin', startUtc: iso(START + 300_000) },
          // A clock that was put back says nothing of the order.
          { path: 'media/c.bin', startUtc: iso(START) },
        ],
        marks: [{ atUtc: iso(START + 301_500) }],
      },
    ])
    camera.plugIn()
    await world.reached('bay-1', 'released')
    await world.until(async () => rows('SELECT * FROM dock_recordings WHERE settled = 1').length === 1, 'its bookmarks')
    expect(rows("SELECT name, start_utc FROM resources WHERE role = 'original' ORDER BY name")).toEqual([
      { name: 'a.bin', start_utc: iso(START) },
      { name: 'b.bin', start_utc: iso(START + 300_000) },
      { name: 'c.bin', start_utc: null },
    ])
    expect(rows('SELECT r.name, start_seconds, title FROM bookmarks JOIN resources r USING (resource_id)')).toEqual([
      { name: 'b.bin', start_seconds: 1.5, title: 'Event' },
    ])
  })

  it('with their track as the place of the evidence, and an entry that says that it is the camera’s', async () => {
    world = await dockWorld()
    const camera = new Shelf(world.root, 'bay-1')
    for (const name of ['a', 'b']) camera.file(`media/${name}.bin`, randomBytes(2000))
    const points = Array.from({ length: 2000 }, (_, at) => [48 + at / 10_000, 2 + at / 20_000] as const)
    const gpx = points.map(
      ([lat, lon], at) => `<trkpt lat="${lat}" lon="${lon}"><time>${iso(START + at * 1000)}</time></trkpt>`,
    )
    camera.file('media/a.gpx', `<gpx><trk><trkseg>${gpx.join('')}</trkseg></trk></gpx>`)
    const still = [0, 1, 2].map((second) => ({ atUtc: iso(START + second * 1000), latitude: 50, longitude: 8 }))
    camera.manifest('M3', [
      { startUtc: iso(START), files: [{ path: 'media/a.bin' }], track: 'media/a.gpx' },
      { startUtc: iso(START), files: [{ path: 'media/b.bin' }], track: still },
    ])
    camera.plugIn()
    await world.reached('bay-1', 'released')
    const [line, point] = rows('SELECT name, location_wkt FROM evidence ORDER BY name')
    expect(point.location_wkt).toBe('POINT (8 50)')
    const places = line.location_wkt.replace(/^LINESTRING \(|\)$/g, '').split(', ')
    expect(places.length).toBeLessThanOrEqual(501)
    expect([places[0], places.at(-1)]).toEqual(['2 48', '2.09995 48.1999'])
    const measured = new Set(
      points.map(([lat, lon]) => `${Math.round(lon * 1e6) / 1e6} ${Math.round(lat * 1e6) / 1e6}`),
    )
    for (const place of places) expect(measured).toContain(place)
    const filled = world.entries('evidence.filled').filter(({ source }) => source === 'dock')
    expect(filled.map((entry) => entry.detail.filled)).toEqual([['LocationWKT'], ['LocationWKT']])
    // The track itself, with its times, is a file of the evidence.
    expect(rows("SELECT name FROM resources WHERE name = 'a.gpx' AND state = 'UserCompleted'")).toHaveLength(1)
  })

  it('of the officer who had the camera when it recorded, also when the association is corrected afterwards', async () => {
    world = await dockWorld({ maxActiveDevices: 5 })
    const { Id, ann, first, put } = await worn('M4')
    const camera = new Shelf(world.root, 'bay-1')
    const recordings = [0, 600_000].map((after, at) => {
      camera.file(`media/${at}.bin`, randomBytes(2000))
      return { title: `R${at}`, startUtc: iso(START + after), files: [{ path: `media/${at}.bin` }] }
    })
    camera.manifest('M4', recordings)
    camera.plugIn()
    const session = await world.reached('bay-1', 'released')
    const told = (await detail(session)).Recordings
    // Bob has it when it docks; the first recording is Ann's.
    expect(told.map(({ Name, Officer }: Json) => [Name, Officer?.Username])).toEqual([
      ['R0', 'ann'],
      ['R1', 'bob'],
    ])
    const changed = await put('PUT', `/device/${Id}/association/${first.AssociationId}`, {
      PrincipalId: ann,
      FromUtc: iso(START - 3_600_000),
      ToUtc: iso(START - 60_000),
    })
    expect([changed.status, changed.text]).toEqual([200, expect.any(String)])
    const [ofFirst] = told
    const attributed = world.entries('evidence.attributed').filter(({ object }) => object.id === ofFirst.EvidenceId)
    expect(attributed.at(-1)?.detail).toMatchObject({ deviceId: Id, officers: [] })
    // What was said when it docked stays as it was said.
    expect((await detail(session)).Recordings[0].Officer.Username).toBe('ann')
  })

  it('filed by the first rule that fits: its category, and the department whose people may see it', async () => {
    const dockRules = [
      { when: { officerDepartment: 'Patrol' }, category: 'patrols', department: 'Patrol' },
      { when: { profile: 'manifest', deviceType: 'BodyWornCamera' }, category: 'No such', department: 'Archive' },
    ]
    world = await dockWorld({ maxActiveDevices: 5, dockRules: JSON.stringify(dockRules) })
    const { given } = world
    const { ann, bob } = await worn('M5')
    const chief = await signIn(await given.integration('chief', ['ManageConfiguration']), given.url)
    const made = (place: string, body: Json): Promise<Json> =>
      given.expecting(201, given.call('POST', `/api/v1/${place}/station`, { token: chief, body }))
    const policy = (id: string, PermissionLevel: string, PrincipalType = 'user'): Json => ({
      PrincipalId: id,
      KId: rows('SELECT k_id FROM principals WHERE principal_id = ?', Number(id))[0].k_id,
      PrincipalType,
      Permissions: PermissionLevel,
    })
    const category = await made('category', { Name: 'Patrols' })
    await made('department', { Name: 'Patrol', AccessPolicies: [policy(ann, 'Manage')] })
    await made('department', { Name: 'Archive', AccessPolicies: [policy(bob, 'Manage'), policy(ann, 'View')] })
    const camera = new Shelf(world.root, 'bay-1')
    const recordings = [0, 600_000].map((after, at) => {
      camera.file(`media/${at}.bin`, randomBytes(2000))
      return { title: `R${at}`, startUtc: iso(START + after), files: [{ path: `media/${at}.bin` }] }
    })
    camera.manifest('M5', recordings)
    camera.plugIn()
    const session = await world.reached('bay-1', 'released')
    expect(rows('SELECT name, category_id FROM evidence ORDER BY name')).toEqual([
      { name: 'R0', category_id: category.CategoryId },
      { name: 'R1', category_id: null },
    ])
    const held = rows(
      'SELECT e.name, p.principal_id, p.level FROM evidence_policies p JOIN evidence e USING (evidence_id) ORDER BY 1, 2',
    )
    expect(held.map((one) => [one.name, String(one.principal_id), one.level])).toEqual([
      ['R0', ann, 'Manage'],
      ['R1', ann, 'View'],
      ['R1', bob, 'Manage'],
    ])
    const receipt = (await world.get(`/session/${session.DockSessionId}/receipt/receipt.json`)).json
    expect(receipt.recordings.map((one: Json) => one.filed)).toEqual([
      { rule: 1, category: 'patrols', department: 'Patrol', problems: [] },
      { rule: 2, category: null, department: 'Archive', problems: ['There is no enabled category No such.'] },
    ])
  })
})

describe('the parts of a recording', () => {
  const part = (startMs: number | null, lengthMs: number | null, endMs: number | null = null) => ({
    startMs,
    endMs,
    lengthMs,
  })

  it('go on where the one before ends, as far as anybody knows', () => {
    const spans = spansOf([part(1000, 500), part(null, 700), part(null, null), part(null, 10)])
    expect(spans.map(({ startMs, endMs }) => [startMs, endMs])).toEqual([
      [1000, 1500],
      [1500, 2200],
      [2200, null],
      [null, null],
    ])
    expect(spansOf([part(1000, null, 1800), part(null, 5)])[1]).toMatchObject({ startMs: 1800, endMs: 1805 })
  })

  it('hold each mark once, never before their beginning', () => {
    const marks = [-5, 0, 0.6, 99].map((seconds) => ({ seconds, title: '' }))
    const places = placesOf(marks, 1000, spansOf([part(1000, 500), part(null, 700)]))
    expect(places.map(({ part: at, seconds, beyondSeconds }) => [at, seconds, beyondSeconds])).toEqual([
      [0, 0, null],
      [0, 0, null],
      [1, 0.1, null],
      [1, 0.7, 97.8],
    ])
    expect(placesOf(marks, null, [part(null, null)]).map(({ seconds }) => seconds)).toEqual([0, 0, 0.6, 99])
  })
})
