import { randomUUID } from 'node:crypto'
import type { Json } from '../../support/given.ts'
import { asChief } from '../cases/acts.ts'
import type { Act, Expected, World } from '../documents/acts.ts'

const PLACE = '/api/v1/tenant/station'

/** One good call of each route of the device service, by an administrator, who is in ManageDevices (promise I1). */
export const DEVICE_ACTS: Readonly<Record<string, (world: World) => Promise<Act> | Act>> = {
  addDevice: (world) => {
    const DeviceIdentification = identification()
    const detail = { serialNumber: DeviceIdentification.SerialNumber, manufacturer: 'Acme', deviceType: 'None' }
    return act(world, 'POST', '/device', {
      body: { DeviceIdentification },
      status: 201,
      entries: ({ json }) => [['device.added', 'device', json.Id, { detail }]],
    })
  },
  listDevices: (world) =>
    act(world, 'GET', '/device?state=Active&count=5', {
      entries: ({ json }) => [
        ['list.read', 'device', '', { detail: { state: 'Active', count: 5, returned: json.Items.length } }],
      ],
    }),
  getDevice: async (world) => {
    const made = await device(world)
    const { SerialNumber } = made.DeviceIdentification
    return act(world, 'GET', `/device/${SerialNumber}`, {
      entries: () => [
        ['device.read', 'device', made.Id, { object: { type: 'device', id: made.Id, name: SerialNumber } }],
      ],
    })
  },
  activateDevice: async (world) => {
    const { Id } = await device(world)
    return act(world, 'POST', `/device/${Id}/activate`, { entries: () => [['device.activated', 'device', Id]] })
  },
  deactivateDevice: async (world) => {
    const { Id } = await device(world)
    await chief(world, 200, 'POST', `/device/${Id}/activate`)
    return act(world, 'POST', `/device/${Id}/deactivate`, {
      entries: () => [['device.deactivated', 'device', Id, { detail: { endedAssociations: [] } }]],
    })
  },
  canManageDevices: (world) => act(world, 'GET', '/device/canmanage', { entries: () => [] }),
  canManageDevicesByPost: (world) => act(world, 'POST', '/device/canmanage', { entries: () => [] }),

  getDeviceCredentials: async (world) => {
    const made = await device(world)
    return act(world, 'POST', '/credential', {
      body: { DeviceId: made.DeviceIdentification },
      entries: () => [['device.credentialsRead', 'device', made.Id, { detail: { returned: 0 } }]],
    })
  },
  reportFailedDeviceCredentials: async (world) => {
    const made = await device(world)
    const body = { DeviceId: made.DeviceIdentification, Credentials: [{ DeviceCredential: 'x' }] }
    return act(world, 'POST', '/credential/failed', {
      body,
      status: 204,
      entries: () => [['device.credentialsFailed', 'device', made.Id, { detail: { reported: 1, handedOutNoMore: 0 } }]],
    })
  },
  negotiateDeviceConfiguration: async (world) => {
    const made = await device(world)
    return act(world, 'POST', '/configuration/negociate', {
      body: { DeviceId: made.DeviceIdentification, Configuration: {} },
      entries: ({ json }) => [
        [
          'device.negotiated',
          'device',
          made.Id,
          { detail: { transactionId: json.TransactionId, withCredential: false } },
        ],
      ],
    })
  },
  commitDeviceConfiguration: async (world) => {
    const body = await negotiated(world)
    const { TransactionId: transactionId } = body
    return act(world, 'POST', '/configuration/commit', {
      body,
      status: 204,
      entries: () => [['device.configured', 'device', body.Id, { detail: { transactionId, credentialsCurrent: 0 } }]],
    })
  },
  rejectDeviceConfiguration: async (world) => {
    const body = await negotiated(world)
    return act(world, 'POST', '/configuration/reject', {
      body: { ...body, ReasonCode: 'Full' },
      status: 204,
      entries: () => [['device.configurationRejected', 'device', body.Id, { reason: 'Full' }]],
    })
  },
  getDeviceConfiguration: async (world) => {
    const { Id } = await device(world)
    return act(world, 'GET', `/device/${Id}/configuration`, {
      entries: () => [['device.configurationRead', 'device', Id]],
    })
  },
  setDeviceConfiguration: async (world) => {
    const { Id } = await device(world)
    return act(world, 'PUT', `/device/${Id}/configuration`, {
      body: { Configuration: { Rate: 30, Codec: 'secret' } },
      entries: () => [
        ['device.configurationSet', 'device', Id, { detail: { set: true, changed: 2, members: ['Codec', 'Rate'] } }],
      ],
    })
  },
  listDeviceTypeConfigurations: (world) =>
    act(world, 'GET', '/configuration', {
      entries: ({ json }) => [['device.configurationRead', 'deviceType', '', { detail: { returned: json.length } }]],
    }),
  setDeviceTypeConfiguration: (world) => {
    const type = `type-${randomUUID()}`
    return act(world, 'PUT', `/configuration/${type}`, {
      body: { Configuration: { Rate: 30 } },
      entries: () => [
        ['device.configurationSet', 'deviceType', type, { detail: { set: true, changed: 1, members: ['Rate'] } }],
      ],
    })
  },
  deleteDeviceTypeConfiguration: async (world) => {
    const type = `type-${randomUUID()}`
    await chief(world, 200, 'PUT', `/configuration/${type}`, { Configuration: { Rate: 30 } })
    return act(world, 'DELETE', `/configuration/${type}`, {
      status: 204,
      entries: () => [
        ['device.configurationSet', 'deviceType', type, { detail: { set: false, changed: 1, members: ['Rate'] } }],
      ],
    })
  },

  listDeviceAssociations: async (world) => {
    const { Id } = await device(world)
    return act(world, 'GET', `/device/${Id}/association`, {
      entries: () => [['device.associationsRead', 'device', Id, { detail: { returned: 0 } }]],
    })
  },
  createDeviceAssociation: async (world) => {
    const { Id } = await active(world)
    const PrincipalId = await officer(world)
    return act(world, 'POST', `/device/${Id}/association`, {
      body: { PrincipalId },
      status: 201,
      entries: ({ json }) => [
        [
          'device.associated',
          'device',
          Id,
          {
            detail: {
              associationId: json.AssociationId,
              officer: PrincipalId,
              from: json.FromUtc,
              to: null,
              waits: false,
            },
          },
        ],
      ],
    })
  },
  takeDevice: async (world) => {
    const { Id } = await active(world)
    const PrincipalId = await officer(world)
    return act(world, 'POST', `/device/${Id}/take`, {
      body: { PrincipalId },
      status: 201,
      entries: ({ json: { Association } }) => [
        [
          'device.associated',
          'device',
          Id,
          {
            detail: {
              associationId: Association.AssociationId,
              officer: PrincipalId,
              from: Association.FromUtc,
              to: Association.ToUtc,
              waits: false,
            },
          },
        ],
      ],
    })
  },
  changeDeviceAssociation: async (world) => {
    const { Id, AssociationId } = await associated(world)
    return act(world, 'PUT', `/device/${Id}/association/${AssociationId}`, {
      body: { ToUtc: '2099-01-01T00:00:00Z' },
      entries: () => [['device.associationChanged', 'device', Id]],
    })
  },
  deleteDeviceAssociation: async (world) => {
    const { Id, AssociationId } = await associated(world)
    return act(world, 'DELETE', `/device/${Id}/association/${AssociationId}`, {
      status: 204,
      entries: () => [['device.associationRemoved', 'device', Id]],
    })
  },
  confirmDeviceAssociation: async (world) => {
    const { given } = world
    const { Id, AssociationId } = await associated(world)
    const other = await given.command('integration.create', {
      name: `devices ${randomUUID()}`,
      policies: ['ManageDevices'],
      group: null,
      baseUrl: given.url,
    })
    // As if that one had changed the past of it: the station has none yet.
    await given.meddle((db) => {
      db.prepare('DELETE FROM device_accesses WHERE association_id = ?').run(Number(AssociationId))
      db.prepare('UPDATE device_associations SET makers = ? WHERE association_id = ?').run(
        JSON.stringify([other.principalId]),
        Number(AssociationId),
      )
    })
    return act(world, 'POST', `/device/${Id}/association/${AssociationId}/confirm`, {
      body: {},
      entries: () => [['device.associationConfirmed', 'device', Id]],
    })
  },
}

