import { z } from 'zod'
import { TenantParams as Tenant, text } from '../kernel/fields.ts'
import { NAME_LENGTH, unusableName } from '../kernel/names.ts'
import { route } from '../kernel/route.ts'

/** Regions of which the station has maps: PMTiles files that an administrator imports once, offline. Extensions. */

export const TILE_TYPES = ['mvt', 'png', 'jpg', 'webp'] as const
export const DEEPEST_ZOOM = 22

export const MapModel = z
  .object({
    MapId: z.string(),
    Name: z.string(),
    Type: z.enum(TILE_TYPES).meta({ description: '`mvt`: vector tiles; the others are pictures.' }),
    Bounds: z.tuple([z.number(), z.number(), z.number(), z.number()]).meta({
      override: {
        type: 'array',
        items: { type: 'number' },
        minItems: 4,
        maxItems: 4,
        description: '[west, south, east, north] in degrees.',
      },
    }),
    MinZoom: z.int(),
    MaxZoom: z.int(),
    Attribution: z.string().meta({ description: 'Whose data it is, as plain text from the file; may be empty.' }),
    Bytes: z.int(),
    Sha256: z.string(),
    ImportedUtcTime: z.string(),
    ImportedBy: z.string(),
  })
  .meta({ id: 'Map' })

const HexId = z
  .string()
  .regex(/^[0-9a-f]{32}$/, 'must be 32 hexadecimal digits')
  .meta({ override: { type: 'string', pattern: '^[0-9a-f]{32}$' } })

const whole = (most: number) =>
  z
    .string()
    .regex(/^\d{1,16}$/, 'must be a whole number')
    .transform(Number)
    .pipe(z.number().int().min(0).max(most))
    .meta({ override: { type: 'integer', minimum: 0, maximum: most } })

const PATH = '/api/v1/tenant/:tenantId/map'
const MapPath = Tenant.extend({ mapId: HexId })
const ImportPath = Tenant.extend({ importId: HexId })
const configures = { kind: 'policy', policy: 'ManageConfiguration' } as const

export const listMaps = route({
  id: 'listMaps',
  interface: 'document',
  method: 'GET',
  path: PATH,
  origin: 'extension',
  summary: 'The maps of the station, by name',
  permission: { kind: 'member', guests: true },
  audit: { by: 'none', reason: 'Says of which regions there are street maps; no evidence and no person is in it.' },
  params: Tenant,
  responses: { 200: z.array(MapModel) },
  errors: ['TenantNotFound'],
})

export const getMapTile = route({
  id: 'getMapTile',
  interface: 'document',
  method: 'GET',
  path: `${PATH}/:mapId/:z/:x/:y`,
  origin: 'extension',
  summary: 'One tile of a map',
  description:
    'As it lies in the file: a vector tile under gzip where the caller takes gzip, or a picture. 204: the map has nothing there. It never changes under its address, so it may be kept, and has an ETag.',
  permission: { kind: 'member', guests: true },
  audit: { by: 'none', reason: 'A piece of a street map; no evidence and no person is in it.' },
  params: MapPath.extend({
    z: whole(DEEPEST_ZOOM),
    x: whole(2 ** DEEPEST_ZOOM - 1),
    y: whole(2 ** DEEPEST_ZOOM - 1),
  }),
  offers: ['application/vnd.mapbox-vector-tile', 'image/png', 'image/jpeg', 'image/webp'],
  responses: { 200: 'bytes', 204: null, 304: null },
  errors: ['InvalidModel', 'MapNotFound', 'TenantNotFound'],
  uncounted: true,
})

export const PLACE_KINDS = ['place', 'street', 'point'] as const
/** Of an answer. */
export const MOST_PLACES = 12

const MapPlace = z
  .object({
    Name: z.string(),
    Kind: z.enum(PLACE_KINDS).meta({ description: '`place`: a town or a part of one; `point`: a point of interest.' }),
    Town: z.string().nullable().meta({ description: 'The nearest place of a street or point.' }),
    Latitude: z.number(),
    Longitude: z.number().meta({ description: 'Of a street: about its middle.' }),
    Map: z.string().meta({ description: 'The name of the map that has it.' }),
  })
  .meta({ id: 'MapPlace' })

