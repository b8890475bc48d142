/**
 * Changes of a case, inside their transaction (decisions 3 and 4). Each checks the caller's rights itself and makes a version and a
 * ledger entry. They run on the database's thread (units.ts).
 */
import type { z } from 'zod'
import type { CreateCaseModel, PatchCaseModel, UpdateCaseModel } from '../../../shared/cases/contract.ts'
import { type Fault, fault } from '../../../shared/kernel/errors.ts'
import { type CustomField, misfits } from '../../../shared/templates/custom-fields.ts'
import { timeOf } from '../../../shared/kernel/time.ts'
import type { Ledger } from '../../kernel/ledger/ledger.ts'
import { callUnit, type UnitCall } from '../../kernel/unit-calls.ts'
import type { Tx } from '../../kernel/database/database.ts'
import type { RowLocks } from '../../kernel/database/units.ts'
import { type Clock, isoMillis } from '../../platform/clock/clock.ts'
import {
  asNewPolicy,
  sortPolicies,
  hasManager,
  findNamedPrincipals,
  requireLevel,
  resolvePolicies,
} from './cases.access.ts'
import { type CaseAggregate, type CaseCore, caseObject, forbid, refuseStale } from './case-aggregate.ts'
import {
  findAssignableDepartment,
  departmentOfNewCase,
  withDepartment,
  withoutDepartment,
} from './cases.departments.ts'
import { type Described, describedBy, describedByPatch } from './cases.fields.ts'
import { authorOf } from '../../kernel/evidence/objects.ts'
import type { CaseOut } from './cases.models.ts'
import * as rows from './cases.store.ts'
import type { CaseRow, NewCasePolicy } from './cases.store.ts'
import { categoryById, type CategoryRow } from './categories.store.ts'
import { addsBelowManage } from '../../kernel/access/guests.ts'
import { type CaseLinking, type EvidencePlaces, lockCase } from './case-linking.ts'

type Created = z.output<typeof CreateCaseModel>
type Updated = z.output<typeof UpdateCaseModel>
type Patched = z.output<typeof PatchCaseModel>
/** Members that set access and personnel; absent means unchanged. */
type AccessMembers = Pick<Created, 'AccessPolicies' | 'AccessPolicyExpirations' | 'PersonnelRelations' | 'DepartmentId'>

interface Change<Model> {
  readonly tenant: string
  readonly id: string
  readonly input: Model
  /** The evidence that the case shall hold by manual links; null: unchanged. */
  readonly wantedEvidence: EvidencePlaces | null
}

type ToLoad<Model> = Omit<Change<Model>, 'wantedEvidence'>
interface Move {
  readonly tenant: string
  readonly id: string
  readonly to: CaseRow['state']
}
interface Follow {
  readonly tenant: string
  readonly id: string
  readonly follows: boolean
}

export const createCaseUnit = callUnit<Omit<Change<Created>, 'id'>, CaseOut>('case.create')
export const updateCaseUnit = callUnit<Change<Updated>, CaseOut>('case.update', caseUnlessLinking)
export const patchCaseUnit = callUnit<Change<Patched>, CaseOut>('case.patch', caseUnlessLinking)
export const moveCaseUnit = callUnit<Move, CaseOut>('case.move', theCase)
export const followCaseUnit = callUnit<Follow, CaseOut>('case.follow', theCase)

/**
 * The row of a case covers what belongs to the case alone: its policies, personnel, followers and versions. Its rights hang on accounts and
 * groups too, which nothing changes beside it.
 */
function theCase({ id }: { readonly id: string }): RowLocks {
  return [lockCase(id)]
}

/** Links belong to evidence too, whose rows are known only when the case was read. */
function caseUnlessLinking(change: Pick<Change<unknown>, 'id' | 'wantedEvidence'>): RowLocks | null {
  return change.wantedEvidence === null ? theCase(change) : null
}

interface Deps {
  readonly core: CaseCore
  readonly linking: Pick<CaseLinking, 'apply' | 'changesTowards'>
  readonly ledger: Pick<Ledger, 'append'>
  readonly clock: Clock
  /** The custom fields of the template of cases. */
  readonly customFields: (from: Tx, tenant: string) => Promise<readonly CustomField[]>
}

const DAY = 86_400_000

export type CaseChanges = ReturnType<typeof createCaseChanges>

