/** Street maps over HTTP: what is imported, what is refused, who may, and how tiles are given out. */
import { randomBytes } from 'node:crypto'
import { existsSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Given, givenStation, type Reply, sha256Of } from '../../support/given.ts'
import { signIn } from '../../support/integrator.ts'
import { type GivenMap, type GivenTile, makePmtiles, varint, vectorTile } from '../../support/pmtiles.ts'

const PLACE = '/api/v1/tenant/station/map'
let given: Given
/** A token of an integration in ManageConfiguration. */
let clerk: string
beforeAll(async () => {
  given = await givenStation()
  clerk = await signIn(await given.integration('clerk', ['ManageConfiguration']), given.url)
})
afterAll(() => given?.close())

const ROAD = vectorTile({
  roads: [
    {
      kind: 'line',
      points: [
        [0, 0],
        [4096, 4096],
      ],
      tags: { kind: 'minor_road', name: 'Quay Road' },
    },
  ],
})
const tile = (z: number, x: number, y: number, bytes = ROAD): GivenTile => ({ z, x, y, bytes })
const TILES = [tile(0, 0, 0), tile(1, 1, 0), tile(2, 2, 1)]

const newId = (): string => randomBytes(16).toString('hex')
const put = (id: string, offset: number, raw: Uint8Array, token = clerk): Promise<Reply> =>
  given.call('PUT', `${PLACE}-import/${id}/${offset}`, {
    raw,
    token,
    headers: { 'content-type': 'application/octet-stream' },
  })
const complete = (id: string, Name = 'The county', token = clerk): Promise<Reply> =>
  given.call('POST', `${PLACE}-import/${id}`, { body: { Name }, token })
async function imported(bytes: Uint8Array, name?: string): Promise<Reply> {
  const id = newId()
  expect((await put(id, 0, bytes)).status).toBe(204)
  return complete(id, name)
}
const left = (): string[] => {
  const folder = path.join(given.data, 'maps')
  return existsSync(folder) ? readdirSync(folder).filter((name) => name.includes('.')) : []
}

describe('a map', () => {
  it('is imported in parts, listed, given out by tile, and removed, each with its entry', async () => {
    const bytes = makePmtiles({
      tiles: TILES,
      leaves: 2,
      metadata: { attribution: '<a href="x">© Streets</a> &amp; co' },
    })
    const id = newId()
    expect((await put(id, 0, bytes.subarray(0, 100))).status).toBe(204)
    expect((await put(id, 100, bytes.subarray(100))).status).toBe(204)
    const made = await complete(id)
    expect([made.status, made.json]).toEqual([
      201,
      expect.objectContaining({
        MapId: id,
        Name: 'The county',
        Type: 'mvt',
        Bounds: [13.3, 52.45, 13.5, 52.6],
        MinZoom: 0,
        MaxZoom: 2,
        Attribution: '© Streets & co',
        Bytes: bytes.length,
        Sha256: sha256Of(bytes),
        ImportedBy: 'clerk',
      }),
    ])
    expect((await given.call('GET', PLACE)).json).toEqual([made.json])
    const packed = await given.call('GET', `${PLACE}/${id}/2/2/1`)
    expect([packed.status, packed.headers.get('content-encoding'), packed.headers.get('content-type')]).toEqual([
      200,
      'gzip',
      'application/vnd.mapbox-vector-tile',
    ])
    // The client has unpacked it already.
    expect(Buffer.compare(packed.bytes, ROAD)).toBe(0)
    const plain = await given.call('GET', `${PLACE}/${id}/1/1/0`, { headers: { 'accept-encoding': 'identity' } })
    expect([plain.headers.get('content-encoding'), Buffer.compare(plain.bytes, ROAD)]).toEqual([null, 0])
    expect(packed.headers.get('cache-control')).toMatch(/^private, max-age=\d+/)
    const again = await given.call('GET', `${PLACE}/${id}/2/2/1`, {
      headers: { 'if-none-match': packed.headers.get('etag') ?? '' },
    })
    expect(again.status).toBe(304)
    expect((await given.call('GET', `${PLACE}/${id}/2/0/0`)).status).toBe(204)
    expect((await given.call('GET', `${PLACE}/${id}/9/0/0`)).status).toBe(204)
    expect((await given.call('GET', `${PLACE}/${id}/23/0/0`)).status).toBe(400)
    const gone = await given.call('DELETE', `${PLACE}/${id}`, { token: clerk })
    expect(gone.status).toBe(200)
    const acts = given.ledger().filter(({ object }) => object.type === 'map' && object.id === id)
    expect(acts.map(({ action, actor, sha256 }) => [action, actor.name, sha256])).toEqual([
      ['map.imported', 'clerk', sha256Of(bytes)],
      ['map.removed', 'clerk', sha256Of(bytes)],
    ])
    expect((await given.call('GET', `${PLACE}/${id}/0/0/0`)).status).toBe(404)
    expect((await given.call('GET', PLACE)).json).toEqual([])
    expect(readdirSync(path.join(given.data, 'maps'))).toEqual([])
  })

  it('of pictures is given out as they are', async () => {
    const png = Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), randomBytes(40)])
    const { json, status } = await imported(makePmtiles({ tiles: [tile(0, 0, 0, png)], type: 2 }), 'Pictures')
    expect([status, json.Type]).toEqual([201, 'png'])
    const shown = await given.call('GET', `${PLACE}/${json.MapId}/0/0/0`)
    expect([shown.headers.get('content-type'), Buffer.compare(shown.bytes, png)]).toEqual(['image/png', 0])
    expect(shown.headers.get('x-content-type-options')).toBe('nosniff')
    await given.call('DELETE', `${PLACE}/${json.MapId}`, { token: clerk })
  })
})

