/** Categories and prefilled fields (interfaces.md 4, decisions 2 and 4). */
import type { Json } from './client.ts'
import type { OperationName } from './operations.ts'
import type { Run } from './run.ts'
import { CategoryModel, list, PrefilledFieldModel } from './shapes.ts'

export const CATEGORY_OPERATIONS: readonly OperationName[] = [
  'CreateCategory',
  'ListCategories',
  'GetCategoryById',
  'UpdateCategory',
]

export const refusal = (code: string) => ({ status: 400, code }) as const

/** Ids that no path may hold, and the largest that it may (decisions 1). */
export const NO_IDS = ['0', '-1', '1.5', 'x', '9223372036854775808', '99999999999999999999999'] as const
export const LAST_ID = '9223372036854775807'

export async function driveCategories(run: Run): Promise<void> {
  await reading(run)
  const { call, needed, stamp } = run
  const body = { Name: `Conformance ${stamp}`, Description: 'two\nlines', Color: '#336699', RetentionDays: 30 }
  const made = { status: 201, shape: CategoryModel }
  const key = { 'idempotency-key': `category-${stamp}` }
  const { json: first } = await needed('CreateCategory', 'all members', { body, headers: key }, made)
  run.later(() => disabled(run, first.CategoryId))
  await call(
    'CreateCategory',
    'again under its Idempotency-Key',
    { body, headers: key },
    {
      ...made,
      and: ({ CategoryId }) => (CategoryId === first.CategoryId ? null : 'a second one was made'),
    },
  )
  const other = { body: { ...body, Name: `${body.Name} b` }, headers: key }
  await call('CreateCategory', 'another body under that key', other, refusal('InvalidModel'))
  const twin = { body: { Name: ` ${body.Name.toUpperCase()}`.trim() } }
  await call('CreateCategory', 'its name in capitals', twin, refusal('CategoryWithSameNameAlreadyExists'))
  for (const Name of [undefined, null, '', ' ', 7, 'x'.repeat(257)])
    await call(
      'CreateCategory',
      `the name ${JSON.stringify(Name)?.slice(0, 12)}`,
      { body: { Name } },
      refusal('InvalidModel'),
    )
  await call('CreateCategory', 'a tenant that is none', { body, tenant: 'nowhere' }, refusal('TenantNotFound'))
  await call(
    'ListCategories',
    'holds it',
    {},
    {
      status: 200,
      shape: list(CategoryModel),
      and: (all) => (all.some((one: Json) => one.CategoryId === first.CategoryId) ? null : 'it is not in the list'),
    },
  )
  await call(
    'GetCategoryById',
    'by its id',
    { with: { categoryId: first.CategoryId } },
    {
      status: 200,
      shape: CategoryModel,
      and: (json) => (JSON.stringify(json) === JSON.stringify(first) ? null : 'it is not as it was made'),
    },
  )
  await changes(run, first)
}

async function reading(run: Run): Promise<void> {
  const { call } = run
  const all = { status: 200, shape: list(CategoryModel) }
  await call('ListCategories', 'all', {}, all)
  await call('ListCategories', 'the tenant in capitals', { tenant: run.connection.TenantId.toUpperCase() }, all)
  // Section 4: application/json, and nothing else.
  for (const accept of ['text/json', 'text/plain', 'application/xml'])
    await call('ListCategories', `Accept: ${accept}`, { headers: { accept } }, { status: 406 })
  await call('ListCategories', 'Accept: */*', { headers: { accept: '*/*' } }, all)
  for (const categoryId of NO_IDS)
    await call('GetCategoryById', `the id ${categoryId}`, { with: { categoryId } }, refusal('InvalidModel'))
  await call('GetCategoryById', 'the largest id', { with: { categoryId: LAST_ID } }, refusal('CategoryNotFound'))
  await call('ListCategories', 'a tenant that is none', { tenant: 'nowhere' }, refusal('TenantNotFound'))
}