interface Called {
  readonly body?: Json
  readonly status?: number
  readonly entries: (reply: Json) => readonly Expected[]
}

const act = (world: World, method: string, place: string, { body, status = 200, entries }: Called): Act => ({
  call: () => asChief(world, method, `${PLACE}${place}`, body),
  status,
  actor: 'chief',
  entries,
})
const chief = (world: World, status: number, method: string, place: string, body?: Json): Promise<Json> =>
  world.given.expecting(status, asChief(world, method, `${PLACE}${place}`, body))

const identification = () => ({ SerialNumber: `S-${randomUUID()}`, Manufacturer: 'Acme' })
const device = (world: World): Promise<Json> =>
  chief(world, 201, 'POST', '/device', { DeviceIdentification: identification() })
const active = async (world: World): Promise<Json> =>
  chief(world, 200, 'POST', `/device/${(await device(world)).Id}/activate`)
const officer = async ({ given }: World): Promise<string> =>
  (
    await given.command('user.create', {
      username: `officer ${randomUUID()}`,
      password: 'seven lamps by the harbour',
      policies: [],
      group: null,
      guest: false,
    })
  ).principalId

async function negotiated(world: World): Promise<Json> {
  const { Id, DeviceIdentification } = await device(world)
  const body = { DeviceId: DeviceIdentification, Configuration: {} }
  const { TransactionId } = await chief(world, 200, 'POST', '/configuration/negociate', body)
  return { Id, DeviceId: DeviceIdentification, TransactionId }
}

async function associated(world: World): Promise<Json> {
  const { Id } = await active(world)
  const PrincipalId = await officer(world)
  return { Id, ...(await chief(world, 201, 'POST', `/device/${Id}/association`, { PrincipalId })) }
}
