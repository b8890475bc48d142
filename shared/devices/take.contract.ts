import { z } from 'zod'
import { IdMember } from '../kernel/fields.ts'
import { DeviceAssociation } from './associations.contract.ts'
import { DevicePath, shown } from './models.contract.ts'
import { route } from '../kernel/route.ts'

/** A camera for a shift (decisions 5): from now on and with an end, at its bay or by its serial number. */

/** A shift, where nobody says how long. */
export const TAKE_HOURS = 12
/** A week. */
export const MOST_TAKE_HOURS = 168

export const TakeDeviceModel = z
  .object({
    PrincipalId: IdMember.optional().meta({
      description: 'Whose it becomes; oneself when it is not sent. Another one needs ManageDevices.',
    }),
    Hours: z.int().min(1).max(MOST_TAKE_HOURS).default(TAKE_HOURS),
    EndOthers: z.boolean().default(false).meta({
      description:
        'Ends now what others have of it; needs ManageDevices. Where several have a camera nobody can say who recorded.',
    }),
  })
  .meta({ id: 'TakeDeviceModel' })

export const TakenDevice = z
  .object({
    Device: z.object({
      Id: z.string(),
      SerialNumber: z.string(),
      Manufacturer: z.string(),
      Model: z.string().nullable(),
    }),
    Association: DeviceAssociation,
    Others: z.array(DeviceAssociation).meta({ description: 'Who else has it now, for members of ManageDevices.' }),
    OthersCount: z.int().meta({ description: 'How many others have it now.' }),
  })
  .meta({ id: 'TakenDevice' })

export const takeDevice = route({
  id: 'takeDevice',
  interface: 'device',
  method: 'POST',
  ...shown('/device/:deviceId/take'),
  origin: 'extension',
  summary: 'Take a camera for a shift',
  description:
    'Associates it with an officer from now on, with an end. What the officer has of it already is made longer, never shorter.',
  permission: { kind: 'member', guests: false },
  audit: {
    by: 'own',
    actions: ['device.associated', 'device.associationChanged', 'device.associationsRead', 'evidence.attributed'],
  },
  params: DevicePath,
  body: TakeDeviceModel.optional(),
  responses: { 201: TakenDevice },
  errors: [
    'InvalidModel',
    'DeviceNotFound',
    'DeviceNotActive',
    'OfficerAlreadyAssociated',
    'TooManyOfficers',
    'Forbidden',
    'TenantNotFound',
    'ReadOnly',
  ],
  idempotent: true,
})
