/** What was where: within a radius of a place, and counted in cells of the map. Only ever of what the caller can view. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { boundsOfCell } from '../../../shared/search/cells.ts'
import { type Given, givenStation, type Json } from '../../support/given.ts'
import { signIn } from '../../support/integrator.ts'

const SEARCH = '/searchservice/api/v1/search/station'
const DENSITY = '/searchservice/api/v1/density/station'
const DOCUMENTS = '/documentstore/api/v1/tenant/station'
let given: Given
/** Each sees nothing but what is their own. */
let [own, other]: readonly [string, string] = ['', '']
beforeAll(async () => {
  given = await givenStation()
  const signedIn = async (name: string): Promise<string> =>
    signIn(await given.integration(name, ['DeleteCasesAndFiles']), given.url)
  own = await signedIn('own')
  other = await signedIn('other')
})
afterAll(() => given?.close())

const made = async (Name: string, LocationWKT: string | null, token = own): Promise<string> => {
  const body = { Name, ...(LocationWKT === null ? {} : { LocationWKT }) }
  return (await given.expecting(201, given.call('POST', `${DOCUMENTS}/evidence`, { body, token }))).EvidenceId
}
const search = (body: Json, token = own): Promise<Json> =>
  given.expecting(200, given.call('POST', SEARCH, { body, token }))
const density = (body: Json, token = own): Promise<Json> =>
  given.expecting(200, given.call('POST', DENSITY, { body, token }))
const near = (Latitude: number, Longitude: number, RadiusMeters: number) => ({ Latitude, Longitude, RadiusMeters })
const names = async (body: Json, token = own): Promise<string[]> =>
  (await search({ Sort: 'name', ...body }, token)).Hits.map(({ Title }: Json) => Title)
/** `X/Y` with its count. */
const cells = ({ Cells }: Json): Record<string, number> =>
  Object.fromEntries(Cells.map(({ X, Y, Count }: Json) => [`${X}/${Y}`, Count]))
const remove = async (ids: readonly string[], token = own): Promise<void> => {
  for (const id of ids) await given.expecting(200, given.call('DELETE', `${DOCUMENTS}/evidence/${id}`, { token }))
}

