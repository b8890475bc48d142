import type { z } from 'zod'
import type { CreateDepartmentModel, UpdateDepartmentModel } from '../../../shared/cases/departments.contract.ts'
import { Fault, fault } from '../../../shared/kernel/errors.ts'
import { nameKey } from '../../../shared/kernel/names.ts'
import type { SecurityPolicy } from '../../../shared/kernel/permissions.ts'
import type { Action } from '../../kernel/ledger/actions.ts'
import type { Ledger } from '../../kernel/ledger/ledger.ts'
import type { Versions } from '../../kernel/versions/versions.ts'
import type { Database, Tx } from '../../kernel/database/database.ts'
import { type Clock, isoMillis } from '../../platform/clock/clock.ts'
import type { HttpCall } from '../../http/handlers.ts'
import { hasManager, resolvePolicies } from './cases.access.ts'
import type { NewCasePolicy } from './cases.store.ts'
import {
  type DefaultDepartmentOut,
  defaultModel,
  departmentModel,
  type DepartmentOut,
  objectOf,
  stateOf,
} from './departments.models.ts'
import * as rows from './departments.store.ts'
import type { DepartmentRow } from './departments.store.ts'
import { type HistoryOut, type HistoryPage, readHistory } from './history.ts'
import { authorOf } from '../../kernel/evidence/objects.ts'

type Created = z.output<typeof CreateDepartmentModel>
type Updated = z.output<typeof UpdateDepartmentModel>

/** Departments (decisions 2 to 4): templates whose policies are copied to cases. Every change makes a version and a ledger entry. */
export interface Departments {
  /** @throws Fault DepartmentAlreadyExists, DepartmentWithoutManagePermission, UnableToLoadUser */
  create(call: HttpCall, tenant: string, input: Created): Promise<DepartmentOut>
  list(call: HttpCall, tenant: string): Promise<DepartmentOut[]>
  /** @throws Fault DepartmentNotFound */
  read(call: HttpCall, tenant: string, id: string): Promise<DepartmentOut>
  /** @throws Fault as `create`, and DepartmentNotFound, ConcurrentWritingError, CannotDisableADefaultDepartment */
  update(call: HttpCall, tenant: string, id: string, input: Updated): Promise<DepartmentOut>
  /** @throws Fault DepartmentNotFound, InvalidConcurrencyId, Forbidden */
  history(call: HttpCall, tenant: string, id: string, page: HistoryPage): Promise<HistoryOut>
  isNameAvailable(tenant: string, name: string): Promise<boolean>
  /** @throws Fault DefaultDepartmentNotAssigned */
  readDefault(tenant: string): Promise<DefaultDepartmentOut>
  /**
   * @param id null: no department is the default any more
   * @throws Fault DefaultDepartmentNotFound, DefaultDepartmentNotAssigned, CannotAssignToDisabledDepartment, ConcurrentWritingError
   */
  assignDefault(call: HttpCall, tenant: string, id: string | null, concurrencyId: string): Promise<DefaultDepartmentOut>
}

interface Deps {
  readonly db: Database
  readonly ledger: Ledger
  readonly versions: Versions
  readonly clock: Clock
  readonly isInPolicy: (principalId: string, policy: SecurityPolicy) => Promise<boolean>
}

