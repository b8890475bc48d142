import { z } from 'zod'
import { PrincipalOutputModel } from '../cases/categories.contract.ts'
import { IdMember, IdParam, UtcTime } from '../kernel/fields.ts'
import { DevicePath, manageDevices, shown } from './models.contract.ts'
import { route } from '../kernel/route.ts'

/** Whose device it is, and when: decisions 5. */

const AssociationPath = DevicePath.extend({ associationId: IdParam })

/** Officers that one device may be associated with at a time. */
export const MOST_OFFICERS = 10

export const DeviceAssociation = z
  .object({
    AssociationId: z.string(),
    DeviceId: z.string(),
    Officer: PrincipalOutputModel,
    FromUtc: z.string(),
    ToUtc: z.string().nullable().meta({ description: 'null: until further notice.' }),
    Access: z.enum(['Given', 'Pending', 'Withheld']).meta({
      description:
        'Whether the officer has access, by AccessFilesFromMyDevice, to all that was recorded in this time. Pending: the past of it was changed and waits for another member of ManageDevices. Withheld: the officer changed it, and gets none by it.',
    }),
    ChangedBy: z
      .array(z.string())
      .meta({ description: 'Ids of those who changed the past that waits; none of them confirms it.' }),
    CreatedUtcTime: z.string(),
    CreatedBy: PrincipalOutputModel,
    ConfirmedUtc: z.string().nullable(),
    ConfirmedBy: PrincipalOutputModel.nullable(),
    ConcurrencyId: z.string(),
  })
  .meta({ id: 'DeviceAssociation' })

export const CreateAssociationModel = z
  .object({
    PrincipalId: IdMember,
    FromUtc: UtcTime.nullish().meta({ description: 'Now when it is not sent.' }),
    ToUtc: UtcTime.nullish(),
  })
  .meta({ id: 'CreateDeviceAssociationModel' })

const ConcurrencyId = z
  .string()
  .max(256)
  .nullish()
  .meta({ description: 'Where it is sent it must be the current one.' })
export const ChangeAssociationModel = z
  .object({
    FromUtc: UtcTime.nullish().meta({ description: 'As it was when it is not sent.' }),
    ToUtc: UtcTime.nullable().optional().meta({ description: 'As it was when it is not sent; null: without an end.' }),
    ConcurrencyId,
  })
  .meta({ id: 'ChangeDeviceAssociationModel' })
export const ConfirmAssociationModel = z.object({ ConcurrencyId }).meta({ id: 'ConfirmDeviceAssociationModel' })

const changing = ['InvalidModel', 'InvalidDateTimeRange', 'DeviceNotFound', 'TenantNotFound', 'ReadOnly'] as const

export const listAssociations = route({
  id: 'listDeviceAssociations',
  interface: 'device',
  method: 'GET',
  ...shown('/device/:deviceId/association'),
  origin: 'decision',
  summary: 'The officers of a device, latest first',
  permission: manageDevices,
  audit: { by: 'read', action: 'device.associationsRead', objectType: 'device', objectParam: 'deviceId' },
  params: DevicePath,
  responses: { 200: z.array(DeviceAssociation) },
  errors: ['DeviceNotFound', 'TenantNotFound'],
})

export const createAssociation = route({
  id: 'createDeviceAssociation',
  interface: 'device',
  method: 'POST',
  ...shown('/device/:deviceId/association'),
  origin: 'decision',
  summary: 'Associate a device with an officer',
  description:
    'Whoever is no guest may associate an active device with themselves from now on; everything else needs ManageDevices. The device has to be active now, or, for a time that is over, to have been active in it.',
  permission: { kind: 'member', guests: false },
  audit: { by: 'own', actions: ['device.associated', 'evidence.attributed'] },
  params: DevicePath,
  body: CreateAssociationModel,
  responses: { 201: DeviceAssociation },
  errors: [...changing, 'DeviceNotActive', 'OfficerAlreadyAssociated', 'TooManyOfficers'],
  idempotent: true,
})

export const changeAssociation = route({
  id: 'changeDeviceAssociation',
  interface: 'device',
  method: 'PUT',
  ...shown('/device/:deviceId/association/:associationId'),
  origin: 'decision',
  summary: 'Change when a device was, is or will be associated with an officer',
  description:
    'What was recorded meanwhile belongs to the officer or not, at once. Access to it comes with the confirmation by another member of ManageDevices; it goes at once.',
  permission: manageDevices,
  audit: { by: 'own', actions: ['device.associationChanged', 'evidence.attributed'] },
  params: AssociationPath,
  body: ChangeAssociationModel,
  responses: { 200: DeviceAssociation },
  errors: [
    ...changing,
    'AssociationNotFound',
    'DeviceNotActive',
    'OfficerAlreadyAssociated',
    'TooManyOfficers',
    'ConcurrentWritingError',
  ],
})

export const deleteAssociation = route({
  id: 'deleteDeviceAssociation',
  interface: 'device',
  method: 'DELETE',
  ...shown('/device/:deviceId/association/:associationId'),
  origin: 'decision',
  summary: 'Take back an association that was made by mistake',
  permission: manageDevices,
  audit: { by: 'own', actions: ['device.associationRemoved', 'evidence.attributed'] },
  params: AssociationPath,
  responses: { 204: null },
  errors: ['DeviceNotFound', 'AssociationNotFound', 'TenantNotFound', 'ReadOnly'],
})

export const confirmAssociation = route({
  id: 'confirmDeviceAssociation',
  interface: 'device',
  method: 'POST',
  ...shown('/device/:deviceId/association/:associationId/confirm'),
  origin: 'decision',
  summary: 'Confirm a change of the past, so that it gives access',
  description: 'By another member of ManageDevices than whoever made the change.',
  permission: manageDevices,
  audit: { by: 'own', actions: ['device.associationConfirmed'] },
  params: AssociationPath,
  body: ConfirmAssociationModel.optional(),
  responses: { 200: DeviceAssociation },
  errors: [
    'InvalidModel',
    'DeviceNotFound',
    'AssociationNotFound',
    'NothingToConfirm',
    'AssociationWithheld',
    'ConcurrentWritingError',
    'Forbidden',
    'TenantNotFound',
    'ReadOnly',
  ],
})