describe('a file that is no usable map', () => {
  const good: GivenMap = { tiles: TILES }
  const number = (offset: number, value: bigint) => (header: Buffer) => void header.writeBigUInt64LE(value, offset)
  const byte = (offset: number, value: number) => (header: Buffer) => void (header[offset] = value)
  const jsonAt = (map: GivenMap): number => Number(makePmtiles({ ...map, gzip: false }).readBigUInt64LE(24))
  const bomb = gzipSync(Buffer.alloc(80 * 1024 ** 2))
  const cases: [string, string, () => Buffer][] = [
    ['is text', 'notMap', () => Buffer.from('This is a letter, not a map.')],
    ['is empty but for its name', 'cut', () => Buffer.from('PMTiles\x03')],
    ['has another version', 'version', () => makePmtiles({ ...good, header: byte(7, 2) })],
    ['is cut off', 'cut', () => makePmtiles(good).subarray(0, -5)],
    ['says numbers beyond all files', 'directory', () => makePmtiles({ ...good, header: number(8, 2n ** 63n) })],
    ['has tiles beyond its end', 'cut', () => makePmtiles({ ...good, header: number(56, 99_999n) })],
    [
      'has a root beyond 16 KiB',
      'directory',
      () => Buffer.concat([makePmtiles({ ...good, header: number(16, 20_000n) }), Buffer.alloc(30_000)]),
    ],
    ['has no tiles', 'empty', () => makePmtiles({ ...good, root: gzipSync(Buffer.from([0])) })],
    [
      'counts more entries than it has',
      'directory',
      () => makePmtiles({ ...good, root: gzipSync(Buffer.from(varint(2 ** 40))) }),
    ],
    ['has a root that is no gzip', 'directory', () => makePmtiles({ ...good, root: Buffer.from('nonsense') })],
    [
      'has a root that unpacks to too much',
      'directory',
      () => makePmtiles({ ...good, root: bomb.subarray(0, 16_000) }),
    ],
    ['has tiles of an unknown kind', 'type', () => makePmtiles({ ...good, header: byte(99, 5) })],
    ['is packed in another way', 'compression', () => makePmtiles({ ...good, header: byte(98, 4) })],
    ['has zooms that no map has', 'zooms', () => makePmtiles({ ...good, header: byte(101, 40) })],
    ['lies beside the earth', 'bounds', () => makePmtiles({ ...good, bounds: [-190, 0, 10, 10] })],
    ['has no extent', 'bounds', () => makePmtiles({ ...good, bounds: [5, 5, 5, 5] })],
    [
      'has metadata that are no JSON',
      'metadata',
      () => makePmtiles({ ...good, gzip: false, metadata: 1 }).fill('{', jsonAt(good), jsonAt(good) + 1),
    ],
    [
      'has tiles that are none',
      'tiles',
      () => makePmtiles({ tiles: [tile(0, 0, 0, Buffer.from('<script>alert(1)</script>'))] }),
    ],
    ['says PNG and has a page', 'tiles', () => makePmtiles({ tiles: [tile(0, 0, 0, Buffer.from('<html>'))], type: 2 })],
    [
      'has a tile that unpacks to too much',
      'tiles',
      () => makePmtiles({ tiles: [tile(0, 0, 0, Buffer.alloc(70 * 1024 ** 2))] }),
    ],
  ]
  it.each(cases)('that %s is refused as “%s”, and nothing is left', async (_, reason, make) => {
    const { status, json } = await imported(make())
    const code = (json.ErrorCode ?? json.errorCode ?? json.Code) as string
    expect([status, code]).toEqual([409, 'MapImportRefused'])
    expect(JSON.stringify(json)).toContain(`"${reason}"`)
    expect((await given.call('GET', PLACE)).json).toEqual([])
    expect(left()).toEqual([])
  })

  it('parts out of order, of another person, or too large are refused', async () => {
    const id = newId()
    expect((await put(id, 5, Buffer.from('x'))).status).toBe(409)
    expect((await put(id, 0, Buffer.from('PMT'))).status).toBe(204)
    const other = await signIn(await given.integration('other clerk', ['ManageConfiguration']), given.url)
    expect((await put(id, 3, Buffer.from('iles'), other)).status).toBe(409)
    expect((await put(id, 2, Buffer.from('x'))).status).toBe(409)
    expect((await put(id, 3, Buffer.alloc(8 * 1024 * 1024 + 1))).status).toBe(413)
    expect(left()).toEqual([])
    expect((await put(id, 0, Buffer.from('PMT'))).status).toBe(204)
    expect((await given.call('DELETE', `${PLACE}-import/${id}`, { token: clerk })).status).toBe(204)
    expect(left()).toEqual([])
  })
})

