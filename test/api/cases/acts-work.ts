import type { Json } from '../../support/given.ts'
import type { Act, World } from '../documents/acts.ts'
import { asChief, caseOf } from './acts.ts'

const CASES = '/api/v1/case/station'
const TENANT = '/api/v1/tenant/station'

/** One good call of each route of tasks, requests for access and handovers (promise I1). */
export const WORK_ACTS: Readonly<Record<string, (world: World) => Promise<Act> | Act>> = {
  listCaseTasks: (world) =>
    ofTask(world, 200, 'task.read', (place) => asChief(world, 'GET', place), { detail: { returned: 1 } }),
  createCaseTask: (world) =>
    ofTask(world, 201, 'task.added', (place) => asChief(world, 'POST', place, { Title: 'Ask the shop' })),
  updateCaseTask: (world) =>
    ofTask(world, 200, 'task.changed', (place, { TaskId, Title, ConcurrencyId }) =>
      asChief(world, 'PUT', `${place}/${TaskId}`, { Title, Done: true, ConcurrencyId }),
    ),
  deleteCaseTask: (world) =>
    ofTask(world, 200, 'task.deleted', (place, { TaskId }) => asChief(world, 'DELETE', `${place}/${TaskId}`), {}),
  listOwnTasks: (world) => ({
    call: () => asChief(world, 'GET', `${TENANT}/task`),
    status: 200,
    actor: 'chief',
    entries: ({ json }) => [['list.read', 'task', '', { detail: { returned: json.Items.length } }]],
  }),
  createAccessRequest: async (world) => {
    const { CaseId } = await caseOf(world)
    return {
      call: () => asked(world, CaseId),
      status: 201,
      entries: ({ json }) => [
        [
          'access.requested',
          'case',
          CaseId,
          { detail: { requestId: json.RequestId, level: 'View', reason: 'Witness' } },
        ],
      ],
    }
  },
  listAccessRequests: async (world) => {
    const { CaseId } = await caseOf(world)
    await world.given.expecting(201, asked(world, CaseId))
    return {
      call: () => asChief(world, 'GET', `${TENANT}/access-request?of=toDecide&caseId=${CaseId}`),
      status: 200,
      actor: 'chief',
      entries: () => [['list.read', 'accessRequest', '', { detail: { of: 'toDecide', caseId: CaseId, returned: 1 } }]],
    }
  },
  decideAccessRequest: async (world) => {
    const { CaseId } = await caseOf(world)
    const { RequestId } = await world.given.expecting(201, asked(world, CaseId))
    return {
      call: () => asChief(world, 'POST', `${TENANT}/access-request/${RequestId}/decision`, { Decision: 'Grant' }),
      status: 200,
      actor: 'chief',
      entries: () => [
        ['case.shared', 'case', CaseId],
        ['access.granted', 'case', CaseId, { detail: { requestId: RequestId, level: 'View' } }],
      ],
    }
  },
  withdrawAccessRequest: async (world) => {
    const { CaseId } = await caseOf(world)
    const { RequestId } = await world.given.expecting(201, asked(world, CaseId))
    return {
      call: () => world.given.call('DELETE', `${TENANT}/access-request/${RequestId}`),
      status: 200,
      entries: () => [['access.withdrawn', 'case', CaseId, { detail: { requestId: RequestId } }]],
    }
  },
  countHandover: async (world) => {
    const { id: from } = await person(world)
    return {
      call: () => asChief(world, 'GET', `${TENANT}/case-handover?from=${from}`),
      status: 200,
      actor: 'chief',
      entries: () => [['list.read', 'caseHandover', '', { detail: { from, returned: 0 } }]],
    }
  },
  handOverCases: async (world) => {
    const [from, to] = [await person(world), await person(world)]
    const { CaseId } = await caseOf(world)
    const AccessPolicies = [{ Permissions: 'Manage', PrincipalId: from.id, KId: from.kId, PrincipalType: 'user' }]
    await world.given.expecting(200, asChief(world, 'POST', `${CASES}/${CaseId}/share`, { AccessPolicies }))
    return {
      call: () => asChief(world, 'POST', `${TENANT}/case-handover`, { FromId: from.id, ToId: to.id, Keep: 'View' }),
      status: 200,
      actor: 'chief',
      entries: () => [['case.handedOver', 'case', CaseId]],
    }
  },
}

/** The integration, which holds nothing on the case. */
const asked = ({ given }: World, CaseId: string) =>
  given.call('POST', `${TENANT}/access-request`, { body: { CaseId, Level: 'View', Reason: 'Witness' } })

let serial = 0
async function person({ given }: World): Promise<{ id: string; kId: string }> {
  const username = `colleague-${++serial}`
  const { principalId: id } = await given.command('user.create', {
    username,
    password: 'seven lamps by the harbour',
    policies: [],
    guest: false,
    group: null,
  })
  return { id, kId: `urn:user:station:${username}:${id}` }
}

async function ofTask(
  world: World,
  status: number,
  action: string,
  call: (place: string, made: Json) => ReturnType<Act['call']>,
  more?: Json,
): Promise<Act> {
  const { CaseId } = await caseOf(world)
  const place = `${CASES}/${CaseId}/task`
  const made = await world.given.expecting(201, asChief(world, 'POST', place, { Title: 'Call the witness' }))
  const versioned = ({ TaskId, ConcurrencyId }: Json) => ({ detail: { taskId: TaskId, concurrencyId: ConcurrencyId } })
  return {
    call: () => call(place, made),
    status,
    actor: 'chief',
    entries: ({ json }) => [[action, 'case', CaseId, more ?? versioned(json)]],
  }
}
