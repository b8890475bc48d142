/** Street maps of regions that administrators import. */
import { join } from 'node:path'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import * as contract from '../../../shared/maps/contract.ts'
import type { BytesAnswer } from '../../http/bytes.ts'
import { answer, type BoundRoute, bytes, json } from '../../http/handlers.ts'
import type { Feature, Kernel } from '../../kernel/kernel.ts'
import { mapFolder } from '../../platform/maps/map-folder.ts'
import { createMaps, type Maps } from './maps.service.ts'

const FORGET_EVERY = 10 * 60_000
const READ_EVERY = 1_000

export function mapsFeature(kernel: Kernel): Feature {
  const maps = createMaps(kernel, mapFolder(join(kernel.settings.data, 'maps')))
  return {
    routes: mapRoutes(maps),
    tasks: [
      { name: 'idle imports of maps', runsOn: 'every node', everyMs: FORGET_EVERY, run: maps.forgetIdle },
      { name: 'names on street maps', runsOn: 'every node', everyMs: READ_EVERY, run: maps.readOn },
    ],
    catchUp: maps.catchUp,
    stop: maps.stop,
  }
}

const TYPES = {
  mvt: 'application/vnd.mapbox-vector-tile',
  png: 'image/png',
  jpg: 'image/jpeg',
  webp: 'image/webp',
} as const

const unzip = promisify(gunzip)
const MOST_UNPACKED = 64 * 1024 ** 2
/** A day: who loses their rights keeps no more than pieces of a street map. */
const KEEP = 'private, max-age=86400, immutable'

function mapRoutes(maps: Maps): BoundRoute[] {
  return [
    json(contract.listMaps, async () => maps.list()),
    json(contract.findMapPlaces, async ({ query }) => maps.places(query.name)),
    bytes(contract.getMapTile, async ({ params, headers }): Promise<BytesAnswer> => {
      const [z, x, y] = [params['z'], params['x'], params['y']].map(Number) as [number, number, number]
      const { map, tile } = await maps.tile(String(params['mapId']), z, x, y)
      const etag = `"${map.Sha256.slice(0, 32)}-${z}-${x}-${y}"`
      const common = { ETag: etag, 'Cache-Control': KEEP, Vary: 'Accept-Encoding' }
      if (headers['if-none-match'] === etag) return { status: 304, headers: common }
      if (tile === null) return { status: 204, headers: common }
      const packed = tile.gzip && takesGzip(headers['accept-encoding'])
      const body = tile.gzip && !packed ? await unzip(tile.bytes, { maxOutputLength: MOST_UNPACKED }) : tile.bytes
      return {
        status: 200,
        headers: {
          ...common,
          'Content-Type': TYPES[map.Type],
          'X-Content-Type-Options': 'nosniff',
          ...(packed ? { 'Content-Encoding': 'gzip' } : {}),
        },
        body,
      }
    }),
    bytes(contract.putMapPart, async ({ params, body }, call) => {
      await maps.put(call, String(params['importId']), Number(params['offset']), body)
      return { status: 204, headers: {} }
    }),
    json(contract.completeMapImport, async ({ params, body, call }) =>
      answer(201, await maps.complete(call, params.importId, body.Name)),
    ),
    json(contract.cancelMapImport, async ({ params, call }) => {
      await maps.cancel(call, params.importId)
      return undefined
    }),
    json(contract.removeMap, async ({ params, call }) => maps.remove(call, params.mapId)),
  ]
}

/** Named, and not with `q=0`. */
const takesGzip = (header: string | string[] | undefined): boolean =>
  String(header ?? '')
    .split(',')
    .some((one) => /^\s*(gzip|\*)\s*(;\s*q=(?!0(\.0*)?\s*$).*)?$/i.test(one))