export function createDepartments(deps: Deps): Departments {
  const { db, versions } = deps
  return {
    create: (call, tenant, input) => db.transaction((tx) => create(deps, tx, call, tenant, input)),
    list: async (call, tenant) => {
      const all = await rows.departmentsOf(db.read, tenant)
      if (!(await holds(deps, call, 'ManageConfiguration'))) return all.map((row) => departmentModel(row, null))
      const policies = Map.groupBy(await rows.departmentPoliciesOf(db.read, tenant), (policy) => policy.department_id)
      return all.map((row) => departmentModel(row, policies.get(row.department_id) ?? []))
    },
    read: async (call, tenant, id) => {
      const row = await requireDepartment(db.read, tenant, id)
      return (await holds(deps, call, 'ManageConfiguration')) ? fullModel(db.read, row) : departmentModel(row, null)
    },
    update: (call, tenant, id, input) => db.transaction((tx) => update(deps, tx, call, tenant, id, input)),
    history: async (call, tenant, id, page) => {
      // The right first: callers without it get the same answer whether or not the department exists.
      if (!(await holds(deps, call, 'ManageConfiguration')) || !(await holds(deps, call, 'AccessAuditTrail')))
        throw new Fault('Forbidden', 'The history needs ManageConfiguration and AccessAuditTrail.', {
          reason: 'PrincipalCannotAccessAuditTrail',
        })
      const row = await requireDepartment(db.read, tenant, id)
      return readHistory(versions, { entity: 'department', id: row.department_id, name: row.name }, page, true)
    },
    isNameAvailable: async (tenant, name) => (await rows.departmentByKey(db.read, tenant, nameKey(name))) === undefined,
    readDefault: async (tenant) => {
      const row = await rows.defaultDepartmentOf(db.read, tenant)
      if (row === undefined) throw notAssigned()
      return defaultModel(row)
    },
    assignDefault: (call, tenant, id, concurrencyId) =>
      db.transaction((tx) => assignDefault(deps, tx, call, tenant, id, concurrencyId)),
  }
}

async function create(deps: Deps, tx: Tx, call: HttpCall, tenant: string, input: Created): Promise<DepartmentOut> {
  const named = namedBy(input)
  await refuseTakenName(tx, tenant, named.name_key, null)
  const policies = await templateOf(tx, tenant, input.AccessPolicies)
  const now = isoMillis(deps.clock.now())
  const row = {
    tenant_id: tenant,
    ...named,
    enabled: input.Enabled === false ? 0 : 1,
    is_default: 0,
    // Set later in the same transaction: the hash covers the row with its id.
    concurrency_id: '',
    created_utc: now,
    modified_utc: now,
    modified_by: JSON.stringify(authorOf(call.actor)),
  }
  const id = await rows.insertDepartment(tx, row)
  await rows.replaceDepartmentPolicies(tx, id, policies)
  const made = await saveVersion(deps, tx, call, { ...row, department_id: id }, 'department.created')
  return call.rememberAnswer(tx, await fullModel(tx, made))
}

async function update(deps: Deps, tx: Tx, call: HttpCall, tenant: string, id: string, input: Updated) {
  const row = await requireDepartment(tx, tenant, id)
  refuseStale(row, input.ConcurrencyId)
  const named = namedBy(input)
  await refuseTakenName(tx, tenant, named.name_key, row.department_id)
  const { Enabled: enabled } = input
  if (enabled === false && row.is_default === 1)
    throw fault('CannotDisableADefaultDepartment', 'The default department stays enabled. Take the default away.', [
      { Path: 'Enabled', Message: 'must stay true of the default department' },
    ])
  const policies = await templateOf(tx, tenant, input.AccessPolicies)
  await rows.replaceDepartmentPolicies(tx, row.department_id, policies)
  const set = {
    ...named,
    ...(enabled === null || enabled === undefined ? {} : { enabled: enabled ? 1 : 0 }),
  }
  return fullModel(tx, await saveChange(deps, tx, call, row, set, 'department.changed'))
}

async function assignDefault(
  deps: Deps,
  tx: Tx,
  call: HttpCall,
  tenant: string,
  id: string | null,
  concurrencyId: string,
): Promise<DefaultDepartmentOut> {
  const before = await rows.defaultDepartmentOf(tx, tenant)
  const removed = (row: DepartmentRow): Promise<DepartmentRow> =>
    saveChange(deps, tx, call, row, { is_default: 0 }, 'department.defaultRemoved')
  if (id === null) {
    if (before === undefined) throw notAssigned()
    refuseStale(before, concurrencyId)
    await removed(before)
    return defaultModel(null)
  }
  const row = await findDepartment(tx, tenant, id)
  if (row === null)
    throw fault('DefaultDepartmentNotFound', 'There is no such department.', [
      { Path: 'DepartmentId', Message: 'names none' },
    ])
  refuseStale(row, concurrencyId)
  if (row.enabled === 0)
    throw fault('CannotAssignToDisabledDepartment', `The department "${row.name}" is disabled.`, [
      { Path: 'DepartmentId', Message: 'names a disabled department' },
    ])
  // The old default first: there must never be two.
  if (before !== undefined && before.department_id !== row.department_id) await removed(before)
  return defaultModel(await saveChange(deps, tx, call, row, { is_default: 1 }, 'department.defaultAssigned'))
}

