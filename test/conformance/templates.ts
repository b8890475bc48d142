/** Custom-field templates (interfaces.md 2.7, 4.4; decisions 7). */
import type { Json } from './client.ts'
import { differs } from './cases.ts'
import type { OperationName } from './operations.ts'
import type { Run } from './run.ts'
import { list, Template } from './shapes.ts'

export const TEMPLATE_OPERATIONS: readonly OperationName[] = ['ListTemplates', 'PutTemplate']

const GIVEN = {
  type: 'Evidence',
  renamedFields: [
    { fieldId: 'TagsTitle', customName: 'Keywords' },
    { fieldId: 'DescriptionTitle', customName: 'Notes' },
    { fieldId: 'OfALaterVersion', customName: 'Kept' },
  ],
  customFields: [
    { name: 'Weather', type: 'Choice', choices: ['fog', 'rain'] },
    { name: 'Age', type: 'Number' },
    { name: 'Seen on', type: 'Date' },
    { name: 'Armed', type: 'Boolean' },
    { name: 'Remarks', type: 'Text' },
  ],
}

export async function driveTemplates(run: Run): Promise<void> {
  const { call, needed } = run
  const all = { status: 200, shape: list(Template) }
  const { json: before } = await needed(
    'ListTemplates',
    'at most one of each type',
    {},
    {
      ...all,
      and: (templates) =>
        new Set(templates.map(({ type }: Json) => type)).size === templates.length ? null : 'a type is there twice',
    },
  )
  for (const accept of ['text/json', 'text/plain'])
    await call('ListTemplates', `Accept: ${accept}`, { headers: { accept } }, { ...all, type: accept })
  await call('ListTemplates', 'a tenant that is none', { tenant: 'nowhere' }, { status: 404, code: 'TenantNotFound' })
  const stored = { status: 200, shape: Template }
  const earlier = before.find(({ type }: Json) => type === 'Evidence') ?? {
    type: 'Evidence',
    renamedFields: [],
    customFields: [],
  }
  await needed(
    'PutTemplate',
    'of evidence, in an order of its own',
    { body: GIVEN },
    { ...stored, and: (json) => differs(json, GIVEN) },
  )
  run.later(() => call('PutTemplate', 'the one before', { body: earlier }, stored))
  await call(
    'ListTemplates',
    'holds it',
    {},
    {
      ...all,
      and: (templates) => differs(templates.find(({ type }: Json) => type === 'Evidence') ?? {}, GIVEN),
    },
  )
  const empty = { type: 'Evidence', renamedFields: null }
  await call(
    'PutTemplate',
    'what is absent is none from then on',
    { body: empty },
    { ...stored, and: (json) => differs(json, { renamedFields: [], customFields: [] }) },
  )
  await mistakes(run)
}

async function mistakes({ call }: Run): Promise<void> {
  const wrong = (what: string, body: Json) => call('PutTemplate', what, { body }, { status: 400, code: 'InvalidModel' })
  await wrong('a type that is none', { type: 'Device' })
  await wrong('no type', { customFields: [] })
  await wrong('two fields of one name', {
    type: 'Case',
    customFields: [
      { name: 'A', type: 'Text' },
      { name: 'a', type: 'Text' },
    ],
  })
  await wrong('a field of a type that is none', { type: 'Case', customFields: [{ name: 'A', type: 'Picture' }] })
  await wrong('a choice without choices', { type: 'Case', customFields: [{ name: 'A', type: 'Choice' }] })
  await call(
    'PutTemplate',
    'a tenant that is none',
    { body: GIVEN, tenant: 'nowhere' },
    { status: 404, code: 'TenantNotFound' },
  )
}
