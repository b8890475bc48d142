import type { Given, Json } from '../../support/given.ts'
import type { Act, World } from '../documents/acts.ts'

const DEPARTMENTS = '/api/v1/department/station'
const DEFAULT = '/api/v1/department/default/station'
const FIELDS = '/api/v1/prefilledfields/station'

/** One good call of each route about departments and prefilled fields, by an administrator (promise I1). */
export const DEPARTMENT_ACTS: Readonly<Record<string, (world: World) => Promise<Act> | Act>> = {
  createDepartment: (world) => ({
    call: () => asChief(world, 'POST', DEPARTMENTS, { Name: fresh(), AccessPolicies: manage(world.given) }),
    status: 201,
    actor: 'chief',
    entries: ({ json }) => [['department.created', 'department', json.DepartmentId, versionOf(json)]],
  }),
  listDepartments: (world) => ({
    call: () => asChief(world, 'GET', DEPARTMENTS),
    status: 200,
    actor: 'chief',
    entries: ({ json }) => [['list.read', 'department', '', { detail: { returned: json.length } }]],
  }),
  getDepartmentById: async (world) => {
    const made = await department(world)
    return {
      call: () => asChief(world, 'GET', `${DEPARTMENTS}/${made.DepartmentId}`),
      status: 200,
      actor: 'chief',
      entries: () => [['department.read', 'department', made.DepartmentId, versionOf(made)]],
    }
  },
  updateDepartment: async (world) => {
    const { DepartmentId, Name, ConcurrencyId } = await department(world)
    const body = { Name, ConcurrencyId, AccessPolicies: manage(world.given), Description: 'Moved' }
    return {
      call: () => asChief(world, 'PUT', `${DEPARTMENTS}/${DepartmentId}`, body),
      status: 200,
      actor: 'chief',
      entries: ({ json }) => [['department.changed', 'department', DepartmentId, versionOf(json)]],
    }
  },
  getDepartmentHistory: async (world) => {
    const { DepartmentId } = await department(world)
    return {
      call: () => asChief(world, 'GET', `${DEPARTMENTS}/${DepartmentId}/history`),
      status: 200,
      actor: 'chief',
      entries: () => [['department.history', 'department', DepartmentId, { detail: { returned: 1 } }]],
    }
  },
  isDepartmentNameAvailable: (world) => {
    const name = fresh()
    return {
      call: () => asChief(world, 'POST', `${DEPARTMENTS}/availability`, name),
      status: 200,
      actor: 'chief',
      entries: () => [
        [
          'department.nameChecked',
          'department',
          '',
          { object: { type: 'department', id: '', name }, detail: { available: true } },
        ],
      ],
    }
  },
  getDefaultDepartment: async (world) => {
    const made = await assigned(world)
    return {
      call: () => asChief(world, 'GET', DEFAULT),
      status: 200,
      actor: 'chief',
      entries: () => [['department.read', 'department', made.DepartmentId, versionOf(made)]],
    }
  },
  // From one to another, so that both have their entry.
  assignDefaultDepartment: async (world) => {
    const before = await assigned(world)
    const { DepartmentId, ConcurrencyId } = await department(world)
    return {
      call: () => asChief(world, 'PUT', `${DEFAULT}/assign`, { DepartmentId, ConcurrencyId }),
      status: 200,
      actor: 'chief',
      entries: ({ json }) => [
        ['department.defaultRemoved', 'department', before.DepartmentId],
        ['department.defaultAssigned', 'department', DepartmentId, versionOf(json)],
      ],
    }
  },
  getPrefilledFields: (world) => ({
    call: () => asChief(world, 'GET', FIELDS),
    status: 200,
    actor: 'chief',
    entries: ({ json }) => [['list.read', 'prefilledField', '', { detail: { returned: json.length } }]],
  }),
  updatePrefilledField: (world) => {
    const id = fresh()
    return {
      call: () => putField(world, id),
      status: 200,
      actor: 'chief',
      entries: ({ json }) => [['prefilledField.created', 'prefilledField', id, told(json)]],
    }
  },
  deletePrefilledField: async (world) => {
    const id = fresh()
    const made = await world.given.expecting(200, putField(world, id))
    return {
      call: () => asChief(world, 'DELETE', `${FIELDS}/${encodeURIComponent(id)}`),
      status: 200,
      actor: 'chief',
      entries: () => [['prefilledField.deleted', 'prefilledField', id, told(made)]],
    }
  },
}

const fresh = (): string => `North ${Math.random()}`

const asChief = ({ given, admin }: World, method: string, place: string, body?: unknown) =>
  given.call(method, place, { token: admin, ...(body === undefined ? {} : { body }) })

const versionOf = ({ ConcurrencyId }: Json) => ({ detail: { concurrencyId: ConcurrencyId } })

const told = ({ ETag, Target, Values }: Json) => ({ detail: { eTag: ETag, target: Target, values: Values.length } })

/** For the integration that every station of a test begins with. */
const manage = ({ connection, principalId }: Given) => [
  {
    Permissions: 'Manage',
    PrincipalId: principalId,
    KId: connection.ServicePrincipalKey.kid,
    PrincipalType: 'service',
  },
]

const department = (world: World): Promise<Json> =>
  world.given.expecting(
    201,
    asChief(world, 'POST', DEPARTMENTS, { Name: fresh(), AccessPolicies: manage(world.given) }),
  )

/** A new department that is the default. */
async function assigned(world: World): Promise<Json> {
  const { DepartmentId, ConcurrencyId } = await department(world)
  return world.given.expecting(200, asChief(world, 'PUT', `${DEFAULT}/assign`, { DepartmentId, ConcurrencyId }))
}

const putField = (world: World, id: string) =>
  asChief(world, 'PUT', `${FIELDS}/${encodeURIComponent(id)}`, { Target: 'Location', Values: ['Quay', 'Station'] })
