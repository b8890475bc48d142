import { randomBytes } from 'node:crypto'
import { makePmtiles, vectorTile } from '../../support/pmtiles.ts'
import { asChief } from '../cases/acts.ts'
import type { Act, World } from '../documents/acts.ts'

const PLACE = '/api/v1/tenant/station/map'
const ROAD = vectorTile({
  roads: [
    {
      kind: 'line',
      points: [
        [0, 0],
        [9, 9],
      ],
      tags: { kind: 'minor_road' },
    },
  ],
}) // prettier-ignore
const FILE = makePmtiles({ tiles: [{ z: 0, x: 0, y: 0, bytes: ROAD }] })

const put = (world: World, id: string) =>
  world.given.call('PUT', `${PLACE}-import/${id}/0`, {
    raw: FILE,
    token: world.admin,
    headers: { 'content-type': 'application/octet-stream' },
  })
const sent = async (world: World): Promise<string> => {
  const id = randomBytes(16).toString('hex')
  await put(world, id)
  return id
}
const imported = async (world: World): Promise<string> => {
  const id = await sent(world)
  await asChief(world, 'POST', `${PLACE}-import/${id}`, { Name: 'The county' })
  return id
}

/** One good call of each route about street maps (promise I1). */
export const MAP_ACTS: Readonly<Record<string, (world: World) => Promise<Act> | Act>> = {
  listMaps: ({ given }) => ({ call: () => given.call('GET', PLACE), status: 200, entries: () => [] }),
  getMapTile: async (world) => {
    const id = await imported(world)
    return { call: () => world.given.call('GET', `${PLACE}/${id}/0/0/0`), status: 200, entries: () => [] }
  },
  findMapPlaces: ({ given }) => ({
    call: () => given.call('GET', '/api/v1/tenant/station/map-place?name=Quay'),
    status: 200,
    entries: () => [],
  }),
  putMapPart: (world) => ({
    call: () => put(world, randomBytes(16).toString('hex')),
    status: 204,
    actor: 'chief',
    entries: () => [],
  }),
  cancelMapImport: async (world) => {
    const id = await sent(world)
    return {
      call: () => asChief(world, 'DELETE', `${PLACE}-import/${id}`),
      status: 204,
      actor: 'chief',
      entries: () => [],
    }
  },
  completeMapImport: async (world) => {
    const id = await sent(world)
    return {
      call: () => asChief(world, 'POST', `${PLACE}-import/${id}`, { Name: 'The town' }),
      status: 201,
      actor: 'chief',
      entries: () => [['map.imported', 'map', id, { bytes: FILE.length }]],
    }
  },
  removeMap: async (world) => {
    const id = await imported(world)
    return {
      call: () => asChief(world, 'DELETE', `${PLACE}/${id}`),
      status: 200,
      actor: 'chief',
      entries: () => [['map.removed', 'map', id, { bytes: FILE.length }]],
    }
  },
}
