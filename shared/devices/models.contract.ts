import { z } from 'zod'
import { isLine, line, TenantParams as Tenant } from '../kernel/fields.ts'
import { DEVICE_FIELDS, IDENTIFICATION_NAMES, inputsOf } from './fields.ts'
import { utf8Length } from '../kernel/text.ts'

/** What the parts of the device service share: interfaces.md 2.6, 4.2 and decisions 5. */

const SHOWN = '/api/v1/tenant/:tenantId'
const PRIVATE = '/api/v1-private/tenant/:tenantId'
/** Every operation answers under both prefixes; the first is the one under which the specification shows it. */
export const shown = (path: string) => ({ path: `${SHOWN}${path}`, aliases: [`${PRIVATE}${path}`] as const })
export const shownPrivate = (path: string) => ({ path: `${PRIVATE}${path}`, aliases: [`${SHOWN}${path}`] as const })

export const manageDevices = { kind: 'policy', policy: 'ManageDevices' } as const

export const DevicePath = Tenant.extend({
  deviceId: line(256, 1).meta({
    description: 'The Id of the device record, else its serial number where no other device of the tenant has it.',
  }),
})

export const DeviceIdentification = z.object(inputsOf(IDENTIFICATION_NAMES)).meta({ id: 'DeviceIdentification' })

export const GivenDeviceType = inputsOf(['DeviceType']).DeviceType
export const DeviceTypeParam = line(DEVICE_FIELDS.DeviceType.most, 1)
export const isDeviceType = (type: string): boolean => isLine(type, DEVICE_FIELDS.DeviceType.most, 1)

type FreeForm = Record<string, unknown>
const MOST_BYTES = 1024 * 1024

/** Any object, of text that can be written down. Not `z.record`: it drops a member called `__proto__` without a word. */
export const FreeForm = z
  .unknown()
  .superRefine((value, context) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value))
      return context.addIssue({ code: 'custom', message: 'must be an object' })
    if (!isWellFormed(value)) context.addIssue({ code: 'custom', message: 'must be well-formed Unicode' })
    else if (utf8Length(JSON.stringify(value)) > MOST_BYTES)
      context.addIssue({ code: 'custom', message: 'must not be larger than 1 MiB' })
  })
  .meta({ id: 'FreeFormObject', override: { type: 'object', additionalProperties: true } }) as z.ZodType<
  FreeForm,
  FreeForm
>

function isWellFormed(value: unknown): boolean {
  if (typeof value === 'string') return value.isWellFormed()
  if (typeof value !== 'object' || value === null) return true
  return Object.entries(value).every(([name, one]) => name.isWellFormed() && isWellFormed(one))
}
