/** W5 and W6: ids in bodies are strings or integers up to 2⁵³, in the published schema as in the answers. */
import { Ajv2020 } from 'ajv/dist/2020.js'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openApiText } from '../../../server/openapi.ts'
import type { Json } from '../../support/given.ts'
import { CASES, type CasesWorld, casesWorld } from '../cases/world.ts'

const DEPARTMENTS = '/api/v1/department/station'

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

it('an id of a principal has no greatest length: what is too long names nobody, everywhere in a case', async () => {
  const { other, given } = world
  const file = await world.made()
  const place = `${CASES}/${file.CaseId}`
  const sent = (PrincipalId: string): [string, string, string, Json][] => {
    const policies = [{ ...world.policy(other, 'View'), PrincipalId }]
    const expirations = [{ PrincipalId, KId: other.kId, ExpirationDateUtc: '2030-01-01T00:00:00Z' }]
    const { Title, ConcurrencyId } = file
    return [
      ['post', CASES, '/api/v1/case/{tenantId}', { Title, AccessPolicies: policies }],
      ['post', CASES, '/api/v1/case/{tenantId}', { Title, PersonnelRelations: [{ PrincipalId }] }],
      ['patch', place, '/api/v1/case/{tenantId}/{caseId}', { AccessPolicies: policies }],
      ['patch', place, '/api/v1/case/{tenantId}/{caseId}', { AccessPolicyExpirations: expirations }],
      [
        'put',
        place,
        '/api/v1/case/{tenantId}/{caseId}',
        { Title, ConcurrencyId, PersonnelRelations: [{ PrincipalId }] },
      ],
      ['post', `${place}/share`, '/api/v1/case/{tenantId}/{caseId}/share', { AccessPolicies: policies }],
      ['post', DEPARTMENTS, '/api/v1/department/{tenantId}', { Name: 'Night shift', AccessPolicies: policies }],
    ]
  }
  for (const digits of [64, 65, 1000])
    for (const [method, address, operation, body] of sent('9'.repeat(digits))) {
      expect([operation, digits, accepts(operation, method, body)]).toEqual([operation, digits, true])
      const { status, json } = await world.send(method.toUpperCase(), address, body)
      expect([method, operation, digits, status, json?.ErrorCode]).toEqual([
        method,
        operation,
        digits,
        400,
        'UnableToLoadUser',
      ])
    }
  expect(await given.expecting(200, world.send('GET', place))).toEqual(file)
})

it('only people can be personnel: groups and services are refused by that name, and the published schema says so', async () => {
  const { other, given } = world
  const file = await world.made()
  const place = `${CASES}/${file.CaseId}`
  const officer = await given.command('user.create', {
    username: 'patrolled',
    password: 'a long enough pass phrase',
    group: 'Patrol',
    policies: [],
    guest: false,
  })
  const patrol = given.database((db) => db.prepare("SELECT * FROM principals WHERE name = 'Patrol'").get()) as Json
  const named: [string, string, string][] = [
    ['service', other.id, other.kId],
    ['group', String(patrol.principal_id), patrol.k_id],
  ]
  for (const [kind, PrincipalId, KId] of named) {
    const PersonnelRelations = [{ PrincipalId: officer.principalId }, { PrincipalId, KId }]
    const { Title, ConcurrencyId } = file
    for (const [method, address, body] of [
      ['POST', CASES, { Title }],
      ['PATCH', place, {}],
      ['PUT', place, { Title, ConcurrencyId }],
    ] as const) {
      const { status, json } = await world.send(method, address, { ...body, PersonnelRelations })
      expect([kind, method, status, json]).toMatchObject([
        kind,
        method,
        400,
        {
          ErrorCode: 'UnableToLoadUser',
          Message: 'Only people can be personnel.',
          Details: [{ Path: 'PersonnelRelations[1]', Message: `names a ${kind}; only people can be personnel` }],
        },
      ])
    }
  }
  const one = { PersonnelRelations: [{ PrincipalId: officer.principalId }] }
  const assigned = await given.expecting(200, world.send('PATCH', place, one))
  expect(assigned.PersonnelRelations.map(({ PrincipalId }: Json) => PrincipalId)).toEqual([officer.principalId])
  for (const model of ['CreateCaseModel', 'UpdateCaseModel', 'PatchCaseModel_legacy'])
    expect([model, document.components.schemas[model].properties.PersonnelRelations.description]).toEqual([
      model,
      'Only people can be personnel: neither groups nor services.',
    ])
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
