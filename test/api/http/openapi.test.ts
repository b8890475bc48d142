// @module-tag merge
import { Ajv2020 } from 'ajv/dist/2020.js'
import { beforeAll, describe, expect, test } from 'vitest'
import { openApiDocument } from '../../../server/http/openapi.ts'
import { pathsOf } from '../../../server/http/routing.ts'
import type { RouteDefinition } from '../../../shared/kernel/route.ts'
import { contractRoutes } from './contract-routes.ts'
import { compareShapes } from './shapes.ts'

type Json = Readonly<Record<string, unknown>>
interface Operation {
  operationId: string
  parameters?: { name: string; in: string; required?: boolean; schema: Json }[]
  requestBody?: { content: Record<string, { schema?: Json }> }
  responses: Record<string, { description: string; content?: Record<string, { schema?: Json }> }>
  security: Record<string, string[]>[]
  'x-origin': string
  'x-permission': Json
}

let routes: RouteDefinition[]
let document: {
  openapi: string
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, Json>; securitySchemes: Json }
}
let operations: { path: string; method: string; operation: Operation }[]
beforeAll(async () => {
  routes = await contractRoutes()
  // As it goes over the wire.
  document = JSON.parse(JSON.stringify(openApiDocument(routes, '0.0.0')))
  operations = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ path, method, operation })),
  )
})

describe('the OpenAPI document', () => {
  test('has every path of every route, and nothing else', () => {
    const expected = routes.flatMap((route) =>
      pathsOf(route).map((path) => `${route.method} ${path.replaceAll(/:([^/]+)/g, '{$1}')}`),
    )
    expect(operations.map(({ path, method }) => `${method.toUpperCase()} ${path}`).sort()).toEqual(expected.sort())
    expect(document.openapi).toBe('3.1.0')
  })

  test('every operation has an id of its own, an origin, a permission and a summary of its answers', () => {
    const ids = operations.map(({ operation }) => operation.operationId)
    expect(new Set(ids).size).toBe(ids.length)
    for (const { operation } of operations) {
      expect(['specification', 'decision', 'extension']).toContain(operation['x-origin'])
      expect(operation['x-permission']).toHaveProperty('kind')
      expect(Object.keys(operation.responses).length).toBeGreaterThan(1)
      for (const response of Object.values(operation.responses)) expect(response.description).not.toBe('')
      for (const scheme of operation.security.flatMap((one) => Object.keys(one)))
        expect(document.components.securitySchemes).toHaveProperty(scheme)
    }
  })

  test('every path parameter is declared, required, and in the path', () => {
    for (const { path, operation } of operations) {
      const inPath = [...path.matchAll(/\{([^}]+)\}/g)].map((match) => match[1]).sort()
      const declared = (operation.parameters ?? []).filter((parameter) => parameter.in === 'path')
      expect([operation.operationId, declared.map(({ name }) => name).sort()]).toEqual([operation.operationId, inPath])
      for (const parameter of declared) expect(parameter.required).toBe(true)
    }
  })

  test('on the case service 401 and 403 have no body, everywhere else they have', () => {
    for (const route of routes.filter(({ permission }) => permission.kind !== 'anyone')) {
      const place = document.paths[route.path.replaceAll(/:([^/]+)/g, '{$1}')]?.[route.method.toLowerCase()]
      for (const status of ['401', '403'])
        expect([route.id, place?.responses[status]?.content !== undefined]).toEqual([
          route.id,
          route.interface !== 'case',
        ])
    }
  })

  test('every schema is one (JSON Schema 2020-12) and every reference leads somewhere', () => {
    const ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: true })
    ajv.addSchema({ $id: 'doc', ...document })
    const references = JSON.stringify(document).match(/"\$ref":"[^"]+"/g) ?? []
    for (const reference of new Set(references)) {
      const name = /^"\$ref":"#\/components\/schemas\/([^"/]+)"$/.exec(reference)?.[1]
      expect([reference, name !== undefined && Object.hasOwn(document.components.schemas, name)]).toEqual([
        reference,
        true,
      ])
    }
    const schemas = operations.flatMap(({ operation }) => [
      ...(operation.parameters ?? []).map(({ schema }) => schema),
      ...[...Object.values(operation.responses), operation.requestBody].flatMap((part) =>
        Object.values(part?.content ?? {}).map(({ schema }) => schema),
      ),
    ])
    // Most places name one of a few shapes: each is compiled once.
    const different = new Set(
      [...schemas, ...Object.values(document.components.schemas)]
        .filter((schema) => schema !== undefined)
        .map((schema) => JSON.stringify(schema)),
    )
    for (const text of different) {
      const here = JSON.parse(text.replaceAll('"#/components/', '"doc#/components/')) as Json
      expect([ajv.validateSchema(here), ajv.errors]).toEqual([true, null])
      ajv.compile(here)
    }
  })
})

