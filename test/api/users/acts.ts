import { generateKeyPairSync } from 'node:crypto'
import { expect } from 'vitest'
import type { Json } from '../../support/given.ts'
import type { Act, World } from '../documents/acts.ts'

const USERS = '/userservice/api/v1/tenant/station/users'
const GROUPS = '/userservice/api/v1/tenant/station/groups'
const SERVICES = '/userservice/api/v1/tenant/station/services'
const POLICIES = '/userservice/api/v1/tenant/station/policies'
const PASSWORD = 'seven lamps by the harbour'

/** One good call of each route of the user service, by an administrator (promise I1). */
export const USER_ACTS: Readonly<Record<string, (world: World) => Promise<Act> | Act>> = {
  listUsers: (world) => listed(world, `${USERS}?text=nobody&enabled=true`, 'user', { text: 'nobody', enabled: 'true' }),
  createUser: (world) => ({
    call: () => asChief(world, 'POST', USERS, { Username: name('user'), Password: PASSWORD, Guest: true }),
    status: 201,
    actor: 'chief',
    entries: ({ json }) => [
      ['user.created', 'user', json.PrincipalId, { detail: { guest: true, group: null, groups: [], policies: [] } }],
    ],
  }),
  getUser: (world) => ofUser(world, 'GET', '', 'user.read'),
  changeUser: (world) =>
    ofUser(world, 'PATCH', '', 'user.changed', {
      body: { Badge: 'K-9' },
      detail: { before: { Badge: '' }, after: { Badge: 'K-9' } },
    }),
  disableUser: (world) =>
    ofUser(world, 'POST', '/disable', 'user.disabled', {
      detail: { before: { enabled: true }, after: { enabled: false } },
    }),
  containUser: async (world) => {
    const { PrincipalId } = await user(world)
    return {
      call: () => asChief(world, 'POST', `${USERS}/${PrincipalId}/contain`, { Reason: 'laptop stolen' }),
      status: 200,
      actor: 'chief',
      entries: () => [
        ['user.disabled', 'user', PrincipalId, { detail: { before: { enabled: true }, after: { enabled: false } } }],
        [
          'user.contained',
          'user',
          PrincipalId,
          {
            reason: 'laptop stolen',
            detail: {
              disabled: true,
              sessions: 0,
              programs: 0,
              passkeys: 0,
              secondStep: false,
              password: true,
              uploads: 0,
              handedOver: 0,
            },
          },
        ],
      ],
    }
  },
  enableUser: async (world) => {
    const made = await user(world)
    await world.given.expecting(200, asChief(world, 'POST', `${USERS}/${made.PrincipalId}/disable`))
    return ofUser(world, 'POST', '/enable', 'user.enabled', {
      made,
      detail: { before: { enabled: false }, after: { enabled: true } },
    })
  },
  unlockUser: (world) =>
    ofUser(world, 'POST', '/unlock', 'user.unlocked', {
      detail: { before: { failures: 0, until: null }, after: { failures: 0, until: null } },
    }),
  resetUserPassword: (world) =>
    ofUser(world, 'POST', '/password', 'user.passwordReset', {
      body: { Password: `${PASSWORD} again` },
      detail: { freed: false, due: true },
    }),
  listUserSessions: (world) => ofUser(world, 'GET', '/sessions', 'session.listed', { detail: { returned: 0 } }),
  endUserSessions: async (world) => {
    const made = await user(world)
    const session = await signedIn(world, made)
    return ofUser(world, 'DELETE', '/sessions', 'session.ended', { made, status: 204, detail: { session } })
  },
  endUserSession: async (world) => {
    const made = await user(world)
    const session = await signedIn(world, made)
    return ofUser(world, 'DELETE', `/sessions/${session}`, 'session.ended', { made, status: 204, detail: { session } })
  },
  getUserHistory: (world) => ofUser(world, 'GET', '/history', 'ledger.read', { detail: { count: 100, returned: 1 } }),

  listGroups: (world) => listed(world, `${GROUPS}?text=nobody`, 'group', { text: 'nobody' }),
  createGroup: (world) => ({
    call: () => asChief(world, 'POST', GROUPS, { Name: name('group') }),
    status: 201,
    actor: 'chief',
    entries: ({ json }) => [
      ['group.created', 'group', json.PrincipalId, { detail: { builtIn: false, policies: [], members: [] } }],
    ],
  }),
  getGroup: (world) => ofGroup(world, 'GET', '', 'user.read'),
  renameGroup: (world) => ofGroup(world, 'PATCH', '', 'group.renamed', { body: { Name: name('group') } }),
  deleteGroup: (world) =>
    ofGroup(world, 'DELETE', '', 'group.deleted', {
      status: 204,
      detail: { before: { members: [], policies: [] }, after: null },
    }),
  addGroupMembers: async (world) => {
    const { PrincipalId } = await user(world)
    return ofGroup(world, 'POST', '/members', 'group.membersChanged', {
      body: { PrincipalIds: [PrincipalId] },
      detail: { before: [], after: [PrincipalId] },
    })
  },
  replaceGroupMembers: async (world) => {
    const { PrincipalId } = await user(world)
    return ofGroup(world, 'PUT', '/members', 'group.membersChanged', {
      body: { PrincipalIds: [PrincipalId] },
      detail: { before: [], after: [PrincipalId] },
    })
  },
  removeGroupMember: async (world) => {
    const { PrincipalId } = await user(world)
    return ofGroup(world, 'DELETE', `/members/${PrincipalId}`, 'group.membersChanged', {
      members: [PrincipalId],
      detail: { before: [PrincipalId], after: [] },
    })
  },

  listServices: (world) => listed(world, `${SERVICES}?text=nobody`, 'service', { text: 'nobody' }),
  createService: (world) => ({
    call: () => asChief(world, 'POST', SERVICES, { Name: name('service') }),
    status: 201,
    actor: 'chief',
    entries: ({ json }) => [
      [
        'service.created',
        'service',
        json.Service.PrincipalId,
        {
          detail: {
            baseUrl: world.given.url,
            group: null,
            groups: [],
            policies: [],
            keyThumbprint: json.Service.Keys[0].Thumbprint,
          },
        },
      ],
    ],
  }),
  getService: (world) => ofService(world, 'GET', '', 'user.read'),
  rotateServiceKey: (world) =>
    ofService(world, 'POST', '/rotate-key', 'service.keyRotated', (before, { Service, OldEndsUtc }) => ({
      before: [before.Keys[0].Thumbprint],
      after: Service.Keys[0].Thumbprint,
      oldEnds: OldEndsUtc,
    })),
  rotateServiceApiKey: (world) =>
    ofService(world, 'POST', '/rotate-api-key', 'service.apiKeyRotated', (before, { Service, OldEndsUtc }) => ({
      before: [{ created: before.ApiKeys[0].CreatedUtcTime }],
      after: { created: Service.ApiKeys[0].CreatedUtcTime },
      oldEnds: OldEndsUtc,
    })),
  registerServiceKey: async (world) => {
    const made = await service(world)
    const { publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    return {
      call: () =>
        asChief(world, 'POST', `${SERVICES}/${made.PrincipalId}/register-key`, {
          Key: publicKey.export({ format: 'jwk' }),
          ExpiresUtc: '2099-01-01T00:00:00Z',
        }),
      status: 200,
      actor: 'chief',
      entries: ({ json }) => [
        [
          'service.keyRegistered',
          'service',
          made.PrincipalId,
          {
            detail: {
              thumbprint: json.Keys.find((key: Json) => key.Thumbprint !== made.Keys[0].Thumbprint).Thumbprint,
              notBefore: null,
              expires: '2099-01-01T00:00:00Z',
            },
          },
        ],
      ],
    }
  },
  disableService: (world) => ofService(world, 'POST', '/disable', 'service.disabled'),
  enableService: async (world) => {
    const made = await service(world)
    await world.given.expecting(200, asChief(world, 'POST', `${SERVICES}/${made.PrincipalId}/disable`))
    return ofService(world, 'POST', '/enable', 'service.enabled', undefined, made)
  },

  listPolicies: (world) => ({
    call: () => asChief(world, 'GET', POLICIES),
    status: 200,
    actor: 'chief',
    entries: ({ json }) => [['list.read', 'policy', '', { detail: { returned: json.length } }]],
  }),
  replacePolicy: async (world) => {
    const { PrincipalId } = await user(world)
    const before = await heldBy(world, 'ManageDevices')
    return {
      call: () =>
        asChief(world, 'PUT', `${POLICIES}/ManageDevices`, { Members: [...before, PrincipalId].map(asMember) }),
      status: 200,
      actor: 'chief',
      entries: () => [
        [
          'policy.changed',
          'policy',
          'ManageDevices',
          { detail: { before: before.map(withoutLevel), after: [...before, PrincipalId].map(withoutLevel) } },
        ],
      ],
    }
  },
  findPrincipals: ({ given }) => ({
    call: () => given.call('GET', '/userservice/api/v1/tenant/station/principals?text=chief'),
    status: 200,
    entries: ({ json }) => [['list.read', 'principal', '', { detail: { text: 'chief', returned: json.length } }]],
  }),
  getSuspiciousActivity: (world) => ({
    call: () => asChief(world, 'GET', '/userservice/api/v1/tenant/station/suspiciousActivity?kind=Locked'),
    status: 200,
    actor: 'chief',
    entries: () => [
      ['ledger.read', 'tenant', 'station', { detail: { days: 7, kind: 'Locked', count: 100, returned: 0 } }],
    ],
  }),
}

const asChief = ({ given, admin }: World, method: string, place: string, body?: unknown) =>
  given.call(method, place, { token: admin, ...(body === undefined ? {} : { body }) })

const name = (kind: string): string => `${kind} ${Math.random()}`
const asMember = (PrincipalId: string) => ({ PrincipalId })
const withoutLevel = (id: string) => ({ id, level: null })

const user = (world: World): Promise<Json> =>
  world.given.expecting(201, asChief(world, 'POST', USERS, { Username: name('user'), Password: PASSWORD }))

const service = async (world: World): Promise<Json> =>
  (await world.given.expecting(201, asChief(world, 'POST', SERVICES, { Name: name('service') }))).Service

/** @returns the id of the session. */
async function signedIn(world: World, { Username, PrincipalId }: Json): Promise<string> {
  const body = { Username, Password: PASSWORD, NoticeId: 'default' }
  await world.given.expecting(200, world.given.call('POST', '/connect/session', { token: null, body }))
  const [one] = await world.given.expecting(200, asChief(world, 'GET', `${USERS}/${PrincipalId}/sessions`))
  return one.SessionId
}

async function heldBy(world: World, policy: string): Promise<string[]> {
  const all = (await world.given.expecting(200, asChief(world, 'GET', POLICIES))) as Json[]
  const ids = all.find((one) => one.Policy === policy).Members.map((one: Json) => one.PrincipalId as string) as string[]
  return ids.toSorted((one, other) => Number(one) - Number(other))
}

const listed = (world: World, place: string, type: string, filter: Record<string, string>): Act => ({
  call: () => asChief(world, 'GET', place),
  status: 200,
  actor: 'chief',
  entries: () => [['list.read', type, '', { detail: { ...filter, count: 100, returned: 0 } }]],
})

interface More {
  readonly body?: unknown
  readonly status?: number
  readonly detail?: Record<string, unknown>
}

async function ofUser(
  world: World,
  method: string,
  place: string,
  action: string,
  { body, status = 200, detail, made }: More & { made?: Json } = {},
): Promise<Act> {
  const { PrincipalId } = made ?? (await user(world))
  return {
    call: () => asChief(world, method, `${USERS}/${PrincipalId}${place}`, body),
    status,
    actor: 'chief',
    // That a session was ended says why.
    entries: () => [
      [
        action,
        'user',
        PrincipalId,
        {
          ...(detail === undefined ? {} : { detail }),
          ...(action === 'session.ended' ? { reason: 'administrator' } : {}),
        },
      ],
    ],
  }
}

async function ofGroup(
  world: World,
  method: string,
  place: string,
  action: string,
  { body, status = 200, detail, members = [] }: More & { members?: string[] } = {},
): Promise<Act> {
  const made = await world.given.expecting(
    201,
    asChief(world, 'POST', GROUPS, { Name: name('group'), PrincipalIds: members }),
  )
  return {
    call: () => asChief(world, method, `${GROUPS}/${made.PrincipalId}${place}`, body),
    status,
    actor: 'chief',
    entries: () => [[action, 'group', made.PrincipalId, detail === undefined ? {} : { detail }]],
  }
}

async function ofService(
  world: World,
  method: string,
  place: string,
  action: string,
  detail?: (before: Json, json: Json) => Record<string, unknown>,
  given?: Json,
): Promise<Act> {
  const made = given ?? (await service(world))
  return {
    call: () => asChief(world, method, `${SERVICES}/${made.PrincipalId}${place}`),
    status: 200,
    actor: 'chief',
    entries: ({ json }) => [
      [action, 'service', made.PrincipalId, { detail: detail?.(made, json) ?? expect.toBeOneOf([null, OF_STATE]) }],
    ],
  }
}

/** What a change of state says of itself. */
const OF_STATE = expect.objectContaining({ before: expect.anything(), after: expect.anything() })
