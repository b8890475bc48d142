import type { Act, World } from '../documents/acts.ts'
import { asChief } from '../cases/acts.ts'

const SEARCH = '/searchservice/api/v1/search/station'
export const SAVED = '/searchservice/api/v1/saved/station'

/** One good call of each route of the search (promise I1). */
export const SEARCH_ACTS: Readonly<Record<string, (world: World) => Promise<Act> | Act>> = {
  search: ({ given }) => ({
    call: () =>
      given.call('POST', SEARCH, {
        body: { Query: 'front tag:x', Types: ['Evidence'], FromUtc: '2020-01-01T00:00:00Z', Count: 3, Sort: null },
      }),
    status: 200,
    entries: ({ json }) => [
      [
        'search.made',
        'search',
        '',
        {
          detail: {
            query: 'front tag:x',
            types: ['Evidence'],
            fromUtc: '2020-01-01T00:00:00Z',
            count: 3,
            returned: json.Hits.length,
            total: json.Total,
          },
        },
      ],
    ],
  }),
  searchDensity: ({ given }) => ({
    call: () =>
      given.call('POST', '/searchservice/api/v1/density/station', {
        body: {
          Query: 'front',
          Near: { Latitude: 52.52, Longitude: 13.4, RadiusMeters: 500, Name: 'Quay Road' },
          Area: [13, 52, 14, 53],
          Level: 10,
        },
      }),
    status: 200,
    entries: ({ json }) => [
      [
        'search.made',
        'search',
        '',
        {
          detail: {
            query: 'front',
            near: { Latitude: 52.52, Longitude: 13.4, RadiusMeters: 500, Name: 'Quay Road' },
            area: [13, 52, 14, 53],
            level: 10,
            positions: json.Positions,
            tracks: json.Tracks,
          },
        },
      ],
    ],
  }),
  listSavedSearches: (world) => ({
    call: () => asChief(world, 'GET', SAVED),
    status: 200,
    actor: 'chief',
    entries: ({ json }) => [['list.read', 'savedSearch', '', { detail: { returned: json.length } }]],
  }),
  saveSearch: (world) => ({
    call: () => asChief(world, 'POST', SAVED, { Name: `Open ones ${Math.random()}`, Question: { States: ['Open'] } }),
    status: 201,
    actor: 'chief',
    entries: ({ json }) => [['savedSearch.created', 'savedSearch', json.SavedSearchId]],
  }),
  changeSavedSearch: (world) =>
    ofSaved(world, 'savedSearch.changed', (place) => asChief(world, 'PATCH', place, { Name: `x ${Math.random()}` })),
  deleteSavedSearch: (world) => ofSaved(world, 'savedSearch.deleted', (place) => asChief(world, 'DELETE', place)),
}

async function ofSaved(world: World, action: string, call: (place: string) => ReturnType<Act['call']>): Promise<Act> {
  const { SavedSearchId } = await world.given.expecting(
    201,
    asChief(world, 'POST', SAVED, { Name: `Mine ${Math.random()}`, Question: { Query: 'mill' } }),
  )
  return {
    call: () => call(`${SAVED}/${SavedSearchId}`),
    status: 200,
    actor: 'chief',
    entries: () => [[action, 'savedSearch', SavedSearchId]],
  }
}