export const createCaseChanges = (deps: Deps) => ({
  loadForUpdate: (from: Tx, call: UnitCall, change: ToLoad<Updated>) => loadForUpdate(deps, from, call, change),
  loadForPatch: (from: Tx, call: UnitCall, change: ToLoad<Patched>) => loadForPatch(deps, from, call, change),
  create: (tx: Tx, call: UnitCall, change: Omit<Change<Created>, 'id'>) => createCase(deps, tx, call, change),
  update: (tx: Tx, call: UnitCall, change: Change<Updated>) => updateCase(deps, tx, call, change),
  patch: (tx: Tx, call: UnitCall, change: Change<Patched>) => patchCase(deps, tx, call, change),
  move: (tx: Tx, call: UnitCall, move: Move) => moveCase(deps, tx, call, move),
  follow: (tx: Tx, call: UnitCall, follow: Follow) => followCase(deps, tx, call, follow),
})

async function createCase(
  deps: Deps,
  tx: Tx,
  call: UnitCall,
  { tenant, input, wantedEvidence }: Omit<Change<Created>, 'id'>,
): Promise<CaseOut> {
  const { core, linking, clock } = deps
  const described = describedBy(input)
  const category = await checkCategory(tx, tenant, described.category_id, null)
  await checkFields(deps, tx, tenant, '{}', described.custom_fields)
  const department = await departmentOfNewCase(tx, tenant, input.DepartmentId ?? null)
  const policies = await initialPolicies(tx, call, tenant, input, department?.department_id ?? null)
  const personnel = await personnelOf(tx, tenant, input.PersonnelRelations ?? [])
  const now = timeOf(clock.now())
  const year = new Date(now.text).getUTCFullYear()
  const author = JSON.stringify(authorOf(call.actor))
  const inserted = await rows.insertCase(tx, {
    tenant_id: tenant,
    ordinal_year: year,
    ordinal_number: await rows.nextOrdinal(tx, tenant, year),
    ...described,
    ...NEW,
    department_id: department?.department_id ?? null,
    created_utc: now.text,
    created_ticks: now.ticks,
    created_by: author,
    modified_utc: now.text,
    modified_by: author,
  })
  const id = inserted.case_id
  await rows.insertPolicies(tx, id, policies)
  await rows.insertPersonnel(tx, id, personnel)
  if (wantedEvidence !== null)
    await linking.apply(tx, call, inserted, await linking.changesTowards(tx, id, wantedEvidence))
  const aggregate = await core.aggregateOf(tx, call, inserted, {
    personnel: personnel.length > 0,
    links: wantedEvidence !== null,
  })
  const row = await core.save(tx, call, aggregate, {}, 'case.created')
  const surroundings = {
    category_name: category?.name ?? null,
    department_name: department?.name ?? null,
    following: 0,
  }
  return call.rememberAnswer(tx, await core.present(tx, call, { ...aggregate, row, surroundings }))
}

async function updateCase(deps: Deps, tx: Tx, call: UnitCall, change: Change<Updated>): Promise<CaseOut> {
  const aggregate = await loadForUpdate(deps, tx, call, change)
  const set = await applyChange(deps, tx, call, aggregate, describedBy(change.input), change)
  return saveAndPresent(deps, tx, call, aggregate, { set, action: 'case.changed', touched: touches(change) })
}

async function patchCase(deps: Deps, tx: Tx, call: UnitCall, change: Change<Patched>): Promise<CaseOut> {
  const aggregate = await loadForPatch(deps, tx, call, change)
  const { row } = aggregate
  if (row.state === 'Closed')
    return saveAndPresent(deps, tx, call, aggregate, { set: REOPENED, action: 'case.reopened' })
  const { State: to, ConcurrencyId: _expected, ...input } = change.input
  const described = describedByPatch(row, input)
  const set = await applyChange(deps, tx, call, aggregate, described, { ...change, input })
  const closes = to === 'Closed'
  const state = closes ? await closingColumns(deps, tx, change.tenant, described.category_id) : {}
  const action = closes ? 'case.closed' : 'case.changed'
  return saveAndPresent(deps, tx, call, aggregate, { set: { ...set, ...state }, action, touched: touches(change) })
}

async function moveCase(deps: Deps, tx: Tx, call: UnitCall, { tenant, id, to }: Move): Promise<CaseOut> {
  const { core } = deps
  const aggregate = await core.loadLive(tx, call, tenant, id)
  core.requireHeld(call, aggregate, 'Manage')
  if (aggregate.row.state === to) throw alreadyInState(aggregate.row)
  const set = to === 'Closed' ? await closingColumns(deps, tx, tenant, aggregate.row.category_id) : REOPENED
  return saveAndPresent(deps, tx, call, aggregate, { set, action: to === 'Closed' ? 'case.closed' : 'case.reopened' })
}

