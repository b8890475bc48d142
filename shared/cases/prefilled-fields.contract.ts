import { z } from 'zod'
import { line, TenantParams as Tenant, text } from '../kernel/fields.ts'
import { route } from '../kernel/route.ts'

/** Values that a tenant offers for fields of cases: interfaces.md 4 and decisions 4. */

const FieldPath = Tenant.extend({ prefilledFieldId: line(256, 1) })

export const PrefilledFieldModel = z
  .object({
    PrefilledFieldId: z.string(),
    Target: z.string(),
    Label: z.string().nullable(),
    Values: z.array(z.string()),
    ETag: z.string(),
  })
  .meta({ id: 'PrefilledFieldModel' })

export const LONGEST_LABEL = 256
export const LONGEST_VALUE = 4096
export const PrefilledValue = text(LONGEST_VALUE)

/** As custom fields are named: whatever such a field may be called can be a target. */
const Target = z
  .string()
  .min(1, 'must not be empty')
  .max(256, 'must not be longer than 256 characters')
  .refine((name) => name.isWellFormed(), 'must be well-formed Unicode')
  .meta({ description: 'A field of a case or a custom field.' })

export const PrefilledFieldUpdateModel = z
  .object({
    Target,
    Label: line(LONGEST_LABEL).nullish(),
    Values: z.array(PrefilledValue).max(1000, 'must not hold more than 1000 values'),
  })
  .meta({ id: 'PrefilledFieldUpdateModel' })

const configuration = { kind: 'policy', policy: 'ManageConfiguration' } as const

export const getPrefilledFields = route({
  id: 'getPrefilledFields',
  interface: 'case',
  method: 'GET',
  path: '/api/v1/prefilledfields/:tenantId',
  origin: 'specification',
  summary: 'List all prefilled fields by id',
  permission: { kind: 'member', guests: false },
  audit: { by: 'read', action: 'list.read', objectType: 'prefilledField' },
  params: Tenant,
  responses: { 200: z.array(PrefilledFieldModel) },
  errors: ['TenantNotFound'],
})

export const updatePrefilledField = route({
  id: 'updatePrefilledField',
  interface: 'case',
  method: 'PUT',
  path: '/api/v1/prefilledfields/:tenantId/:prefilledFieldId',
  origin: 'specification',
  summary: 'Replace a prefilled field, or make it',
  description:
    'Made where the id is new. An absent Label is none from then on. With an eTag nothing is made, and nothing written but over that very state.',
  permission: configuration,
  audit: { by: 'own', actions: ['prefilledField.created', 'prefilledField.changed'] },
  params: FieldPath,
  query: z.object({ eTag: z.string().optional() }),
  body: PrefilledFieldUpdateModel,
  responses: { 200: PrefilledFieldModel },
  errors: ['InvalidModel', 'ConcurrentWritingError', 'TenantNotFound', 'ReadOnly'],
})

export const deletePrefilledField = route({
  id: 'deletePrefilledField',
  interface: 'case',
  method: 'DELETE',
  path: '/api/v1/prefilledfields/:tenantId/:prefilledFieldId',
  origin: 'specification',
  summary: 'Delete a prefilled field',
  description: 'The answer is the deleted one. One that is not there is InvalidModel.',
  permission: configuration,
  audit: { by: 'own', actions: ['prefilledField.deleted'] },
  params: FieldPath,
  responses: { 200: PrefilledFieldModel },
  errors: ['InvalidModel', 'TenantNotFound', 'ReadOnly'],
})