/** Decisions 1: every pair that could meet. The first of each pair wins. A new one is written down here, on purpose. */
const MEETING: readonly string[] = [
  '/api/v1/department/default/: before /api/v1/department/:/availability',
  '/api/v1/department/default/: before /api/v1/department/:/:',
  '/cadservice/api/v1/events/:/batch before /cadservice/api/v1/events/:/:',
  '/cadservice/api/v1/events/:/search before /cadservice/api/v1/events/:/:',
  '/cadservice/api/v1/events/:/singleredirect before /cadservice/api/v1/events/:/:',
  '/cadservice/api/v1/events/:/singleuri before /cadservice/api/v1/events/:/:',
  '/cadservice/api/v1/messages/:/retry before /cadservice/api/v1/messages/:/:',
  '/documentstore/api/v1/tenant/:/evidence/download before /documentstore/api/v1/tenant/:/evidence/:',
  '/documentstore/api/v1/tenant/:/evidence/export before /documentstore/api/v1/tenant/:/evidence/:',
  '/api/v1/case/:/export before /api/v1/case/:/:',
  '/api/v1/department/:/availability before /api/v1/department/:/:',
  '/api/v1-private/tenant/:/configuration/commit before /api/v1-private/tenant/:/configuration/:',
  '/api/v1-private/tenant/:/configuration/negociate before /api/v1-private/tenant/:/configuration/:',
  '/api/v1-private/tenant/:/configuration/reject before /api/v1-private/tenant/:/configuration/:',
  '/api/v1-private/tenant/:/device/canmanage before /api/v1-private/tenant/:/device/:',
  '/api/v1/tenant/:/configuration/commit before /api/v1/tenant/:/configuration/:',
  '/api/v1/tenant/:/configuration/negociate before /api/v1/tenant/:/configuration/:',
  '/api/v1/tenant/:/configuration/reject before /api/v1/tenant/:/configuration/:',
  '/api/v1/tenant/:/device/canmanage before /api/v1/tenant/:/device/:',
  '/api/v1/tenant/:/evidence/download before /api/v1/tenant/:/evidence/:',
  '/api/v1/tenant/:/evidence/export before /api/v1/tenant/:/evidence/:',
  // `places` and `case` are no numbers of packages.
  '/api/v1/tenant/:/packages/places before /api/v1/tenant/:/packages/:',
  '/api/v1/tenant/:/packages/case/: before /api/v1/tenant/:/packages/:/file',
  '/api/v1/tenant/:/packages/case/: before /api/v1/tenant/:/packages/:/receipt',
  '/api/v1/tenant/:/packages/case/: before /api/v1/tenant/:/packages/:/resume',
  '/api/v1/tenant/:/packages/case/: before /api/v1/tenant/:/packages/:/start',
  '/api/v1/tenant/:/packages/case/: before /api/v1/tenant/:/packages/:/stop',
]

test('every pair of routes whose paths could meet is known', () => {
  const shapes = [...new Set(routes.flatMap(pathsOf).map((path) => path.replaceAll(/:[^/]+/g, ':')))].sort(
    compareShapes,
  )
  const meet = (a: string, b: string): boolean => {
    const [left, right] = [a.split('/'), b.split('/')]
    return (
      left.length === right.length &&
      left.every((part, index) => part === right[index] || part === ':' || right[index] === ':')
    )
  }
  const pairs = shapes.flatMap((first, index) =>
    shapes
      .slice(index + 1)
      .filter((second) => meet(first, second))
      .map((second) => `${first} before ${second}`),
  )
  expect(pairs).toEqual(MEETING)
})

test('routes that share a shape differ by method', () => {
  const seen = new Map<string, string>()
  for (const route of routes) {
    for (const path of pathsOf(route)) {
      const key = `${route.method} ${path.replaceAll(/:[^/]+/g, ':')}`
      expect([key, seen.get(key) ?? route.id]).toEqual([key, route.id])
      seen.set(key, route.id)
    }
  }
})
