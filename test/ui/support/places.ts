/** A station with evidence in a town, and a street map of it. */
import { randomBytes } from 'node:crypto'
import { signIn } from '../../support/integrator.ts'
import { type GivenFeature, makePmtiles, vectorTile } from '../../support/pmtiles.ts'
import { type SearchStation, searchStation } from './search.ts'

const ZOOM = 14
/** The tile of the harbour, in the numbering of web maps. */
const [X, Y] = [8801, 5373]
const STREETS = [
  ['Quay Road', 'Mill Lane', 'Ferry Street'],
  ['Harbour Road', 'Chapel Street', 'Station Road'],
  ['Tanner’s Row', 'Orchard Way', 'North Parade'],
] as const

export function townMap(): Buffer {
  const street = (name: string, at: number, upright: boolean): GivenFeature => ({
    kind: 'line',
    points: Array.from({ length: 5 }, (_, step) => (upright ? [at, step * 1024] : [step * 1024, at])),
    tags: { kind: 'minor_road', name },
  })
  const tiles = [-1, 0, 1].flatMap((dx) =>
    [-1, 0, 1].map((dy) => {
      const names = STREETS[dy + 1] ?? STREETS[0]
      const bytes = vectorTile({
        places:
          dx === 0 && dy === 0
            ? [{ kind: 'point', points: [[2048, 2048]], tags: { kind: 'locality', name: 'Harbour' } }]
            : [],
        water: [
          {
            kind: 'polygon',
            points: [
              [0, 3700],
              [4096, 3600],
              [4096, 4096],
              [0, 4096],
            ],
            tags: { kind: 'water' },
          },
        ],
        roads: [
          street(names[0], 700, false),
          street(names[1], 2100, false),
          street(names[2], 3300, false),
          street(`${dx + 2} Avenue`, 1500, true),
        ],
      })
      return { z: ZOOM, x: X + dx, y: Y + dy, bytes }
    }),
  )
  return makePmtiles({ tiles, bounds: [13.36, 52.5, 13.44, 52.54], metadata: { attribution: '© Test streets' } })
}

export async function importTown({ given }: Pick<SearchStation, 'given'>): Promise<void> {
  const token = await signIn(await given.integration('clerk of maps', ['ManageConfiguration']), given.url)
  const place = '/api/v1/tenant/station/map'
  const id = randomBytes(16).toString('hex')
  await given.call('PUT', `${place}-import/${id}/0`, {
    raw: townMap(),
    token,
    headers: { 'content-type': 'application/octet-stream' },
  })
  await given.expecting(201, given.call('POST', `${place}-import/${id}`, { body: { Name: 'The town' }, token }))
  for (let tries = 0; tries < 100; tries++) {
    const { json } = await given.call('GET', `${place}-place?name=quay`, { token })
    if (json.Reading === 0) return
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
  throw new Error('The names of the map were not read.')
}

/** Tracks of a patrol along the quay, positions about the market, and one far away. */
export async function placesStation(): Promise<SearchStation & { readonly patrols: number }> {
  const station = await searchStation()
  const patrols = 9
  for (let at = 0; at < patrols; at++) {
    const north = 52.5185 + at * 0.0004
    const points = Array.from(
      { length: 12 },
      (_, step) => `${(13.388 + step * 0.0022).toFixed(5)} ${(north + Math.sin(step + at) * 0.0006).toFixed(5)}`,
    )
    await station.evidence(`Patrol ${at + 1}`, { LocationWKT: `LINESTRING (${points.join(', ')})` })
  }
  for (let at = 0; at < 14; at++)
    await station.evidence(`Market ${at + 1}`, {
      LocationWKT: `POINT (${(13.4051 + (at % 4) * 0.0005).toFixed(5)} ${(52.5201 + Math.floor(at / 4) * 0.0003).toFixed(5)})`,
    })
  return { ...station, patrols }
}
