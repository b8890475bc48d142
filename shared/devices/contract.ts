import { z } from 'zod'
import { PrincipalOutputModel } from '../cases/categories.contract.ts'
import { IDENTIFICATION_NAMES, outputsOf } from './fields.ts'
import { DOCK_STATES } from '../docking/docking.ts'
import { Count, Cursor, IdMember, line, page, TenantParams as Tenant } from '../kernel/fields.ts'
import {
  DeviceIdentification,
  DevicePath,
  FreeForm,
  GivenDeviceType,
  manageDevices,
  shown,
  shownPrivate,
} from './models.contract.ts'
import { route } from '../kernel/route.ts'

/** Devices: interfaces.md 2.6, 3.3, 4.2 and decisions 5. They are added, made active and inactive, and never deleted. */

export const DEVICE_STATES = ['Inactive', 'Active'] as const
export const TRANSACTION_STATES = ['Open', 'Committed', 'Rejected', 'Superseded', 'Expired'] as const

export const DeviceTransaction = z
  .object({
    TransactionId: z.string(),
    State: z.enum(TRANSACTION_STATES),
    CreatedUtc: z.string(),
    ExpiresUtc: z.string(),
    EndedUtc: z.string().nullable(),
    ReasonCode: z.string().nullable().meta({ description: 'Why the device rejected it; as the next.' }),
    ReasonMessage: z.string().nullable(),
  })
  .meta({ id: 'DeviceTransaction' })

const listed = {
  Id: z.string().meta({ description: 'First 32 hexadecimal digits of SHA-256(SerialNumber + U+001F + Manufacturer).' }),
  DeviceIdentification: z.object(outputsOf(IDENTIFICATION_NAMES)).meta({ id: 'StoredDeviceIdentification' }),
  ...outputsOf(['DeviceType']),
  State: z.enum(DEVICE_STATES),
  AssignedTo: z.array(PrincipalOutputModel).meta({ description: 'Officers with whom it is associated now.' }),
  LastSeenUtc: z.string().nullable(),
  Transaction: DeviceTransaction.nullable().meta({ description: 'The newest negotiation.' }),
  CreatedUtcTime: z.string().meta({ description: 'When the station first knew it.' }),
}

/** Whether a device has what is expected of it. `Rejected` until its next negotiation; `None`: it never negotiated. */
export const CONFIGURATION_STATES = ['Agreed', 'Pending', 'Rejected', 'None'] as const

export const DeviceStanding = z
  .object({
    Configuration: z.enum(CONFIGURATION_STATES).meta({
      description:
        'Agreed: what it committed is what is expected. Pending: something else is expected, which it is offered when it negotiates. Rejected: it refused that in its newest negotiation, whose reason says why. None: it never negotiated.',
    }),
    ExpectedFrom: z.enum(['Device', 'Type']).nullable().meta({
      description: 'Where what is expected of it is set; null: nowhere, and it keeps what it has.',
    }),
    LastDock: z
      .object({ DockSessionId: z.string(), State: z.enum(DOCK_STATES), DetectedTimeUtc: z.string() })
      .nullable()
      .meta({ description: 'When it was last put into a bay of this station, and what became of that.' }),
    Unconfirmed: z.int().meta({ description: 'Associations whose changed past waits for a confirmation.' }),
  })
  .meta({ id: 'DeviceStanding', description: 'Whether it has what is expected of it, and when it was docked last.' })

export const DeviceListItem = z.object({ ...listed, Standing: DeviceStanding }).meta({ id: 'DeviceListItem' })
const recorded = {
  ...listed,
  Capabilities: FreeForm.nullable().meta({ description: 'As it reported them last.' }),
  EffectiveConfiguration: FreeForm.nullable().meta({ description: 'What it committed last; null: nothing yet.' }),
  EffectiveSinceUtc: z
    .string()
    .nullable()
    .meta({ description: 'When it committed it, or was found to have it after it had rejected something.' }),
  ConcurrencyId: z.string().meta({
    description: 'Of what people set: identification, type, state, the configuration set for it.',
  }),
}
export const DeviceRecord = z.object(recorded).meta({ id: 'DeviceRecord' })
export const DeviceDetail = z
  .object({
    ...recorded,
    Standing: DeviceStanding,
    Activity: z
      .array(z.object({ FromUtc: z.string(), ToUtc: z.string().nullable() }))
      .meta({ description: 'When it was active, latest first.' }),
    Negotiations: z.array(DeviceTransaction).meta({ description: 'The newest first, as many as are kept.' }),
  })
  .meta({ id: 'DeviceDetail' })

