import { z } from 'zod'
import { PrincipalOutputModel } from '../cases/categories.contract.ts'
import { line, TenantParams as Tenant, text } from '../kernel/fields.ts'
import {
  DeviceIdentification,
  DevicePath,
  DeviceTypeParam,
  FreeForm,
  GivenDeviceType,
  manageDevices,
  shown,
  shownPrivate,
} from './models.contract.ts'
import { route } from '../kernel/route.ts'

/** Credentials and configurations of devices: interfaces.md 2.6, 3.4, 4.2 and decisions 5. Both are encrypted at rest. */

const DeviceCredential = z
  .string()
  .min(1, 'must not be empty')
  .max(4096)
  .refine((given) => given.isWellFormed(), 'must be well-formed Unicode')
const Credential = z.object({ DeviceCredential }).meta({ id: 'Credential' })

export const CredentialsModel = z
  .object({ DeviceId: DeviceIdentification, DeviceType: GivenDeviceType })
  .meta({ id: 'CredentialsModel' })
export const StoredCredential = z
  .object({ DeviceCredential: z.string(), State: z.enum(['Current', 'Pending']), AddedUtc: z.string() })
  .meta({ id: 'StoredCredential' })
export const FailedCredentialsModel = z
  .object({ DeviceId: DeviceIdentification, Credentials: z.array(Credential).max(100) })
  .meta({ id: 'FailedCredentialsModel' })

export const NegotiateModel = z
  .object({
    DeviceId: DeviceIdentification,
    DeviceType: GivenDeviceType,
    Capabilities: FreeForm.nullish().meta({ description: 'Overwrite the stored ones; not sent, those stay.' }),
    Configuration: FreeForm.nullish().meta({ description: 'What the device has now; not sent, it has none.' }),
    Credential: Credential.nullish(),
  })
  .meta({ id: 'NegotiateModel' })
export const NegotiatedConfiguration = z
  .object({ TransactionId: z.string(), Configuration: FreeForm, ExpiresUtc: z.string() })
  .meta({ id: 'NegotiatedConfiguration' })

const TransactionId = line(128, 1).transform((id) => id.toLowerCase())
export const CommitModel = z.object({ DeviceId: DeviceIdentification, TransactionId }).meta({ id: 'CommitModel' })
export const RejectModel = z
  .object({
    DeviceId: DeviceIdentification,
    TransactionId,
    ReasonCode: line(256).nullish(),
    ReasonMessage: text(4096).nullish(),
  })
  .meta({ id: 'RejectModel' })

const Configuration = FreeForm.nullable()
const ConcurrencyId = z
  .string()
  .max(256)
  .nullish()
  .meta({ description: 'Where it is sent it must be the current one.' })

export const DeviceConfigurationModel = z
  .object({
    DeviceId: z.string(),
    DeviceType: z.string(),
    Desired: Configuration.meta({ description: 'Set for this device; null: that of its type is expected.' }),
    OfType: Configuration.meta({ description: 'Set for its type.' }),
    Effective: Configuration.meta({ description: 'What the device committed last.' }),
    EffectiveSinceUtc: z.string().nullable(),
    ConcurrencyId: z.string().meta({ description: 'Of the device record.' }),
  })
  .meta({ id: 'DeviceConfigurationModel' })
export const SetDeviceConfigurationModel = z
  .object({
    Configuration: Configuration.meta({ description: 'null: none of its own; that of its type is expected.' }),
    ConcurrencyId,
  })
  .meta({ id: 'SetDeviceConfigurationModel' })

export const TypeConfigurationModel = z
  .object({
    DeviceType: z.string(),
    Configuration: FreeForm,
    LastModifiedUtcTime: z.string(),
    LastModifiedBy: PrincipalOutputModel,
    ConcurrencyId: z.string(),
  })
  .meta({ id: 'TypeConfigurationModel' })
export const SetTypeConfigurationModel = z
  .object({ Configuration: FreeForm, ConcurrencyId })
  .meta({ id: 'SetTypeConfigurationModel' })

export const getCredentials = route({
  id: 'getDeviceCredentials',
  interface: 'device',
  method: 'POST',
  ...shownPrivate('/credential'),
  origin: 'specification',
  summary: 'The credentials of a device: current ones first, then pending ones',
  description: 'None of a device that is unknown. One that was reported as failed is never handed out again.',
  permission: manageDevices,
  audit: { by: 'read', action: 'device.credentialsRead', objectType: 'device' },
  params: Tenant,
  body: CredentialsModel,
  responses: { 200: z.array(StoredCredential) },
  errors: ['InvalidModel', 'TenantNotFound'],
})

export const reportFailedCredentials = route({
  id: 'reportFailedDeviceCredentials',
  interface: 'device',
  method: 'POST',
  ...shownPrivate('/credential/failed'),
  origin: 'specification',
  summary: 'Report credentials that a device did not accept',
  description: 'They are never handed out again, not even when the device sends them once more.',
  permission: manageDevices,
  audit: { by: 'own', actions: ['device.credentialsFailed'] },
  params: Tenant,
  body: FailedCredentialsModel,
  responses: { 204: null },
  errors: ['InvalidModel', 'TenantNotFound', 'ReadOnly'],
})

