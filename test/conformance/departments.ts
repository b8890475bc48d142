/** Departments and which of them is the default (interfaces.md 2.2, 2.3, 4; decisions 2 to 4). */
import { refusal } from './categories.ts'
import type { ConnectionFile, Json, Reply } from './client.ts'
import { historyOf } from './history.ts'
import type { OperationName } from './operations.ts'
import type { Run } from './run.ts'
import { boolean, CaseModel, DefaultDepartmentModel, DepartmentModel, list } from './shapes.ts'

export const DEPARTMENT_OPERATIONS: readonly OperationName[] = [
  'IsDepartmentNameAvailable',
  'CreateDepartment',
  'ListDepartments',
  'GetDepartmentById',
  'UpdateDepartment',
  'GetDepartmentHistory',
]

/** As an AccessPolicyModel. */
export const policyOf = (who: ConnectionFile, level: string): Json => ({
  Permissions: level,
  PrincipalId: who.ServicePrincipalId,
  KId: who.ServicePrincipalKey.kid,
  PrincipalType: 'service',
})

export async function driveDepartments(run: Run): Promise<void> {
  const { call, connection, needed, stamp } = run
  await reading(run)
  const before = await readDefault(run)
  const Name = `Conformance ${stamp}`
  await available(run, 'a new name', Name, true)
  const body = { Name, Description: 'made by the conformance client', AccessPolicies: [policyOf(connection, 'Manage')] }
  const stored = { status: 201, shape: DepartmentModel }
  const { json: first } = await needed('CreateDepartment', 'with a policy that gives Manage', { body }, stored)
  run.later(() => disabled(run, first.DepartmentId))
  await mistakes(run, { ...body, Name: `${Name} b` })
  await available(run, 'a name that is taken', Name.toLowerCase(), false)
  await call('CreateDepartment', 'its name again', { body }, refusal('DepartmentAlreadyExists'))
  await call(
    'ListDepartments',
    'hold it',
    {},
    {
      status: 200,
      shape: list(DepartmentModel),
      and: (all) => (all.some((one: Json) => one.DepartmentId === first.DepartmentId) ? null : 'it is not in the list'),
    },
  )
  const place = { with: { departmentId: first.DepartmentId } }
  await call('GetDepartmentById', 'by its id', place, {
    status: 200,
    shape: DepartmentModel,
    and: (json) => (JSON.stringify(json) === JSON.stringify(first) ? null : 'it is not as it was made'),
  })
  const change = { ...place, body: { ...body, Description: 'changed', ConcurrencyId: first.ConcurrencyId } }
  await needed('UpdateDepartment', 'over its version', change, {
    status: 200,
    shape: DepartmentModel,
    and: ({ ConcurrencyId }) => (ConcurrencyId === first.ConcurrencyId ? 'the version is the old one' : null),
  })
  await call('UpdateDepartment', 'over an old version', change, refusal('ConcurrentWritingError'))
  await call('UpdateDepartment', 'without ConcurrencyId', { ...place, body }, refusal('InvalidModel'))
  await historyOf(run, 'GetDepartmentHistory', place, 2)
  await defaults(run, first.DepartmentId, before)
}

async function reading(run: Run): Promise<void> {
  const { call } = run
  const all = { status: 200, shape: list(DepartmentModel) }
  await call('ListDepartments', 'all', {}, all)
  await call('ListDepartments', 'a tenant that is none', { tenant: 'nowhere' }, refusal('TenantNotFound'))
  await call(
    'GetDepartmentById',
    'one that is not there',
    { with: { departmentId: 'x'.repeat(48) } },
    refusal('DepartmentNotFound'),
  )
  await call(
    'GetDepartmentById',
    'an id of 49 characters',
    { with: { departmentId: 'x'.repeat(49) } },
    refusal('InvalidModel'),
  )
  for (const name of ['', ' outer spaces ', 'x'.repeat(257), 'a\u0007bell'])
    await call(
      'IsDepartmentNameAvailable',
      `the name ${JSON.stringify(name).slice(0, 18)}`,
      { body: name },
      refusal('DepartmentNameInvalid'),
    )
  await call('IsDepartmentNameAvailable', 'a number for a name', { body: 7 }, refusal('InvalidModel'))
}