describe('within a radius', () => {
  it('positions, tracks and areas are found by what of them is nearest, to the metre', async () => {
    const ids = [
      await made('a point, 111 m north', 'POINT (13.4 52.521)'),
      await made('b track that passes, its points far away', 'LINESTRING (13.38 52.5205, 13.42 52.5205)'),
      // Its box is about the place; the line goes round it in a wide bow.
      await made('c track around', 'LINESTRING (13.38 52.50, 13.38 52.54, 13.42 52.54, 13.42 52.50)'),
      await made('d area around', 'POLYGON ((13.3 52.4, 13.5 52.4, 13.5 52.6, 13.3 52.6, 13.3 52.4))'),
      await made(
        'e area with a hole here',
        'POLYGON ((13.3 52.4, 13.5 52.4, 13.5 52.6, 13.3 52.6, 13.3 52.4), (13.35 52.45, 13.45 52.45, 13.45 52.55, 13.35 52.55, 13.35 52.45))',
      ),
      await made('f nowhere', null),
      await made('g point, 125 m to the corner', 'POINT (13.4013 52.5208)'),
    ]
    const at = (metres: number) => names({ Near: near(52.52, 13.4, metres) })
    const [a, b, d] = ['a point, 111 m north', 'b track that passes, its points far away', 'd area around']
    expect(await at(50)).toEqual([d])
    expect(await at(57)).toEqual([b, d])
    expect(await at(110)).toEqual([b, d])
    expect(await at(112)).toEqual([a, b, d])
    expect(await at(124)).toEqual([a, b, d])
    expect(await at(127)).toEqual([a, b, d, 'g point, 125 m to the corner'])
    expect(await at(1_300)).toEqual([a, b, d, 'g point, 125 m to the corner'])
    expect(await at(1_500)).toEqual([a, b, 'c track around', d, 'g point, 125 m to the corner'])
    // With words, and with facets and a page of one.
    expect(await names({ Query: 'track', Near: near(52.52, 13.4, 112) })).toEqual([b])
    const page = await search({ Near: near(52.52, 13.4, 112), Count: 1 })
    expect([page.Total, page.Hits.length, page.PlaceIsRough]).toEqual([3, 1, false])
    expect(page.Facets.Types).toEqual([{ Value: 'Evidence', Count: 3 }])
    expect((await search({ Near: near(52.52, 13.4, 112), Cursor: page.Cursor })).Hits).toHaveLength(2)
    await remove(ids)
  })

  it('it goes across the antimeridian and over a pole', async () => {
    const ids = [
      await made('east of it', 'POINT (179.999 10)'),
      await made('line that ends at it', 'LINESTRING (179.9 10.01, 179.999 10.01)'),
      await made('pole', 'POINT (120 89.9)'),
    ]
    expect(await names({ Near: near(10, -179.999, 250) })).toEqual(['east of it'])
    expect(await names({ Near: near(10, -179.999, 1_200) })).toEqual(['east of it', 'line that ends at it'])
    expect(await names({ Near: near(89.95, -60, 20_000) })).toEqual(['pole'])
    await remove(ids)
  })

  it('what it may be is judged by the station, and is kept with a saved search', async () => {
    const asked = (Near: Json) => given.call('POST', SEARCH, { body: { Near }, token: own })
    for (const [body, place] of [
      [near(91, 0, 100), 'Near.Latitude'],
      [near(0, -181, 100), 'Near.Longitude'],
      [near(0, 0, 9), 'Near.RadiusMeters'],
      [near(0, 0, 100_001), 'Near.RadiusMeters'],
      [{ Latitude: 0, Longitude: 0 }, 'Near.RadiusMeters'],
      [{ ...near(0, 0, 100), Name: 'x'.repeat(201) }, 'Near.Name'],
    ] as const) {
      const { status, json } = await asked(body)
      expect([status, json.ErrorCode, json.Details[0].Path]).toEqual([400, 'InvalidModel', place])
    }
    const Question = { Near: { ...near(52.52, 13.4, 500), Name: 'Quay Road' } }
    const saved = await given.expecting(
      201,
      given.call('POST', '/searchservice/api/v1/saved/station', { body: { Name: 'At the quay', Question } }),
    )
    expect(saved.Question).toEqual(Question)
  })

  it('S4: nobody finds what they may not view', async () => {
    const ids = [
      await made('hidden line', 'LINESTRING (20 40, 20.001 40)'),
      await made('hidden point', 'POINT (20 40)'),
    ]
    expect((await search({ Near: near(40, 20, 100) }, other)).Total).toBe(0)
    const mine = await made('mine', 'LINESTRING (20 40, 20.001 40)', other)
    expect(await names({ Near: near(40, 20, 100) }, other)).toEqual(['mine'])
    expect(await names({ Near: near(40, 20, 100) })).toEqual(['hidden line', 'hidden point'])
    await remove([mine], other)
    await remove(ids)
  })
})

describe('in a part of the map', () => {
  it('tracks that pass through it are found, not those that go round it', async () => {
    const ids = [
      await made('a through', 'LINESTRING (30 50.005, 30.02 50.005)'),
      await made('b round', 'LINESTRING (30 50, 30 50.02, 30.02 50.02)'),
      await made('c within', 'LINESTRING (30.006 50.006, 30.007 50.007)'),
      await made('d point', 'POINT (30.007 50.007)'),
    ]
    const box = { BoundingBox: [30.005, 50.004, 30.01, 50.01] }
    expect(await names(box)).toEqual(['a through', 'c within', 'd point'])
    expect((await search(box)).Facets.Types).toEqual([{ Value: 'Evidence', Count: 3 }])
    expect(await names({ ...box, Query: 'round' })).toEqual([])
    expect(await names({ ...box, Near: near(50.007, 30.007, 20) })).toEqual(['c within', 'd point'])
    await remove(ids)
  })
})