export const negotiateConfiguration = route({
  id: 'negotiateDeviceConfiguration',
  interface: 'device',
  method: 'POST',
  // As the specification spells it.
  ...shown('/configuration/negociate'),
  origin: 'specification',
  summary: 'Negotiate the configuration of a device',
  description:
    'Nothing to do is 304: what the device has is what is expected of it and what it committed. Else the answer is what is expected, which takes effect with a commit within 15 minutes and in no other way; a further negotiation of the device supersedes it. A device that is unknown is added, inactive.',
  permission: manageDevices,
  audit: { by: 'own', actions: ['device.negotiated', 'device.added', 'device.changed'] },
  params: Tenant,
  body: NegotiateModel,
  responses: { 200: NegotiatedConfiguration, 304: null },
  errors: ['InvalidModel', 'TenantNotFound', 'ReadOnly'],
})

export const commitConfiguration = route({
  id: 'commitDeviceConfiguration',
  interface: 'device',
  method: 'POST',
  ...shown('/configuration/commit'),
  origin: 'specification',
  summary: 'Say that a device applied the configuration of a negotiation',
  description: 'Its pending credentials are current from then on. Once more changes nothing.',
  permission: manageDevices,
  audit: { by: 'own', actions: ['device.configured', 'device.read'] },
  params: Tenant,
  body: CommitModel,
  responses: { 204: null },
  errors: ['InvalidModel', 'TransactionNotFound', 'TransactionNotOpen', 'TenantNotFound', 'ReadOnly'],
})

export const rejectConfiguration = route({
  id: 'rejectDeviceConfiguration',
  interface: 'device',
  method: 'POST',
  ...shown('/configuration/reject'),
  origin: 'specification',
  summary: 'Say that a device could not apply the configuration of a negotiation, and why',
  description: 'Once more changes nothing: the first reason stays.',
  permission: manageDevices,
  audit: { by: 'own', actions: ['device.configurationRejected', 'device.read'] },
  params: Tenant,
  body: RejectModel,
  responses: { 204: null },
  errors: ['InvalidModel', 'TransactionNotFound', 'TransactionNotOpen', 'TenantNotFound', 'ReadOnly'],
})

export const getDeviceConfiguration = route({
  id: 'getDeviceConfiguration',
  interface: 'device',
  method: 'GET',
  ...shown('/device/:deviceId/configuration'),
  origin: 'extension',
  summary: 'What is expected of a device, and what it has',
  permission: manageDevices,
  audit: { by: 'read', action: 'device.configurationRead', objectType: 'device', objectParam: 'deviceId' },
  params: DevicePath,
  responses: { 200: DeviceConfigurationModel },
  errors: ['DeviceNotFound', 'TenantNotFound'],
})

export const setDeviceConfiguration = route({
  id: 'setDeviceConfiguration',
  interface: 'device',
  method: 'PUT',
  ...shown('/device/:deviceId/configuration'),
  origin: 'extension',
  summary: 'Set the configuration that is expected of a device',
  permission: manageDevices,
  audit: { by: 'own', actions: ['device.configurationSet'] },
  params: DevicePath,
  body: SetDeviceConfigurationModel,
  responses: { 200: DeviceConfigurationModel },
  errors: ['InvalidModel', 'DeviceNotFound', 'ConcurrentWritingError', 'TenantNotFound', 'ReadOnly'],
})

export const listTypeConfigurations = route({
  id: 'listDeviceTypeConfigurations',
  interface: 'device',
  method: 'GET',
  ...shown('/configuration'),
  origin: 'extension',
  summary: 'The configurations that are expected of types of devices, by type',
  permission: manageDevices,
  audit: { by: 'read', action: 'device.configurationRead', objectType: 'deviceType' },
  params: Tenant,
  responses: { 200: z.array(TypeConfigurationModel) },
  errors: ['TenantNotFound'],
})

export const setTypeConfiguration = route({
  id: 'setDeviceTypeConfiguration',
  interface: 'device',
  method: 'PUT',
  ...shown('/configuration/:deviceType'),
  origin: 'extension',
  summary: 'Set the configuration that is expected of a type of devices',
  description: 'Of every device of the type that has none of its own, from its next negotiation on.',
  permission: manageDevices,
  audit: { by: 'own', actions: ['device.configurationSet'] },
  params: Tenant.extend({ deviceType: DeviceTypeParam }),
  body: SetTypeConfigurationModel,
  responses: { 200: TypeConfigurationModel },
  errors: ['InvalidModel', 'ConcurrentWritingError', 'TenantNotFound', 'ReadOnly'],
})

export const deleteTypeConfiguration = route({
  id: 'deleteDeviceTypeConfiguration',
  interface: 'device',
  method: 'DELETE',
  ...shown('/configuration/:deviceType'),
  origin: 'extension',
  summary: 'Expect nothing in particular of a type of devices any more',
  permission: manageDevices,
  audit: { by: 'own', actions: ['device.configurationSet'] },
  params: Tenant.extend({ deviceType: DeviceTypeParam }),
  responses: { 204: null },
  errors: ['NotFound', 'TenantNotFound', 'ReadOnly'],
})
