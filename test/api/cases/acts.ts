import { openTestDatabase } from '../../support/rows.ts'
import type { Json } from '../../support/given.ts'
import type { Act, World } from '../documents/acts.ts'
import { DEPARTMENT_ACTS } from './acts-departments.ts'

const CASES = '/api/v1/case/station'
const CATEGORIES = '/api/v1/category/station'

/** One good call of each route of the case service, by an administrator (promise I1). */
export const CASE_ACTS: Readonly<Record<string, (world: World) => Promise<Act> | Act>> = {
  ...DEPARTMENT_ACTS,
  createCategory: (world) => ({
    call: () => asChief(world, 'POST', CATEGORIES, { Name: `Traffic ${Math.random()}` }),
    status: 201,
    actor: 'chief',
    entries: ({ json }) => [['category.created', 'category', json.CategoryId, versionOf(json)]],
  }),
  listCategories: (world) => ({
    call: () => asChief(world, 'GET', CATEGORIES),
    status: 200,
    actor: 'chief',
    entries: ({ json }) => [['list.read', 'category', '', { detail: { returned: json.length } }]],
  }),
  getCategoryById: async (world) => {
    const { CategoryId } = await category(world)
    return {
      call: () => asChief(world, 'GET', `${CATEGORIES}/${CategoryId}`),
      status: 200,
      actor: 'chief',
      entries: ({ json }) => [['category.read', 'category', CategoryId, versionOf(json)]],
    }
  },
  updateCategory: async (world) => {
    const { CategoryId, ConcurrencyId, Name } = await category(world)
    return {
      call: () => asChief(world, 'PUT', `${CATEGORIES}/${CategoryId}`, { Name, ConcurrencyId, RetentionDays: 30 }),
      status: 200,
      actor: 'chief',
      entries: ({ json }) => [['category.changed', 'category', CategoryId, versionOf(json)]],
    }
  },
  createCase: (world) => ({
    call: () => asChief(world, 'POST', CASES, { Title: 'Burglary' }),
    status: 201,
    actor: 'chief',
    entries: ({ json }) => [['case.created', 'case', json.CaseId, versionOf(json)]],
  }),
  getCaseById: (world) => ofCase(world, 'case.read', (place) => asChief(world, 'GET', place)),
  updateCase: (world) =>
    ofCase(world, 'case.changed', (place, { ConcurrencyId }) =>
      asChief(world, 'PUT', place, { Title: 'Robbery', ConcurrencyId }),
    ),
  patchCase: (world) => ofCase(world, 'case.changed', (place) => asChief(world, 'PATCH', place, { Title: 'Robbery' })),
  closeCase: (world) => ofCase(world, 'case.closed', (place) => asChief(world, 'POST', `${place}/close`)),
  reopenCase: (world) =>
    ofCase(world, 'case.reopened', async (place) => {
      await world.given.expecting(200, asChief(world, 'POST', `${place}/close`))
      return asChief(world, 'POST', `${place}/reopen`)
    }),
  getCaseHistory: async (world) => {
    const { CaseId } = await caseOf(world)
    return {
      call: () => asChief(world, 'GET', `${CASES}/${CaseId}/history`),
      status: 200,
      actor: 'chief',
      entries: () => [['case.history', 'case', CaseId, { detail: { returned: 1 } }]],
    }
  },
  listCases: (world) => ({
    call: () => asChief(world, 'GET', `${CASES}?state=Open&from=2020-01-01T00:00:00Z&count=3`),
    status: 200,
    actor: 'chief',
    entries: ({ json }) => [
      [
        'list.read',
        'case',
        '',
        { detail: { state: 'Open', from: '2020-01-01T00:00:00Z', count: 3, returned: json.Items.length } },
      ],
    ],
  }),
  shareCase: async (world) => {
    const { CaseId } = await caseOf(world)
    const { given } = world
    const { principalId } = given
    const policy = {
      Permissions: 'View',
      PrincipalId: principalId,
      KId: given.connection.ServicePrincipalKey.kid,
      PrincipalType: 'service',
    }
    return {
      call: () => asChief(world, 'POST', `${CASES}/${CaseId}/share`, { AccessPolicies: [policy] }),
      status: 200,
      actor: 'chief',
      entries: ({ json }) => [
        [
          'case.shared',
          'case',
          CaseId,
          { detail: { with: [`${principalId}:View`], concurrencyId: json.ConcurrencyId } },
        ],
      ],
    }
  },
  protectCase: (world) =>
    ofCase(world, 'case.protected', (place) => asChief(world, 'POST', `${place}/protect`, { Reason: 'Appeal' }), {
      reason: 'Appeal',
    }),
  unprotectCase: (world) =>
    ofCase(world, 'case.unprotected', async (place) => {
      await world.given.expecting(200, asChief(world, 'POST', `${place}/protect`, { Reason: 'Appeal' }))
      return asChief(world, 'POST', `${place}/unprotect`)
    }),
  deleteCase: (world) =>
    ofCase(world, 'case.deleted', async (place) => {
      await world.given.expecting(200, asChief(world, 'POST', `${place}/close`))
      return asChief(world, 'DELETE', place)
    }),
  restoreCase: (world) =>
    ofCase(world, 'case.restored', async (place) => {
      await world.given.expecting(200, asChief(world, 'POST', `${place}/close`))
      await world.given.expecting(200, asChief(world, 'DELETE', place))
      return asChief(world, 'POST', `${place}/restore`)
    }),
  linkEvidencesToCase: async (world) => {
    const { evidence, made } = await evidenceAndCase(world)
    const id = evidence.EvidenceId
    return {
      call: () => asChief(world, 'POST', `${CASES}/${made.CaseId}/link-evidences`, { Evidences: [{ EvidenceId: id }] }),
      status: 204,
      actor: 'chief',
      entries: () => [
        ['evidence.linked', 'evidence', id],
        ['case.linked', 'case', made.CaseId],
      ],
    }
  },
  confirmEvidenceLink: async (world) => {
    const { evidence, made } = await evidenceAndCase(world)
    await linkedAutomatically(world, made.CaseId, evidence.EvidenceId)
    return {
      call: () => asChief(world, 'POST', `${CASES}/${made.CaseId}/evidence/${evidence.EvidenceId}/confirm`),
      status: 200,
      actor: 'chief',
      entries: () => [
        ['evidence.confirmed', 'evidence', evidence.EvidenceId],
        ['case.linked', 'case', made.CaseId],
      ],
    }
  },
  getEvidenceRelationsByEvidenceId: async (world) => {
    const { evidence } = await evidenceAndCase(world)
    return {
      call: () => asChief(world, 'GET', `/api/v1/evidence/station/${evidence.EvidenceId}`),
      status: 200,
      actor: 'chief',
      entries: () => [
        [
          'evidence.relations',
          'evidence',
          evidence.EvidenceId,
          { detail: { concurrencyId: evidence.ConcurrencyId, returned: 0 } },
        ],
      ],
    }
  },
  followCase: async (world) => {
    const { CaseId } = await caseOf(world)
    return {
      call: () => asChief(world, 'POST', `${CASES}/${CaseId}/follow`),
      status: 200,
      actor: 'chief',
      entries: () => [['case.followed', 'case', CaseId]],
    }
  },
  unfollowCase: async (world) => {
    const { CaseId } = await caseOf(world)
    await asChief(world, 'POST', `${CASES}/${CaseId}/follow`)
    return {
      call: () => asChief(world, 'DELETE', `${CASES}/${CaseId}/follow`),
      status: 200,
      actor: 'chief',
      entries: () => [['case.unfollowed', 'case', CaseId]],
    }
  },
}

