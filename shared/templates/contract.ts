import { z } from 'zod'
import { FIELD_TYPES } from './custom-fields.ts'
import { NAME_LENGTH, nameKey, unusableName } from '../kernel/names.ts'
import { line, TenantNameParams as Tenant } from '../kernel/fields.ts'
import { route } from '../kernel/route.ts'

/** The custom-field template service: interfaces.md 2.7, 4.4 and decisions 7. Its members are camelCase, those of its errors too. */

export const TEMPLATE_TYPES = ['Case', 'Evidence'] as const
/** As many as a case or an evidence holds (decisions 1). */
const MOST_FIELDS = 1_000
const MOST_CHOICES = 1_000

/** Usable as the name of a custom value too: that is counted in UTF-16 units. */
export const LONGEST_NAME = NAME_LENGTH
export const FieldName = z
  .string()
  .max(LONGEST_NAME, `must not be longer than ${LONGEST_NAME} characters`)
  .superRefine((name, context) => {
    const why = unusableName(name)
    if (why !== null) context.addIssue({ code: 'custom', message: why })
  })

export const Choice = line(LONGEST_NAME, 1)

/** The places of entries that say again what an earlier one said: after NFC, trim and case folding. */
function repeated(names: readonly string[]): number[] {
  const keys = names.map(nameKey)
  return keys.flatMap((key, at) => (keys.indexOf(key) < at ? [at] : []))
}

const GivenField = z
  .object({
    name: FieldName,
    type: z.enum(FIELD_TYPES),
    choices: z
      .array(Choice)
      .max(MOST_CHOICES, `must not hold more than ${MOST_CHOICES} choices`)
      .nullish()
      .meta({ description: 'Of a Choice: at least one. Of any other type: none.' }),
  })
  .superRefine(({ type, choices }, context) => {
    const refuse = (message: string, ...path: (string | number)[]) =>
      context.addIssue({ code: 'custom', path, message })
    const given = choices ?? null
    if (type !== 'Choice') {
      if (given !== null) refuse('belongs to the type Choice alone', 'choices')
    } else if (given === null || given.length === 0) refuse('must hold at least one choice', 'choices')
    else for (const at of repeated(given)) refuse('is a choice already', 'choices', at)
  })
  .meta({ id: 'PutTemplateCustomField' })

const GivenLabel = z.object({ fieldId: FieldName, customName: FieldName }).meta({ id: 'PutTemplateRenamedField' })

export const PutTemplateModel = z
  .object({
    type: z.enum(TEMPLATE_TYPES),
    renamedFields: z.array(GivenLabel).max(MOST_FIELDS, `must not hold more than ${MOST_FIELDS} fields`).nullish(),
    customFields: z.array(GivenField).max(MOST_FIELDS, `must not hold more than ${MOST_FIELDS} fields`).nullish(),
  })
  .superRefine(({ renamedFields, customFields }, context) => {
    for (const at of repeated((renamedFields ?? []).map(({ fieldId }) => fieldId)))
      context.addIssue({ code: 'custom', path: ['renamedFields', at, 'fieldId'], message: 'is renamed already' })
    for (const at of repeated((customFields ?? []).map(({ name }) => name)))
      context.addIssue({ code: 'custom', path: ['customFields', at, 'name'], message: 'is the name of another field' })
  })
  .meta({ id: 'PutCustomFieldTemplate' })

export const TemplateModel = z
  .object({
    type: z.enum(TEMPLATE_TYPES),
    renamedFields: z.array(z.object({ fieldId: z.string(), customName: z.string() }).meta({ id: 'RenamedField' })),
    customFields: z.array(
      z
        .object({
          name: z.string(),
          type: z.enum(FIELD_TYPES),
          choices: z.array(z.string()).optional().meta({ description: 'Of a Choice.' }),
        })
        .meta({ id: 'TemplateCustomField' }),
    ),
    lastModifiedUtc: z.string(),
    lastModifiedBy: z
      .object({
        firstName: z.string(),
        lastName: z.string(),
        username: z.string(),
        principalId: z.int(),
        principalType: z.string(),
        kId: z.string(),
      })
      .meta({ id: 'TemplatePrincipal' }),
  })
  .meta({ id: 'CustomFieldTemplate' })

const PATH = '/customfieldservice/api/v1/template/:tenantName'

export const listTemplates = route({
  id: 'listTemplates',
  interface: 'template',
  method: 'GET',
  path: PATH,
  origin: 'specification',
  summary: 'The custom-field templates of a tenant, at most one of each type',
  permission: { kind: 'member', guests: false },
  audit: { by: 'read', action: 'list.read', objectType: 'template' },
  params: Tenant,
  responses: { 200: z.array(TemplateModel) },
  errors: ['TenantNotFound'],
})

export const putTemplate = route({
  id: 'putTemplate',
  interface: 'template',
  method: 'PUT',
  path: PATH,
  origin: 'specification',
  summary: 'Add or replace the template of a type',
  description:
    'Whole: absent renamedFields or customFields are none from then on. The order is kept, an unknown fieldId too; the last-modified members are set by the station. Values that cases and evidence hold of a removed field stay.',
  permission: { kind: 'policy', policy: 'ManageConfiguration' },
  audit: { by: 'own', actions: ['template.changed'] },
  params: Tenant,
  body: PutTemplateModel,
  responses: { 200: TemplateModel },
  errors: ['InvalidModel', 'TenantNotFound', 'ReadOnly'],
})