async function followCase(deps: Deps, tx: Tx, call: UnitCall, input: Follow): Promise<CaseOut> {
  const { core, ledger } = deps
  const aggregate = await core.loadLive(tx, call, input.tenant, input.id)
  core.requireHeld(call, aggregate, 'View')
  const { row } = aggregate
  await rows.setFollowing(tx, row.case_id, Number(call.actor.id), input.follows)
  const action = input.follows ? 'case.followed' : 'case.unfollowed'
  await ledger.append(tx, call, { action, object: caseObject(row) })
  return core.present(tx, call, { ...aggregate, surroundings: undefined })
}

async function categoryOf(from: Tx, tenant: string, id: number | null): Promise<CategoryRow | null> {
  if (id === null) return null
  const row = await categoryById(from, tenant, id)
  if (row === undefined)
    throw fault('CategoryNotFound', 'There is no such category.', [{ Path: 'CategoryId', Message: 'names none' }])
  return row
}

/** @returns the new category; null when it is unchanged or removed */
async function checkCategory(tx: Tx, tenant: string, id: number | null, before: number | null) {
  if (id === before) return null
  const category = await categoryOf(tx, tenant, id)
  if (category !== null && category.enabled === 0)
    throw fault('CannotAssignCaseToDisabledCategory', `The category "${category.name}" is disabled.`, [
      { Path: 'CategoryId', Message: 'names a disabled category' },
    ])
  return category
}

/** Checks the changed values against the template (decisions 7). @throws Fault InvalidModel */
async function checkFields(
  { customFields }: Deps,
  tx: Tx,
  tenant: string,
  before: string,
  after: string,
): Promise<void> {
  const texts = (stored: string) => JSON.parse(stored) as Record<string, string>
  const problems = before === after ? [] : misfits(await customFields(tx, tenant), texts(before), texts(after))
  if (problems.length > 0) throw fault('InvalidModel', 'Custom fields hold values that do not fit them.', problems)
}

async function personnelOf(tx: Tx, tenant: string, input: NonNullable<Created['PersonnelRelations']>) {
  const named = await findNamedPrincipals(tx, tenant, input)
  return input.map(({ PrincipalId, KId = null, Role }, at) => {
    const path = `PersonnelRelations[${at}]`
    const { principal_id: principalId, kind } = named({ PrincipalId, KId }, path)
    if (kind !== 'user')
      throw fault('UnableToLoadUser', 'Only people can be personnel.', [
        { Path: path, Message: `names a ${kind}; only people can be personnel` },
      ])
    return { principalId, role: Role ?? 'Assigned' }
  })
}

/** Replaces policies and department when the request changes them. Both need Manage (decisions 3 and 4). @returns columns to set */
async function changeAccess(
  tx: Tx,
  call: UnitCall,
  tenant: string,
  aggregate: CaseAggregate,
  input: AccessMembers,
): Promise<Partial<CaseRow>> {
  const { row, caller, policies: stored } = aggregate
  const before = stored.map(asNewPolicy)
  const sent = isSent(input.AccessPolicies) || isSent(input.AccessPolicyExpirations)
  const moves = isSent(input.DepartmentId) && input.DepartmentId !== String(row.department_id)
  if (!sent && !moves) return {}
  let policies: readonly NewCasePolicy[] = sent
    ? await resolvePolicies(
        tx,
        tenant,
        input.AccessPolicies ?? stored.map(asSent),
        input.AccessPolicyExpirations ?? [],
        stored,
      )
    : before
  let department = row.department_id
  if (moves) {
    if (caller.guest) forbid('Guests do not change the department of a case.', 'PrincipalCannotManageCase')
    department = (await findAssignableDepartment(tx, tenant, input.DepartmentId as string)).department_id
    policies = await withDepartment(tx, withoutDepartment(policies), department)
    requireLevel(heldNow(call, aggregate), 'Manage')
    if (!(await hasManager(tx, policies)))
      throw fault(
        'DepartmentChangeCausesLossOfLastAccessPolicyWithFullPermissions',
        'In that department nobody would have Manage on the case. Give it to an enabled person or integration first.',
        [{ Path: 'DepartmentId', Message: 'would leave nobody with Manage' }],
      )
  }
  if (samePolicies(policies, before)) return { department_id: department }
  requireLevel(heldNow(call, aggregate), 'Manage')
  if (caller.guest && !addsBelowManage(before, policies))
    forbid('Guests only give access below Manage, and take none away.', 'PrincipalCannotManageCase')
  if (!(await hasManager(tx, policies)))
    throw fault(
      'CannotRemoveLastAccessPolicyWithFullPermissions',
      'Nobody would have Manage on the case any more. Give it to an enabled person or integration first.',
    )
  await rows.replacePolicies(tx, row.case_id, policies)
  return { department_id: department }
}

