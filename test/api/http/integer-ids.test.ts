/** W5 and W6: ids in bodies are strings or integers up to 2⁵³, in the published schema as in the answers. */
import { Ajv2020 } from 'ajv/dist/2020.js'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openApiText } from '../../../server/openapi.ts'
import { CASES, type CasesWorld, casesWorld } from '../cases/world.ts'

let world: CasesWorld
beforeAll(async () => {
  world = await casesWorld()
})
afterAll(() => world?.given.close())

const document = JSON.parse(openApiText())
const ajv = new Ajv2020({ strict: false, validateFormats: false })
ajv.addSchema({ $id: 'document', ...document })
const accepts = (operation: string, method: string, body: unknown): boolean => {
  const place = `document#/paths/${operation.replaceAll('~', '~0').replaceAll('/', '~1')}/${method}/requestBody/content/application~1json/schema`
  return ajv.validate({ $ref: place }, body)
}

it('the published schema takes an id as a string and as an integer, and nothing else', () => {
  const named = (PrincipalId: unknown) => ({ PrincipalId, KId: 'urn:user:station:ana:5' })
  const bodies: [string, string, (id: unknown) => unknown][] = [
    ['/api/v1/case/{tenantId}', 'post', (id) => ({ Title: 'x', CategoryId: id })],
    ['/api/v1/case/{tenantId}', 'post', (id) => ({ Title: 'x', DepartmentId: id })],
    ['/api/v1/case/{tenantId}', 'post', (id) => ({ Title: 'x', EvidenceIds: [id] })],
    ['/api/v1/case/{tenantId}', 'post', (id) => ({ Title: 'x', PersonnelRelations: [named(id)] })],
    [
      '/api/v1/case/{tenantId}',
      'post',
      (id) => ({ Title: 'x', AccessPolicies: [{ ...named(id), Permissions: 'View', PrincipalType: 'user' }] }),
    ],
    ['/api/v1/case/{tenantId}/{caseId}/link-evidences', 'post', (id) => ({ Evidences: [{ EvidenceId: id }] })],
    [
      '/documentstore/api/v1/tenant/{tenantName}/evidence/{evidenceId}',
      'patch',
      (id) => ({ AccessPolicies: [{ PrincipalId: id, Permissions: 'View' }] }),
    ],
  ]
  for (const [operation, method, body] of bodies) {
    for (const id of ['5', 5, Number.MAX_SAFE_INTEGER])
      expect([operation, id, accepts(operation, method, body(id))]).toEqual([operation, id, true])
    for (const id of [-1, 1.5, true, {}])
      expect([operation, id, accepts(operation, method, body(id))]).toEqual([operation, id, false])
  }
})

it('an integer names a principal; one that names nobody is UnableToLoadUser, however long', async () => {
  const { maker, other, given } = world
  const policies = (PrincipalId: unknown) => ({
    Title: 'x',
    AccessPolicies: [{ ...world.policy(other, 'View'), PrincipalId }],
  })
  const made = await given.expecting(201, world.send('POST', CASES, policies(Number(other.id))))
  expect(made.AccessPolicies.map((one: { PrincipalId: string }) => one.PrincipalId)).toContain(other.id)
  for (const id of ['9'.repeat(65), Number.MAX_SAFE_INTEGER, 0]) {
    const { status, json } = await world.send('POST', CASES, policies(id))
    expect([status, json.ErrorCode]).toEqual([400, 'UnableToLoadUser'])
  }
  const relations = { Title: 'x', PersonnelRelations: [{ PrincipalId: Number(maker.id), KId: maker.kId }] }
  const { status, json } = await world.send('POST', CASES, relations)
  expect([status, json.ErrorCode, json.Message]).toEqual([400, 'UnableToLoadUser', 'Only people can be personnel.'])
})

it('an integer names a department; one that names none is DepartmentNotFound', async () => {
  const { DepartmentId } = await world.given.expecting(
    201,
    world.send('POST', '/api/v1/department/station', {
      Name: 'Harbour',
      AccessPolicies: [world.policy(world.maker, 'Manage')],
    }),
  )
  const made = await world.given.expecting(
    201,
    world.send('POST', CASES, { Title: 'x', DepartmentId: Number(DepartmentId) }),
  )
  expect(made.DepartmentId).toBe(DepartmentId)
  for (const id of [999_999, 'x']) {
    const { status, json } = await world.send('POST', CASES, { Title: 'x', DepartmentId: id })
    expect([status, json.ErrorCode]).toEqual([400, 'DepartmentNotFound'])
  }
})

it('who may not read a department’s history hears the same whether it exists or not', async () => {
  const made = await world.given.expecting(
    201,
    world.send('POST', '/api/v1/department/station', {
      Name: 'Traffic',
      AccessPolicies: [world.policy(world.maker, 'Manage')],
    }),
  )
  for (const id of [made.DepartmentId, '999999']) {
    const { status, text } = await world.send('GET', `/api/v1/department/station/${id}/history`, undefined, {
      as: world.other,
    })
    expect([status, text]).toEqual([403, ''])
  }
})
