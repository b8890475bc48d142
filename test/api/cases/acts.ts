import type { Json } from '../../support/given.ts'
import type { Act, World } from '../documents/acts.ts'

const CASES = '/api/v1/case/station'
const CATEGORIES = '/api/v1/category/station'

/** One good call of each route of the case service, by an administrator (promise I1). */
export const CASE_ACTS: Readonly<Record<string, (world: World) => Promise<Act> | Act>> = {
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
): Promise<Act> {
  const made = await caseOf(world)
  return {
    call: () => call(`${CASES}/${made.CaseId}`, made),
    status: 200,
    actor: 'chief',
    entries: ({ json }) => [[action, 'case', made.CaseId, versionOf(json)]],
  }
}