const holds = ({ isInPolicy }: Deps, call: HttpCall, policy: SecurityPolicy): Promise<boolean> =>
  isInPolicy(call.principal?.id ?? '0', policy)

/** Records the stored row as a version and a ledger entry. @returns the row with its version */
async function saveVersion({ ledger, versions }: Deps, tx: Tx, call: HttpCall, row: DepartmentRow, action: Action) {
  const concurrencyId = await versions.add(tx, {
    entity: 'department',
    entityId: row.department_id,
    state: stateOf(row, await rows.policiesOfDepartment(tx, row.department_id)),
    action,
    author: call.actor,
    dateUtc: row.modified_utc,
  })
  await rows.updateDepartment(tx, row.department_id, { concurrency_id: concurrencyId })
  await ledger.append(tx, call, { action, object: objectOf(row), detail: { concurrencyId } })
  return { ...row, concurrency_id: concurrencyId }
}

async function saveChange(
  deps: Deps,
  tx: Tx,
  call: HttpCall,
  row: DepartmentRow,
  set: Partial<DepartmentRow>,
  action: Action,
): Promise<DepartmentRow> {
  const columns = {
    ...set,
    modified_utc: isoMillis(deps.clock.now()),
    modified_by: JSON.stringify(authorOf(call.actor)),
  }
  await rows.updateDepartment(tx, row.department_id, columns)
  return saveVersion(deps, tx, call, { ...row, ...columns }, action)
}

/** The full model, with its policies. */
const fullModel = async (tx: Tx, row: DepartmentRow): Promise<DepartmentOut> =>
  departmentModel(row, await rows.policiesOfDepartment(tx, row.department_id))

async function findDepartment(from: Tx, tenant: string, id: string): Promise<DepartmentRow | null> {
  // Ids have one spelling: `01` names no department.
  if (!/^[1-9]\d{0,14}$/.test(id)) return null
  return (await rows.departmentById(from, tenant, Number(id))) ?? null
}

async function requireDepartment(from: Tx, tenant: string, id: string): Promise<DepartmentRow> {
  const row = await findDepartment(from, tenant, id)
  if (row === null) throw fault('DepartmentNotFound', `There is no department ${id}.`)
  return row
}

async function refuseTakenName(tx: Tx, tenant: string, key: string, ownId: number | null): Promise<void> {
  const other = await rows.departmentByKey(tx, tenant, key)
  if (other !== undefined && other.department_id !== ownId)
    throw fault('DepartmentAlreadyExists', `There is a department "${other.name}" already.`, [
      { Path: 'Name', Message: 'is taken' },
    ])
}

/** @throws Fault UnableToLoadUser, InvalidModel, DepartmentWithoutManagePermission */
async function templateOf(tx: Tx, tenant: string, input: Created['AccessPolicies']): Promise<NewCasePolicy[]> {
  const policies = await resolvePolicies(tx, tenant, input, [], [])
  if (!(await hasManager(tx, policies)))
    throw fault('DepartmentWithoutManagePermission', 'Nobody would have Manage on the cases of the department.', [
      { Path: 'AccessPolicies', Message: 'must give Manage to an enabled person or integration that is no guest' },
    ])
  return policies
}

function refuseStale(row: DepartmentRow, concurrencyId: string): void {
  if (row.concurrency_id !== concurrencyId)
    throw fault('ConcurrentWritingError', 'Somebody changed this department since you read it. Read it again.', [
      { Path: 'ConcurrencyId', Message: 'is not the current one' },
    ])
}

const notAssigned = (): Fault => fault('DefaultDepartmentNotAssigned', 'No department is the default.')

const namedBy = (input: Created) => ({
  name: input.Name,
  name_key: nameKey(input.Name),
  description: input.Description ?? null,
})