async function changes(run: Run, first: Json): Promise<void> {
  const { call, needed } = run
  const place = { with: { categoryId: first.CategoryId } }
  const body = { Name: `${first.Name} changed`, ConcurrencyId: first.ConcurrencyId }
  const text = { 'content-type': 'text/json', accept: 'text/plain' }
  const { json: next } = await needed(
    'UpdateCategory',
    'as text/json, answered as text/plain',
    { ...place, body, headers: text },
    {
      status: 200,
      type: 'text/plain',
      shape: CategoryModel,
      and: (json) =>
        json.Description === null && json.RetentionDays === null && json.ConcurrencyId !== first.ConcurrencyId
          ? null
          : 'what is absent is still there, or the version is the old one',
    },
  )
  await call('UpdateCategory', 'over an old version', { ...place, body }, refusal('ConcurrentWritingError'))
  await call(
    'UpdateCategory',
    'without ConcurrencyId',
    { ...place, body: { Name: next.Name } },
    refusal('InvalidModel'),
  )
  const nowhere = { with: { categoryId: LAST_ID }, body }
  await call('UpdateCategory', 'one that is not there', nowhere, refusal('CategoryNotFound'))
  const xml = { ...place, body, headers: { 'content-type': 'application/xml' } }
  await call('UpdateCategory', 'as application/xml', xml, { status: 415 })
}

/** Categories stay: nothing deletes them. */
async function disabled(run: Run, categoryId: string): Promise<void> {
  const place = { with: { categoryId } }
  const found = await run.call('GetCategoryById', 'before it is disabled', place, { status: 200, shape: CategoryModel })
  if (found === null) return
  const { Name, ConcurrencyId } = found.json
  await run.call(
    'UpdateCategory',
    'disabled',
    { ...place, body: { Name, ConcurrencyId, Enabled: false } },
    {
      status: 200,
      shape: CategoryModel,
      and: ({ Enabled }) => (Enabled === false ? null : 'it is enabled'),
    },
  )
}

export const FIELD_OPERATIONS: readonly OperationName[] = [
  'GetPrefilledFields',
  'UpdatePrefilledField',
  'DeletePrefilledField',
]

export async function drivePrefilledFields(run: Run): Promise<void> {
  const { call, needed, stamp } = run
  const all = { status: 200, shape: list(PrefilledFieldModel) }
  await call('GetPrefilledFields', 'all', {}, all)
  await call('GetPrefilledFields', 'a tenant that is none', { tenant: 'nowhere' }, refusal('TenantNotFound'))
  const prefilledFieldId = `Conformance ${stamp} é/%`
  const place = { with: { prefilledFieldId } }
  const body = { Target: 'Title', Label: 'Kind', Values: ['Burglary', 'Theft'] }
  const stored = { status: 200, shape: PrefilledFieldModel }
  await needed(
    'UpdatePrefilledField',
    'a new one, with a slash in its id',
    { ...place, body },
    {
      ...stored,
      and: (json) => (json.PrefilledFieldId === prefilledFieldId ? null : `its id is ${json.PrefilledFieldId}`),
    },
  )
  const { json: first } = await needed(
    'UpdatePrefilledField',
    'without a label',
    {
      ...place,
      body: { ...body, Label: undefined },
    },
    { ...stored, and: ({ Label }) => (Label === null ? null : 'the label is still there') },
  )
  const fresh = { ...place, body, query: { eTag: first.ETag } }
  await call('UpdatePrefilledField', 'over its eTag', fresh, stored)
  await call('UpdatePrefilledField', 'over an old eTag', fresh, refusal('ConcurrentWritingError'))
  await call('UpdatePrefilledField', 'an empty eTag counts as absent', { ...place, body, query: { eTag: '' } }, stored)
  await call('UpdatePrefilledField', 'without Values', { ...place, body: { Target: 'Title' } }, refusal('InvalidModel'))
  await call('UpdatePrefilledField', 'without Target', { ...place, body: { Values: [] } }, refusal('InvalidModel'))
  await call(
    'GetPrefilledFields',
    'hold it',
    { headers: { accept: 'text/json' } },
    {
      ...all,
      type: 'text/json',
      and: (fields) =>
        fields.some((one: Json) => one.PrefilledFieldId === prefilledFieldId) ? null : 'it is not in the list',
    },
  )
  await call('DeletePrefilledField', 'answers the deleted one', place, {
    ...stored,
    and: (json) => (json.PrefilledFieldId === prefilledFieldId ? null : 'it is another one'),
  })
  await call('DeletePrefilledField', 'one that is not there', place, refusal('InvalidModel'))
}