export const findMapPlaces = route({
  id: 'findMapPlaces',
  interface: 'document',
  method: 'GET',
  path: '/api/v1/tenant/:tenantId/map-place',
  origin: 'extension',
  summary: 'Places, streets and points of interest by their names on the maps of the station',
  description: `At most ${MOST_PLACES}, the best first. Without regard to case and accents; words may be half typed; behind a comma stands the place where a street is. The names of a map are read after its import, which takes minutes for a large one.`,
  permission: { kind: 'member', guests: true },
  audit: { by: 'none', reason: 'Names on a street map; no evidence and no person is in it.' },
  params: Tenant,
  query: z.object({ name: text(200) }),
  responses: {
    200: z
      .object({
        Places: z.array(MapPlace),
        Maps: z.int().meta({ description: 'Maps whose names are known.' }),
        Reading: z.int().meta({ description: 'Maps whose names are still being read.' }),
      })
      .meta({ id: 'MapPlaces' }),
  },
  errors: ['InvalidModel', 'TenantNotFound'],
})

/** Why a file is no usable map: `Path` of the detail of MapImportRefused, for whoever says it in another language. */
export const MAP_REFUSALS = [
  'order',
  'notMap',
  'version',
  'cut',
  'empty',
  'type',
  'compression',
  'bounds',
  'zooms',
  'directory',
  'metadata',
  'tiles',
] as const
export type MapRefusal = (typeof MAP_REFUSALS)[number]

/** Bytes of a part of a file; all but the last have as many. */
export const MAP_PART_BYTES = 8 * 1024 * 1024
/** A map of a large country at street level has some ten. */
export const MOST_MAP_BYTES = 256 * 1024 ** 3

export const putMapPart = route({
  id: 'putMapPart',
  interface: 'document',
  method: 'PUT',
  path: `${PATH}-import/:importId/:offset`,
  origin: 'extension',
  summary: 'Send the next part of a PMTiles file',
  description: `The caller chooses an id for the import. Parts come in order, each of at most ${MAP_PART_BYTES} bytes; the first, at offset 0, begins. Refused with MapImportRefused where an offset is not the end of what is there. An import that nobody goes on with is removed after an hour.`,
  permission: configures,
  audit: {
    by: 'none',
    reason: 'A part of a file that is not kept yet: the completed import is written down, with the hash of the file.',
  },
  params: ImportPath.extend({ offset: whole(MOST_MAP_BYTES) }),
  responses: { 204: null },
  errors: ['InvalidModel', 'BodyTooLarge', 'MapImportRefused', 'StorageFull', 'TenantNotFound', 'ReadOnly'],
  uncounted: true,
})

export const MapName = z
  .string()
  .trim()
  .min(1, 'must not be empty')
  .max(NAME_LENGTH, `must not be longer than ${NAME_LENGTH} characters`)
  .superRefine((name, context) => {
    const why = name === '' ? null : unusableName(name)
    if (why !== null) context.addIssue({ code: 'custom', message: why })
  })

export const completeMapImport = route({
  id: 'completeMapImport',
  interface: 'document',
  method: 'POST',
  path: `${PATH}-import/:importId`,
  origin: 'extension',
  summary: 'Check the file that was sent, and keep it as a map',
  description:
    'A file that is no usable map is refused with MapImportRefused, whose message says why, and nothing of it is kept.',
  permission: configures,
  audit: { by: 'own', actions: ['map.imported'] },
  params: ImportPath,
  body: z.object({ Name: MapName }).meta({ id: 'CompleteMapImportModel' }),
  responses: { 201: MapModel },
  errors: ['InvalidModel', 'MapImportRefused', 'StorageFull', 'TenantNotFound', 'ReadOnly'],
})

export const cancelMapImport = route({
  id: 'cancelMapImport',
  interface: 'document',
  method: 'DELETE',
  path: `${PATH}-import/:importId`,
  origin: 'extension',
  summary: 'Give up an import; what was sent is removed',
  permission: configures,
  audit: { by: 'none', reason: 'What is removed was never kept.' },
  params: ImportPath,
  responses: { 204: null },
  errors: ['InvalidModel', 'TenantNotFound', 'ReadOnly'],
})

export const removeMap = route({
  id: 'removeMap',
  interface: 'document',
  method: 'DELETE',
  path: `${PATH}/:mapId`,
  origin: 'extension',
  summary: 'Remove a map',
  permission: configures,
  audit: { by: 'own', actions: ['map.removed'] },
  params: MapPath,
  responses: { 200: MapModel },
  errors: ['InvalidModel', 'MapNotFound', 'TenantNotFound', 'ReadOnly'],
})
