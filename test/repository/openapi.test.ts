// @module-tag merge
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { contractRoutes, openApiText } from '../../server/openapi.ts'
import { SECURITY_POLICIES } from '../../shared/kernel/permissions.ts'
import { contractRoutes as routesInFiles } from '../api/http/contract-routes.ts'
import { type Given, givenStation, type Json } from '../support/given.ts'
import { succeed, temporaryFolder } from '../support/station.ts'

/** The composed station, its description and the contract are one. */
let given: Given
let served: Json
beforeAll(async () => {
  given = await givenStation()
  served = (await given.call('GET', '/openapi.json', { token: null })).json
})
afterAll(() => given?.close())

const ROUTES = contractRoutes()
const placesOf = (route: { path: string; aliases?: readonly string[] }): string[] =>
  [route.path, ...(route.aliases ?? [])].map((path) => path.replaceAll(/:([^/]+)/g, '{$1}'))
const operations = (document: Json): [string, Json][] =>
  Object.entries<Json>(document.paths).flatMap(([place, item]) =>
    Object.entries<Json>(item).map(([method, operation]): [string, Json] => [
      `${method.toUpperCase()} ${place}`,
      operation,
    ]),
  )

describe('openapi.json', () => {
  it('describes every route of the contract and nothing else', async () => {
    const expected = ROUTES.flatMap((route) => placesOf(route).map((place) => `${route.method} ${place}`))
    expect(
      operations(served)
        .map(([place]) => place)
        .sort(),
    ).toEqual(expected.sort())
    // A contract file that the list of server/openapi.ts forgot would be bound to nothing.
    expect((await routesInFiles()).map(({ id }) => id).sort()).toEqual(ROUTES.map(({ id }) => id).sort())
  })

  it('says of each where it comes from, what it needs and who writes it down', () => {
    const byPlace = new Map(operations(served))
    for (const route of ROUTES) {
      for (const place of placesOf(route)) {
        const operation = byPlace.get(`${route.method} ${place}`)
        expect([place, operation['x-origin'], operation['x-permission'], operation['x-audit']]).toEqual([
          place,
          route.origin,
          route.permission,
          route.audit,
        ])
        expect(['specification', 'decision', 'extension']).toContain(operation['x-origin'])
        expect([
          'anyone',
          'signed-address',
          'share-link',
          'loopback-or-administrator',
          'member',
          'level',
          'policy',
          'administrator',
        ]).toContain(operation['x-permission'].kind)
        if (operation['x-permission'].kind === 'policy')
          expect(SECURITY_POLICIES).toContain(operation['x-permission'].policy)
        expect([place, operation.summary]).toEqual([place, expect.stringMatching(/\w/)])
      }
    }
  })

  it('what it describes is bound: each place answers, and not with "nothing here"', async () => {
    for (const [place] of operations(served)) {
      const [method = '', template = ''] = place.split(' ')
      if (template.endsWith('/events') || method === 'HEAD') continue
      const address = template
        .replaceAll(/\{tenant(Id|Name)\}/g, 'station')
        .replaceAll(/\{(evidenceId|resourceId|jobId)\}/g, '999999')
        .replaceAll(/\{(container|blob|file)\}/g, 'x')
      const reply = await given.call(method, address, method === 'GET' ? {} : { raw: '{}' })
      expect([place, reply.status === 405 || reply.json?.ErrorCode === 'MethodNotAllowed']).toEqual([place, false])
      if (template !== '/docs/{file}') expect([place, reply.json?.ErrorCode ?? '']).not.toEqual([place, 'NotFound'])
    }
  })

  it('an address that nobody describes is 404 as JSON, another method 405 with Allow', async () => {
    for (const address of [
      '/api/v1/tenant/station/evidences',
      '/documentstore/api/v1/tenant/station',
      '/api',
      '/openapi',
      '/documentstore/api/v2/tenant/station/evidence',
    ]) {
      const { status, json } = await given.call('GET', address)
      expect([address, status, json.ErrorCode]).toEqual([address, 404, 'NotFound'])
    }
    const other = await given.call('DELETE', `${given.documents}/evidence`)
    expect([other.status, other.headers.get('allow')]).toEqual([405, 'GET, HEAD, POST'])
  })

  it('is what the command line prints', async () => {
    const { dir, dispose } = await temporaryFolder('openapi')
    try {
      const printed = JSON.parse(await succeed(['openapi'], { data: dir }))
      expect(printed).toEqual(served)
      expect(JSON.parse(openApiText())).toEqual(served)
    } finally {
      await dispose()
    }
  })
})