/** Replaces the personnel when the request changes it. This needs Manage; guests may not do it. */
async function assignPersonnel(
  tx: Tx,
  call: UnitCall,
  tenant: string,
  aggregate: CaseAggregate,
  input: AccessMembers,
): Promise<void> {
  if (!isSent(input.PersonnelRelations)) return
  const personnel = await personnelOf(tx, tenant, input.PersonnelRelations)
  const serialize = (list: readonly { role: string; principalId: number }[]): string =>
    JSON.stringify(list.map(({ principalId, role }) => [principalId, role]))
  const stored = aggregate.personnel.map((row) => ({ principalId: row.principal_id, role: row.role }))
  if (serialize(personnel) === serialize(stored)) return
  if (aggregate.caller.guest)
    throw fault('TenantGuestCannotUpdateAssignedPersonnel', 'Guests do not change the assigned personnel.')
  requireLevel(heldNow(call, aggregate), 'Manage')
  await rows.replacePersonnel(tx, aggregate.row.case_id, personnel)
}

/** The times of a case decide which evidence the station links to it. Changing them needs Manage once it has linked any. */
function checkTimes({ core }: Deps, call: UnitCall, aggregate: CaseAggregate, described: Described): void {
  const { row, links } = aggregate
  if (described.occurred_on === row.occurred_on && described.ended_on === row.ended_on) return
  if (links.some(({ kind }) => kind === 'Automatic')) core.requireHeld(call, aggregate, 'Manage')
}

/** Loads a case for a PUT, after all checks of rights and state. */
async function loadForUpdate({ core }: Deps, from: Tx, call: UnitCall, { tenant, id, input }: ToLoad<Updated>) {
  const aggregate = await core.loadLive(from, call, tenant, id)
  core.requireHeld(call, aggregate, 'Edit')
  refuseStale(aggregate.row, input.ConcurrencyId)
  refuseClosed(aggregate.row)
  return aggregate
}

/** Loads a case for a PATCH, after all checks of rights and state. A closed case is accepted when only State is sent. */
async function loadForPatch({ core }: Deps, from: Tx, call: UnitCall, { tenant, id, input }: ToLoad<Patched>) {
  const aggregate = await core.loadLive(from, call, tenant, id)
  const { State: to, ConcurrencyId: expected, ...members } = input
  core.requireHeld(call, aggregate, isSent(to) ? 'Manage' : 'Edit')
  refuseStale(aggregate.row, expected)
  const alone = Object.values(members).every((member) => !isSent(member))
  if (aggregate.row.state === 'Closed') {
    if (!alone || !isSent(to)) refuseClosed(aggregate.row)
    if (to === 'Closed') throw alreadyInState(aggregate.row)
  }
  return aggregate
}

async function closingColumns(
  { clock }: Deps,
  tx: Tx,
  tenant: string,
  categoryId: number | null,
): Promise<Partial<CaseRow>> {
  const now = clock.now()
  const days = (await categoryOf(tx, tenant, categoryId))?.retention_days ?? null
  return {
    state: 'Closed',
    closed_on: isoMillis(now),
    scheduled_deletion_utc: days === null ? null : isoMillis(now + days * DAY),
  }
}

/**
 * Applies a change to an open case: its fields, its links, its personnel and its access.
 * @returns columns to set; policies, personnel and links are written already
 */
async function applyChange(
  deps: Deps,
  tx: Tx,
  call: UnitCall,
  aggregate: CaseAggregate,
  described: Described,
  { tenant, input, wantedEvidence }: Pick<Change<AccessMembers>, 'tenant' | 'input' | 'wantedEvidence'>,
): Promise<Partial<CaseRow>> {
  const { linking } = deps
  const { row } = aggregate
  await checkCategory(tx, tenant, described.category_id, row.category_id)
  await checkFields(deps, tx, tenant, row.custom_fields, described.custom_fields)
  checkTimes(deps, call, aggregate, described)
  // Links before policies: the caller's rights from before the change decide.
  if (wantedEvidence !== null)
    await linking.apply(tx, call, row, await linking.changesTowards(tx, row.case_id, wantedEvidence))
  await assignPersonnel(tx, call, tenant, aggregate, input)
  return { ...described, ...(await changeAccess(tx, call, tenant, aggregate, input)) }
}