/** Evidence of the administrator's own, and a case. */
async function evidenceAndCase(world: World): Promise<{ evidence: Json; made: Json }> {
  const { given } = world
  const evidence = await given.expecting(201, asChief(world, 'POST', `${given.documents}/evidence`, { Name: 'Clip' }))
  return { evidence, made: await caseOf(world) }
}

/** As the correlation engine will. */
async function linkedAutomatically({ given }: World, caseId: string, evidenceId: string): Promise<void> {
  const db = await openTestDatabase({ file: given.file })
  await db.transaction((tx) =>
    tx
      .insertInto('case_links')
      .values({
        case_id: Number(caseId),
        evidence_id: Number(evidenceId),
        kind: 'Automatic',
        confirmed: 0,
        rule: 'overlap',
        linked_on: '2026-11-20T03:00:00.000Z',
        linked_by: JSON.stringify({
          PrincipalId: '0',
          KId: '',
          Name: 'internal',
          Username: 'internal',
          PrincipalType: 'internal',
        }),
      })
      .execute(),
  )
  await db.close()
}

export const asChief = ({ given, admin }: World, method: string, place: string, body?: unknown) =>
  given.call(method, place, { token: admin, ...(body === undefined ? {} : { body }) })

export const versionOf = ({ ConcurrencyId }: Json) => ({ detail: { concurrencyId: ConcurrencyId } })

const category = (world: World): Promise<Json> =>
  world.given.expecting(201, asChief(world, 'POST', CATEGORIES, { Name: `Theft ${Math.random()}` }))

export const caseOf = (world: World): Promise<Json> =>
  world.given.expecting(201, asChief(world, 'POST', CASES, { Title: 'Theft' }))

/** A call about a case of its own that leaves one entry with the version it gave. */
async function ofCase(
  world: World,
  action: string,
  call: (place: string, made: Json) => ReturnType<Act['call']>,
  detail: Readonly<Record<string, string>> = {},
): Promise<Act> {
  const made = await caseOf(world)
  return {
    call: () => call(`${CASES}/${made.CaseId}`, made),
    status: 200,
    actor: 'chief',
    entries: ({ json }) => [
      [action, 'case', made.CaseId, { detail: { ...detail, concurrencyId: json.ConcurrencyId } }],
    ],
  }
}