export const AddDeviceModel = z
  .object({ DeviceIdentification, DeviceType: GivenDeviceType })
  .meta({ id: 'AddDeviceModel' })

const DevicesQuery = z.object({
  text: z
    .string()
    .max(256)
    .optional()
    .meta({ description: 'Words, each of which must be found in what it is called.' }),
  state: z.enum(DEVICE_STATES).optional(),
  type: line(256).optional(),
  assignedTo: IdMember.optional(),
  cursor: Cursor,
  count: Count(100),
})

export const DevicePage = page(DeviceListItem)
  .extend({
    ActiveDevices: z.int().meta({ description: 'Of all devices, listed or not.' }),
    MaxActiveDevices: z.int(),
    Types: z
      .array(z.object({ DeviceType: z.string(), Devices: z.int() }))
      .meta({ description: 'Every type that a device has, and how many have it, listed or not.' }),
  })
  .meta({ id: 'DevicePage' })

export const addDevice = route({
  id: 'addDevice',
  interface: 'device',
  method: 'POST',
  ...shown('/device'),
  origin: 'specification',
  summary: 'Add a device',
  description:
    'A new device is inactive. One that is known answers 200; another type than `None`, a Model or a CommonName that is sent replaces what was stored.',
  permission: manageDevices,
  audit: { by: 'own', actions: ['device.added', 'device.changed', 'device.read'] },
  params: Tenant,
  body: AddDeviceModel,
  responses: { 200: DeviceRecord, 201: DeviceRecord },
  errors: ['InvalidModel', 'TenantNotFound', 'ReadOnly'],
  idempotent: true,
})

export const listDevices = route({
  id: 'listDevices',
  interface: 'device',
  method: 'GET',
  ...shown('/device'),
  origin: 'extension',
  summary: 'List devices by serial number',
  permission: manageDevices,
  audit: { by: 'read', action: 'list.read', objectType: 'device' },
  params: Tenant,
  query: DevicesQuery,
  responses: { 200: DevicePage },
  errors: ['InvalidModel', 'TenantNotFound'],
})

export const getDevice = route({
  id: 'getDevice',
  interface: 'device',
  method: 'GET',
  ...shown('/device/:deviceId'),
  origin: 'extension',
  summary: 'Read a device',
  permission: manageDevices,
  audit: { by: 'read', action: 'device.read', objectType: 'device', objectParam: 'deviceId' },
  params: DevicePath,
  responses: { 200: DeviceDetail },
  errors: ['DeviceNotFound', 'TenantNotFound'],
})

export const activateDevice = route({
  id: 'activateDevice',
  interface: 'device',
  method: 'POST',
  ...shownPrivate('/device/:deviceId/activate'),
  origin: 'specification',
  summary: 'Make a device active',
  description: 'Refused where as many devices are active as the station allows. Of one that is active nothing changes.',
  permission: manageDevices,
  audit: { by: 'own', actions: ['device.activated', 'device.read'] },
  params: DevicePath,
  responses: { 200: DeviceRecord },
  errors: ['DeviceNotFound', 'ActiveDeviceLimitReached', 'TenantNotFound', 'ReadOnly'],
})

export const deactivateDevice = route({
  id: 'deactivateDevice',
  interface: 'device',
  method: 'POST',
  ...shownPrivate('/device/:deviceId/deactivate'),
  origin: 'specification',
  summary: 'Make a device inactive',
  description: 'Its associations end now; the past of them stays. Of one that is inactive nothing changes.',
  permission: manageDevices,
  audit: { by: 'own', actions: ['device.deactivated', 'device.read'] },
  params: DevicePath,
  responses: { 200: DeviceRecord },
  errors: ['DeviceNotFound', 'TenantNotFound', 'ReadOnly'],
})

const canManage = {
  interface: 'device',
  ...shownPrivate('/device/canmanage'),
  origin: 'specification',
  permission: { kind: 'member', guests: true },
  audit: { by: 'none', reason: 'Somebody asks what they may do themselves; nothing of anybody is shown.' },
  params: Tenant,
  responses: { 200: z.boolean() },
  errors: ['TenantNotFound'],
} as const

export const canManageDevices = route({
  ...canManage,
  id: 'canManageDevices',
  method: 'GET',
  summary: 'Whether the caller may manage devices',
})

export const canManageDevicesByPost = route({
  ...canManage,
  id: 'canManageDevicesByPost',
  method: 'POST',
  summary: 'Whether the caller may manage devices, asked by POST',
  whileReadOnly: true,
})