const available = (run: Run, what: string, name: string, is: boolean): Promise<Reply | null> =>
  run.call(
    'IsDepartmentNameAvailable',
    what,
    { body: name },
    {
      status: 200,
      shape: boolean,
      and: (json) => (json === is ? null : `expected ${is}, was ${json}`),
    },
  )

async function mistakes(run: Run, body: Json): Promise<void> {
  const { call, connection } = run
  const made = (what: string, more: Json, code: string) =>
    call('CreateDepartment', what, { body: { ...body, ...more } }, refusal(code))
  const own = policyOf(connection, 'Manage')
  await made('a name of outer spaces', { Name: ' x ' }, 'DepartmentNameInvalid')
  await made(
    'nobody with Manage',
    { AccessPolicies: [policyOf(connection, 'View')] },
    'DepartmentWithoutManagePermission',
  )
  await made('no AccessPolicies', { AccessPolicies: undefined }, 'InvalidModel')
  await made(
    'somebody who is not there',
    { AccessPolicies: [{ ...own, PrincipalId: '999999999' }] },
    'UnableToLoadUser',
  )
  // 2.2: no extra properties, and its limits.
  await made(
    'a policy with a further member',
    { AccessPolicies: [{ ...own, ExpirationDateUtc: null }] },
    'InvalidModel',
  )
  await made('an empty PrincipalId', { AccessPolicies: [{ ...own, PrincipalId: '' }] }, 'InvalidModel')
  await made('a KId of 1025 characters', { AccessPolicies: [{ ...own, KId: 'x'.repeat(1025) }] }, 'InvalidModel')
  await made('a PrincipalType of 257', { AccessPolicies: [{ ...own, PrincipalType: 'x'.repeat(257) }] }, 'InvalidModel')
  await made('a Username of 513', { AccessPolicies: [{ ...own, Username: 'x'.repeat(513) }] }, 'InvalidModel')
  await made('a policy without Permissions', { AccessPolicies: [{ ...own, Permissions: undefined }] }, 'InvalidModel')
}

export const DEFAULT_OPERATIONS: readonly OperationName[] = ['GetDefaultDepartment', 'AssignDefaultDepartment']

/** The default is the station's and is given back at the end. */
async function defaults(run: Run, departmentId: string, before: Json): Promise<void> {
  const { call, needed } = run
  const version = async (): Promise<string> =>
    (await needed('GetDepartmentById', 'its version', { with: { departmentId } }, { status: 200 })).json.ConcurrencyId
  const assigned = { status: 200, shape: DefaultDepartmentModel }
  const own = { ConcurrencyId: await version(), DepartmentId: departmentId }
  const wrong = (what: string, more: Json, code: string) =>
    call('AssignDefaultDepartment', what, { body: { ...own, ...more } }, refusal(code))
  await wrong('a further member', { Name: 'x' }, 'InvalidModel')
  await wrong('an empty ConcurrencyId', { ConcurrencyId: '' }, 'InvalidModel')
  await wrong('without ConcurrencyId', { ConcurrencyId: undefined }, 'InvalidModel')
  await wrong('an id of 49 characters', { DepartmentId: 'x'.repeat(49) }, 'InvalidModel')
  await wrong('a department that is not there', { DepartmentId: '999999999' }, 'DefaultDepartmentNotFound')
  await wrong('over an old version', { ConcurrencyId: '0'.repeat(40) }, 'ConcurrentWritingError')
  await needed('AssignDefaultDepartment', 'ours', { body: own }, assigned)
  run.later(() => givenBack(run, departmentId, before))
  await call(
    'GetDefaultDepartment',
    'is ours',
    {},
    {
      ...assigned,
      and: (json) => (json.DepartmentId === departmentId ? null : `it is ${json.DepartmentId}`),
    },
  )
  await disabling(run, departmentId)
  const made = await call(
    'CreateCase',
    'without a department: the default counts',
    { body: { Title: 'Conformance' } },
    {
      status: 201,
      shape: CaseModel,
      and: (json) => (json.DepartmentId === departmentId ? null : `its department is ${json.DepartmentId}`),
    },
  )
  if (made !== null) run.later(() => closedAndDeleted(run, made.json.CaseId))
}