describe('rights', () => {
  it('only ManageConfiguration imports and removes; members read; nobody else does', async () => {
    const { json } = await imported(makePmtiles({ tiles: TILES }), 'Rights')
    const plain = await signIn(await given.integration('plain'), given.url)
    expect((await put(newId(), 0, Buffer.from('x'), plain)).status).toBe(403)
    expect((await complete(newId(), 'x', plain)).status).toBe(403)
    expect((await given.call('DELETE', `${PLACE}/${json.MapId}`, { token: plain })).status).toBe(403)
    expect((await given.call('GET', `${PLACE}/${json.MapId}/0/0/0`, { token: plain })).status).toBe(200)
    for (const address of [PLACE, `${PLACE}/${json.MapId}/0/0/0`])
      expect((await given.call('GET', address, { token: null })).status).toBe(401)
    await given.call('DELETE', `${PLACE}/${json.MapId}`, { token: clerk })
  })
})

describe('names on a map', () => {
  const region = (): Buffer => {
    const bytes = vectorTile({
      places: [{ kind: 'point', points: [[2000, 2000]], tags: { kind: 'locality', name: 'Harbour' } }],
      roads: [
        {
          kind: 'line',
          points: [
            [0, 100],
            [4000, 100],
          ],
          tags: { kind: 'minor_road', name: 'Quay Road' },
        },
      ],
    })
    return makePmtiles({ tiles: [{ z: 14, x: 8801, y: 5373, bytes }], bounds: [13.38, 52.51, 13.41, 52.53] })
  }
  const found = async (name: string, token = clerk): Promise<Reply> =>
    given.call('GET', `/api/v1/tenant/station/map-place?name=${encodeURIComponent(name)}`, { token })

  it('are found once they are read, are kept beside it, and are gone with it', async () => {
    expect((await found('quay')).json).toEqual({ Places: [], Maps: 0, Reading: 0 })
    const { json } = await imported(region(), 'The harbour')
    await expect.poll(async () => (await found('quay')).json.Reading, { timeout: 20_000 }).toBe(0)
    const { Places, Maps } = (await found('QUAY r')).json
    expect([Maps, Places.map(({ Name, Kind, Town, Map }: Reply['json']) => [Name, Kind, Town, Map])]).toEqual([
      1,
      [['Quay Road', 'street', 'Harbour', 'The harbour']],
    ])
    expect([Places[0].Latitude, Places[0].Longitude]).toEqual([expect.closeTo(52.52, 1), expect.closeTo(13.38, 1)])
    expect(readdirSync(path.join(given.data, 'maps', json.MapId)).toSorted()).toContain('names.json')
    expect((await found('x'.repeat(201))).status).toBe(400)
    expect((await given.call('GET', '/api/v1/tenant/station/map-place?name=x', { token: null })).status).toBe(401)
    await given.call('DELETE', `${PLACE}/${json.MapId}`, { token: clerk })
    expect((await found('quay')).json).toEqual({ Places: [], Maps: 0, Reading: 0 })
  })
})