describe('density', () => {
  const area = { Area: [13.3, 52.45, 13.5, 52.6], Level: 14 }

  it('a position is in its cell and a track in each that it passes, once', async () => {
    const ids = [
      await made('one', 'POINT (13.4 52.52)'),
      await made('two', 'POINT (13.4 52.52)'),
      await made('there and back', 'LINESTRING (13.375 52.52, 13.465 52.52, 13.375 52.52)'),
      await made('area', 'POLYGON ((13.3 52.4, 13.5 52.4, 13.5 52.6, 13.3 52.4))'),
      await made('elsewhere', 'POINT (2.35 48.85)'),
    ]
    const counted = await density(area)
    expect([counted.Level, counted.Positions, counted.IsPartial]).toEqual([14, 2, false])
    expect(cells(counted)).toEqual({ '8800/5373': 1, '8801/5373': 3, '8802/5373': 1, '8803/5373': 1, '8804/5373': 1 })
    expect(counted.Cells.every(({ X, Y }: Json) => boundsOfCell(X, Y, 14)[0] < 13.5)).toBe(true)
    // Words and filters are those of the search.
    expect(cells(await density({ ...area, Query: 'two' }))).toEqual({ '8801/5373': 1 })
    expect(cells(await density({ ...area, Near: near(52.52, 13.4, 50), Query: 'one' }))).toEqual({ '8801/5373': 1 })
    expect((await density({ ...area, Types: ['Case'] })).Cells).toEqual([])
    expect((await density({ ...area, Query: '???' })).Cells).toEqual([])
    await remove(ids.slice(0, 1))
    expect(cells(await density(area))['8801/5373']).toBe(2)
    await remove(ids.slice(1))
    expect((await density(area)).Cells).toEqual([])
  })

  it('without an area all of the map is counted, at a level that fits', async () => {
    expect(await density({})).toEqual({
      Level: 0,
      Cells: [],
      Bounds: null,
      Positions: 0,
      Tracks: 0,
      IsPartial: false,
      PlaceIsRough: false,
    })
    const ids = [await made('west', 'POINT (13.3 52.45)'), await made('east', 'LINESTRING (13.5 52.6, 13.51 52.61)')]
    const whole = await density({})
    expect(whole.Bounds).toEqual([13.3, 52.45, 13.51, 52.61])
    expect([whole.Positions, whole.Tracks]).toEqual([1, 1])
    expect(whole.Level).toBeGreaterThan(10)
    expect(whole.Level).toBeLessThan(17)
    expect(whole.Cells.length).toBeGreaterThan(1)
    await remove(ids)
  })

  it('what would be too much to answer is refused', async () => {
    for (const [body, place] of [
      [{ Area: [13, 52, 14, 53], Level: 20 }, 'Level'],
      [{ Area: [-180, -90, 180, 90], Level: 9 }, 'Level'],
      [{ Area: [13, 52, 14, 53], Level: 21 }, 'Level'],
      [{ Area: [13, 52, 14, 53] }, 'Level'],
      [{ Level: 5 }, 'Level'],
      [{ Area: [13, 54, 14, 53], Level: 5 }, 'Area'],
    ] as const) {
      const { status, json } = await given.call('POST', DENSITY, { body, token: own })
      expect([body, status, json.ErrorCode, json.Details[0].Path]).toEqual([body, 400, 'InvalidModel', place])
    }
    // A line around the earth costs no more than the cells that are asked for.
    const ids = [
      await made(
        'around',
        `LINESTRING (${Array.from({ length: 2_000 }, (_, at) => (at % 2 === 0 ? '-89 -80' : '89 80')).join(', ')})`,
      ),
    ]
    const before = Date.now()
    await density({ Area: [-0.05, -0.05, 0.05, 0.05], Level: 17 })
    expect(Date.now() - before).toBeLessThan(10_000)
    await remove(ids)
  })

  it('S4: nobody counts what they may not view, at any level, by any filter', async () => {
    const ids = [
      await made('hidden', 'POINT (13.4 52.52)'),
      await made('hidden track', 'LINESTRING (13.4 52.52, 13.41 52.52)'),
    ]
    const none = await density(area, other)
    expect(none).toEqual({
      Level: 14,
      Cells: [],
      Bounds: null,
      Positions: 0,
      Tracks: 0,
      IsPartial: false,
      PlaceIsRough: false,
    })
    expect((await density({}, other)).Bounds).toBeNull()
    expect((await density({ Near: near(52.52, 13.4, 1_000) }, other)).Cells).toEqual([])
    const mine = await made('mine', 'POINT (13.4 52.52)', other)
    expect(cells(await density(area, other))).toEqual({ '8801/5373': 1 })
    expect(cells(await density(area))).toEqual({ '8801/5373': 2, '8802/5373': 1 })
    expect((await given.call('POST', DENSITY, { body: area, token: null })).status).toBe(401)
    await remove([mine], other)
    await remove(ids)
  })
})