/** @returns null where none is assigned */
async function readDefault(run: Run): Promise<Json> {
  const { json } = await run.needed('GetDefaultDepartment', 'as it stands', {}, await expectedDefault(run))
  return json.ErrorCode === undefined ? json : null
}

/** Both are answers of a sound station; which it must be is settled by the list. */
async function expectedDefault(run: Run): Promise<{ status: number; code?: string }> {
  const { json: all } = await run.needed('ListDepartments', 'which is the default', {}, { status: 200 })
  return all.some(({ IsDefault }: Json) => IsDefault) ? { status: 200 } : refusal('DefaultDepartmentNotAssigned')
}

async function disabling(run: Run, departmentId: string): Promise<void> {
  const place = { with: { departmentId } }
  const { json } = await run.needed('GetDepartmentById', 'the default', place, {
    status: 200,
    shape: DepartmentModel,
    and: ({ IsDefault }) => (IsDefault ? null : 'IsDefault is false'),
  })
  const { Name, ConcurrencyId, AccessPolicies } = json
  const body = { Name, ConcurrencyId, AccessPolicies, Enabled: false }
  await run.call(
    'UpdateDepartment',
    'the default disabled',
    { ...place, body },
    refusal('CannotDisableADefaultDepartment'),
  )
}

async function givenBack(run: Run, departmentId: string, before: Json): Promise<void> {
  const id = before?.DepartmentId ?? departmentId
  const found = await run.call(
    'GetDepartmentById',
    'before the default is given back',
    { with: { departmentId: id } },
    { status: 200 },
  )
  if (found === null) return
  // Taking it away: the ConcurrencyId is that of the current default.
  const body = { ConcurrencyId: found.json.ConcurrencyId, DepartmentId: before === null ? null : id }
  await run.call(
    'AssignDefaultDepartment',
    before === null ? 'none, as before' : 'the one before',
    { body },
    {
      status: 200,
      shape: DefaultDepartmentModel,
      and: (json) => (json.DepartmentId === body.DepartmentId ? null : `it is ${json.DepartmentId}`),
    },
  )
  if (before === null)
    await run.call('GetDefaultDepartment', 'none is assigned', {}, refusal('DefaultDepartmentNotAssigned'))
}

/** Departments stay: nothing deletes them. A disabled one takes no case and is no default. */
async function disabled(run: Run, departmentId: string): Promise<void> {
  const place = { with: { departmentId } }
  const found = await run.call('GetDepartmentById', 'before it is disabled', place, { status: 200 })
  if (found === null) return
  const { Name, ConcurrencyId, AccessPolicies } = found.json
  const body = { Name, ConcurrencyId, AccessPolicies, Enabled: false }
  const off = await run.call(
    'UpdateDepartment',
    'disabled',
    { ...place, body },
    { status: 200, shape: DepartmentModel },
  )
  if (off === null) return
  const assign = { body: { ConcurrencyId: off.json.ConcurrencyId, DepartmentId: departmentId } }
  await run.call('AssignDefaultDepartment', 'a disabled one', assign, refusal('CannotAssignToDisabledDepartment'))
  const into = { body: { Title: 'Conformance', DepartmentId: departmentId } }
  await run.call('CreateCase', 'in a disabled department', into, refusal('CannotAssignToDisabledDepartment'))
}

/** A deleted case stays in the recycle bin, out of everybody's way. Whoever may not delete leaves it closed. */
export async function closedAndDeleted(run: Run, caseId: string): Promise<void> {
  const place = { with: { caseId } }
  const found = await run.call('GetCaseById', 'before it is taken away', place, { status: 200, shape: CaseModel })
  if (found === null) return
  if (found.json.State === 'Open')
    await run.call('PatchCase', 'closed', { ...place, body: { State: 'Closed' } }, { status: 200, shape: CaseModel })
  const gone = await run.call('DeleteCase', 'into the recycle bin', place, {
    status: 200,
    shape: CaseModel,
    and: ({ LifecycleState }) => (LifecycleState === 'Deleted' ? null : `LifecycleState is ${LifecycleState}`),
  })
  if (gone === null) return
  await run.call('GetCaseById', 'a deleted one', place, refusal('CaseDeleted'))
  await run.call('DeleteCase', 'again', place, refusal('CaseAlreadyDeleted'))
}