interface Saved {
  readonly set: Partial<CaseRow>
  readonly action: Parameters<CaseCore['save']>[4]
  /** Whether policies, personnel or links may have been written already; then they are read again. */
  readonly touched?: boolean
}

/** Saves the case and gives its model. */
async function saveAndPresent(
  { core }: Deps,
  tx: Tx,
  call: UnitCall,
  aggregate: CaseAggregate,
  { set, action, touched = false }: Saved,
): Promise<CaseOut> {
  const now = touched ? await core.aggregateOf(tx, call, aggregate.row) : aggregate
  const row = await core.save(tx, call, now, set, action)
  const surroundings = row.category_id === aggregate.row.category_id && !touched ? now.surroundings : undefined
  return core.present(tx, call, { ...now, row, surroundings })
}

/**
 * The policies of a new case: those sent, those of the department, and Manage for the creator.
 * @throws Fault CannotCreateCaseWithNoManageAccess when the sent policies give the creator less than Manage, or when nobody whom the
 * last-Manage guard counts would have Manage
 */
async function initialPolicies(
  tx: Tx,
  call: UnitCall,
  tenant: string,
  input: Created,
  department: number | null,
): Promise<NewCasePolicy[]> {
  const sent = await resolvePolicies(tx, tenant, input.AccessPolicies ?? [], input.AccessPolicyExpirations ?? [], [])
  const creator = Number(call.actor.id)
  const creatorPolicy = sent.find(({ principalId }) => principalId === creator)
  const manage: NewCasePolicy = { principalId: creator, level: 'Manage', expires: null, fromDepartment: false }
  const policies = await withDepartment(tx, creatorPolicy === undefined ? [...sent, manage] : sent, department)
  if ((creatorPolicy !== undefined && creatorPolicy.level !== 'Manage') || !(await hasManager(tx, policies)))
    throw fault('CannotCreateCaseWithNoManageAccess', 'Whoever makes a case needs Manage on it.', [
      { Path: 'AccessPolicies', Message: 'leave the case without anybody who has Manage' },
    ])
  return sortPolicies(policies)
}

const REOPENED: Partial<CaseRow> = { state: 'Open', closed_on: null, scheduled_deletion_utc: null }

const NEW = {
  state: 'Open',
  lifecycle_state: 'Normal',
  source_type: 'Manual',
  closed_on: null,
  scheduled_deletion_utc: null,
  protected_until: null,
  protected_ticks: null,
  deleted_utc: null,
  // Set later in the same transaction: the hash covers the row with its id.
  concurrency_id: '',
} as const

const isSent = <T>(value: T | null | undefined): value is T => value !== null && value !== undefined
const asSent = (row: rows.CasePolicyRow) => ({
  Permissions: row.level,
  PrincipalId: String(row.principal_id),
  KId: row.k_id,
  PrincipalType: row.kind,
})

function samePolicies(left: readonly NewCasePolicy[], right: readonly NewCasePolicy[]): boolean {
  const serialize = (list: readonly NewCasePolicy[]): string =>
    JSON.stringify(list.map(({ principalId, level, expires }) => [principalId, level, expires?.text ?? null]))
  return serialize(left) === serialize(right)
}

function refuseClosed(row: CaseRow): void {
  if (row.state === 'Closed') throw fault('CannotUpdateClosedCase', 'The case is closed. Reopen it to change it.')
}

const alreadyInState = (row: CaseRow): Fault =>
  fault('CaseNotInNormalState', `The case is ${row.state === 'Closed' ? 'closed' : 'open'} already.`)

/** The caller's level, reported as the decision of the call. */
function heldNow(call: UnitCall, { row, held }: CaseAggregate): CaseAggregate['held'] {
  call.reportDecision({ on: 'case', id: String(row.case_id), held })
  return held
}

/** Whether a change may write policies, personnel or links. */
const touches = ({ input, wantedEvidence }: Change<AccessMembers>): boolean =>
  wantedEvidence !== null ||
  [input.AccessPolicies, input.AccessPolicyExpirations, input.PersonnelRelations, input.DepartmentId].some(isSent)
