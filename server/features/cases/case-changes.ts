/**
 * What the changes of a case do in their transaction (decisions 3 and 4): each makes a version and an entry, and judges the caller itself.
 * They run on the database's thread (units.ts).
 */
import type { z } from 'zod'
import type { CreateCaseModel, PatchCaseModel, UpdateCaseModel } from '../../../shared/cases/contract.ts'
import { type Fault, fault } from '../../../shared/kernel/errors.ts'
import { type CustomField, misfits } from '../../../shared/templates/custom-fields.ts'
import { timeOf } from '../../../shared/kernel/time.ts'
import type { Ledger } from '../../kernel/ledger/ledger.ts'
import { callUnit, type UnitCall } from '../../kernel/unit-calls.ts'
import type { Tx } from '../../kernel/database/database.ts'
import { type Clock, isoMillis } from '../../platform/clock/clock.ts'
import { asSettled, inOrder, keepsManage, principalsNamed, requireLevel, settledPolicies } from './cases.access.ts'
import { type CaseAggregate, type CaseCore, caseObject, forbid, refuseStale } from './case-aggregate.ts'
import { assignable, departmentOfNewCase, withDepartment, withoutDepartment } from './cases.departments.ts'
import { type Described, describedBy, describedByPatch } from './cases.fields.ts'
import { authorOf, type CaseOut } from './cases.models.ts'
import * as rows from './cases.store.ts'
import type { CaseRow, NewCasePolicy } from './cases.store.ts'
import { categoryById, type CategoryRow } from './categories.store.ts'
import { addsBelowManage } from '../../kernel/access/guests.ts'
import type { CaseLinking, EvidencePlaces } from './case-linking.ts'

type Created = z.output<typeof CreateCaseModel>
type Updated = z.output<typeof UpdateCaseModel>
type Patched = z.output<typeof PatchCaseModel>
/** Members that grant, assign and link; absent means unchanged. */
type Sharing = Pick<Created, 'AccessPolicies' | 'AccessPolicyExpirations' | 'PersonnelRelations' | 'DepartmentId'>

interface Change<Given> {
  readonly tenant: string
  readonly id: string
  readonly given: Given
  /** The evidence that somebody shall have linked; null: as it is. */
  readonly wanted: EvidencePlaces | null
}

export const createCaseUnit = callUnit<Omit<Change<Created>, 'id'>, CaseOut>('case.create')
export const updateCaseUnit = callUnit<Change<Updated>, CaseOut>('case.update')
export const patchCaseUnit = callUnit<Change<Patched>, CaseOut>('case.patch')
export const moveCaseUnit = callUnit<{ tenant: string; id: string; to: CaseRow['state'] }, CaseOut>('case.move')
export const followCaseUnit = callUnit<{ tenant: string; id: string; follows: boolean }, CaseOut>('case.follow')

interface Deps {
  readonly core: CaseCore
  readonly linking: Pick<CaseLinking, 'apply' | 'towards'>
  readonly ledger: Pick<Ledger, 'append'>
  readonly clock: Clock
  /** Those of the template of cases. */
  readonly customFields: (from: Tx, tenant: string) => Promise<readonly CustomField[]>
}

const DAY = 86_400_000

export type CaseChanges = ReturnType<typeof createCaseChanges>

export function createCaseChanges({ core, linking, ledger, clock, customFields }: Deps) {
  const categoryOf = async (from: Tx, tenant: string, id: number | null): Promise<CategoryRow | null> => {
    if (id === null) return null
    const row = await categoryById(from, tenant, id)
    if (row === undefined)
      throw fault('CategoryNotFound', 'There is no such category.', [{ Path: 'CategoryId', Message: 'names none' }])
    return row
  }
  /** @returns the category where it is another one than before */
  const checkCategory = async (tx: Tx, tenant: string, id: number | null, before: number | null) => {
    if (id === before) return null
    const category = await categoryOf(tx, tenant, id)
    if (category !== null && category.enabled === 0)
      throw fault('CannotAssignCaseToDisabledCategory', `The category "${category.name}" is disabled.`, [
        { Path: 'CategoryId', Message: 'names a disabled category' },
      ])
    return category
  }
  /** Of the values that changed all fit the template (decisions 7). */
  const checkFields = async (tx: Tx, tenant: string, before: string, after: string): Promise<void> => {
    const texts = (stored: string) => JSON.parse(stored) as Record<string, string>
    const problems = before === after ? [] : misfits(await customFields(tx, tenant), texts(before), texts(after))
    if (problems.length > 0) throw fault('InvalidModel', 'Custom fields hold values that do not fit them.', problems)
  }
  const personnelOf = async (tx: Tx, tenant: string, given: NonNullable<Created['PersonnelRelations']>) => {
    const named = await principalsNamed(tx, tenant, given)
    return given.map(({ PrincipalId, KId = null, Role }, at) => {
      const path = `PersonnelRelations[${at}]`
      const { principal_id: principalId, kind } = named({ PrincipalId, KId }, path)
      if (kind !== 'user')
        throw fault('UnableToLoadUser', 'Only people can be personnel.', [
          { Path: path, Message: `names a ${kind}; only people can be personnel` },
        ])
      return { principalId, role: Role ?? 'Assigned' }
    })
  }

  /** Policies and department, where they are sent and differ: both need Manage (decisions 3 and 4). @returns columns to set */
  const grant = async (
    tx: Tx,
    call: UnitCall,
    tenant: string,
    aggregate: CaseAggregate,
    given: Sharing,
  ): Promise<Partial<CaseRow>> => {
    const { row, caller, policies: stored } = aggregate
    const before = stored.map(asSettled)
    const sent = isSent(given.AccessPolicies) || isSent(given.AccessPolicyExpirations)
    const moves = isSent(given.DepartmentId) && given.DepartmentId !== String(row.department_id)
    if (!sent && !moves) return {}
    let policies: readonly NewCasePolicy[] = sent
      ? await settledPolicies(
          tx,
          tenant,
          given.AccessPolicies ?? stored.map(asSent),
          given.AccessPolicyExpirations ?? [],
          stored,
        )
      : before
    let department = row.department_id
    if (moves) {
      if (caller.guest) forbid('Guests do not change the department of a case.', 'PrincipalCannotManageCase')
      department = (await assignable(tx, tenant, given.DepartmentId as string)).department_id
      policies = await withDepartment(tx, withoutDepartment(policies), department)
      requireLevel(heldNow(call, aggregate), 'Manage')
      if (!(await keepsManage(tx, policies)))
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
    if (!(await keepsManage(tx, policies)))
      throw fault(
        'CannotRemoveLastAccessPolicyWithFullPermissions',
        'Nobody would have Manage on the case any more. Give it to an enabled person or integration first.',
      )
    await rows.replacePolicies(tx, row.case_id, policies)
    return { department_id: department }
  }

  /** Assigned personnel, where it is sent and differs: needs Manage, and no guest touches it. */
  const assign = async (
    tx: Tx,
    call: UnitCall,
    tenant: string,
    aggregate: CaseAggregate,
    given: Sharing,
  ): Promise<void> => {
    if (!isSent(given.PersonnelRelations)) return
    const personnel = await personnelOf(tx, tenant, given.PersonnelRelations)
    const told = (list: readonly { role: string; principalId: number }[]): string =>
      JSON.stringify(list.map(({ principalId, role }) => [principalId, role]))
    const stored = aggregate.personnel.map((one) => ({ principalId: one.principal_id, role: one.role }))
    if (told(personnel) === told(stored)) return
    if (aggregate.caller.guest)
      throw fault('TenantGuestCannotUpdateAssignedPersonnel', 'Guests do not change the assigned personnel.')
    requireLevel(heldNow(call, aggregate), 'Manage')
    await rows.replacePersonnel(tx, aggregate.row.case_id, personnel)
  }

  /** Who moves the times of a case chooses what the station links to it: where it linked something already that takes Manage. */
  const checkTimes = (call: UnitCall, aggregate: CaseAggregate, described: Described): void => {
    const { row, links } = aggregate
    if (described.occurred_on === row.occurred_on && described.ended_on === row.ended_on) return
    if (links.some(({ kind }) => kind === 'Automatic')) core.requireHeld(call, aggregate, 'Manage')
  }

  /** For a PUT. */
  const openedToUpdate = async (from: Tx, call: UnitCall, { tenant, id, given }: Omit<Change<Updated>, 'wanted'>) => {
    const aggregate = await core.loadLive(from, call, tenant, id)
    core.requireHeld(call, aggregate, 'Edit')
    refuseStale(aggregate.row, given.ConcurrencyId)
    refuseClosed(aggregate.row)
    return aggregate
  }

  /** For a PATCH; a closed case is given back when State alone is sent. */
  const openedToPatch = async (from: Tx, call: UnitCall, { tenant, id, given }: Omit<Change<Patched>, 'wanted'>) => {
    const aggregate = await core.loadLive(from, call, tenant, id)
    const { State: to, ConcurrencyId: expected, ...members } = given
    core.requireHeld(call, aggregate, isSent(to) ? 'Manage' : 'Edit')
    refuseStale(aggregate.row, expected)
    const alone = Object.values(members).every((member) => !isSent(member))
    if (aggregate.row.state === 'Closed') {
      if (!alone || !isSent(to)) refuseClosed(aggregate.row)
      if (to === 'Closed') throw notNow(aggregate.row)
    }
    return aggregate
  }

  const closing = async (tx: Tx, tenant: string, categoryId: number | null): Promise<Partial<CaseRow>> => {
    const now = clock.now()
    const days = (await categoryOf(tx, tenant, categoryId))?.retention_days ?? null
    return {
      state: 'Closed',
      closed_on: isoMillis(now),
      scheduled_deletion_utc: days === null ? null : isoMillis(now + days * DAY),
    }
  }
  const REOPENED: Partial<CaseRow> = { state: 'Open', closed_on: null, scheduled_deletion_utc: null }

  /**
   * A change of an open case: what describes it, who may do what, what is in it.
   * @returns columns to set, and whether policies, personnel or links were written
   */
  const describe = async (
    tx: Tx,
    call: UnitCall,
    aggregate: CaseAggregate,
    described: Described,
    { tenant, given, wanted }: Pick<Change<Sharing>, 'tenant' | 'given' | 'wanted'>,
  ): Promise<Partial<CaseRow>> => {
    const { row } = aggregate
    await checkCategory(tx, tenant, described.category_id, row.category_id)
    await checkFields(tx, tenant, row.custom_fields, described.custom_fields)
    checkTimes(call, aggregate, described)
    // Links before policies: judged by the rights that the caller had.
    if (wanted !== null) await linking.apply(tx, call, row, await linking.towards(tx, row.case_id, wanted))
    await assign(tx, call, tenant, aggregate, given)
    return { ...described, ...(await grant(tx, call, tenant, aggregate, given)) }
  }

  /** Saves and presents. Policies, personnel and links are read again where the change may have written them. */
  const saved = async (
    tx: Tx,
    call: UnitCall,
    aggregate: CaseAggregate,
    set: Partial<CaseRow>,
    action: Parameters<CaseCore['save']>[4],
    touched: boolean,
  ): Promise<CaseOut> => {
    const now = touched ? await core.aggregateOf(tx, call, aggregate.row) : aggregate
    const row = await core.save(tx, call, now, set, action)
    const around = row.category_id === aggregate.row.category_id && !touched ? now.around : undefined
    return core.present(tx, call, { ...now, row, around })
  }

  return {
    openedToUpdate,
    openedToPatch,

    create: async (
      tx: Tx,
      call: UnitCall,
      { tenant, given, wanted }: Omit<Change<Created>, 'id'>,
    ): Promise<CaseOut> => {
      const described = describedBy(given)
      const category = await checkCategory(tx, tenant, described.category_id, null)
      await checkFields(tx, tenant, '{}', described.custom_fields)
      const department = await departmentOfNewCase(tx, tenant, given.DepartmentId ?? null)
      const policies = await firstPolicies(tx, call, tenant, given, department?.department_id ?? null)
      const personnel = await personnelOf(tx, tenant, given.PersonnelRelations ?? [])
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
      if (wanted !== null) await linking.apply(tx, call, inserted, await linking.towards(tx, id, wanted))
      const aggregate = await core.aggregateOf(tx, call, inserted, {
        personnel: personnel.length > 0,
        links: wanted !== null,
      })
      const row = await core.save(tx, call, aggregate, {}, 'case.created')
      const around = {
        category_name: category?.name ?? null,
        department_name: department?.name ?? null,
        following: 0,
      }
      return call.once(tx, await core.present(tx, call, { ...aggregate, row, around }))
    },

    update: async (tx: Tx, call: UnitCall, change: Change<Updated>): Promise<CaseOut> => {
      const aggregate = await openedToUpdate(tx, call, change)
      const set = await describe(tx, call, aggregate, describedBy(change.given), change)
      return saved(tx, call, aggregate, set, 'case.changed', touches(change))
    },

    patch: async (tx: Tx, call: UnitCall, change: Change<Patched>): Promise<CaseOut> => {
      const aggregate = await openedToPatch(tx, call, change)
      const { row } = aggregate
      if (row.state === 'Closed') return saved(tx, call, aggregate, REOPENED, 'case.reopened', false)
      const { State: to, ConcurrencyId: _expected, ...given } = change.given
      const described = describedByPatch(row, given)
      const set = await describe(tx, call, aggregate, described, { ...change, given })
      const closes = to === 'Closed'
      const state = closes ? await closing(tx, change.tenant, described.category_id) : {}
      const action = closes ? 'case.closed' : 'case.changed'
      return saved(tx, call, aggregate, { ...set, ...state }, action, touches(change))
    },

    move: async (tx: Tx, call: UnitCall, { tenant, id, to }: { tenant: string; id: string; to: CaseRow['state'] }) => {
      const aggregate = await core.loadLive(tx, call, tenant, id)
      core.requireHeld(call, aggregate, 'Manage')
      if (aggregate.row.state === to) throw notNow(aggregate.row)
      const set = to === 'Closed' ? await closing(tx, tenant, aggregate.row.category_id) : REOPENED
      return saved(tx, call, aggregate, set, to === 'Closed' ? 'case.closed' : 'case.reopened', false)
    },

    follow: async (tx: Tx, call: UnitCall, given: { tenant: string; id: string; follows: boolean }) => {
      const aggregate = await core.loadLive(tx, call, given.tenant, given.id)
      core.requireHeld(call, aggregate, 'View')
      const { row } = aggregate
      await rows.setFollowing(tx, row.case_id, Number(call.actor.id), given.follows)
      const action = given.follows ? 'case.followed' : 'case.unfollowed'
      await ledger.append(tx, call, { action, object: caseObject(row) })
      return core.present(tx, call, { ...aggregate, around: undefined })
    },
  }

  /**
   * Those that are sent, those of the department, and Manage for the creator. @throws Fault CannotCreateCaseWithNoManageAccess where the
   * policies that are sent name the creator below Manage, or nobody whom the last-Manage guard counts would have it.
   */
  async function firstPolicies(
    tx: Tx,
    call: UnitCall,
    tenant: string,
    given: Created,
    department: number | null,
  ): Promise<NewCasePolicy[]> {
    const sent = await settledPolicies(tx, tenant, given.AccessPolicies ?? [], given.AccessPolicyExpirations ?? [], [])
    const creator = Number(call.actor.id)
    const own = sent.find(({ principalId }) => principalId === creator)
    const manage: NewCasePolicy = { principalId: creator, level: 'Manage', expires: null, fromDepartment: false }
    const whole = await withDepartment(tx, own === undefined ? [...sent, manage] : sent, department)
    if ((own !== undefined && own.level !== 'Manage') || !(await keepsManage(tx, whole)))
      throw fault('CannotCreateCaseWithNoManageAccess', 'Whoever makes a case needs Manage on it.', [
        { Path: 'AccessPolicies', Message: 'leave the case without anybody who has Manage' },
      ])
    return inOrder(whole)
  }
}

const NEW = {
  state: 'Open',
  lifecycle_state: 'Normal',
  source_type: 'Manual',
  closed_on: null,
  scheduled_deletion_utc: null,
  protected_until: null,
  protected_ticks: null,
  deleted_utc: null,
  // The real one follows in the same transaction: it is a hash over the row with its id.
  concurrency_id: '',
} as const

const isSent = <T>(value: T | null | undefined): value is T => value !== null && value !== undefined
const asSent = (row: rows.CasePolicyRow) => ({
  Permissions: row.level,
  PrincipalId: String(row.principal_id),
  KId: row.k_id,
  PrincipalType: row.kind,
})

function samePolicies(one: readonly NewCasePolicy[], other: readonly NewCasePolicy[]): boolean {
  const told = (list: readonly NewCasePolicy[]): string =>
    JSON.stringify(list.map(({ principalId, level, expires }) => [principalId, level, expires?.text ?? null]))
  return told(one) === told(other)
}

function refuseClosed(row: CaseRow): void {
  if (row.state === 'Closed') throw fault('CannotUpdateClosedCase', 'The case is closed. Reopen it to change it.')
}

const notNow = (row: CaseRow): Fault =>
  fault('CaseNotInNormalState', `The case is ${row.state === 'Closed' ? 'closed' : 'open'} already.`)

/** What the caller holds at this moment; told as a decision. */
function heldNow(call: UnitCall, { row, held }: CaseAggregate): CaseAggregate['held'] {
  call.decided({ on: 'case', id: String(row.case_id), held })
  return held
}

/** Whether a change may write policies, personnel or links. */
const touches = ({ given, wanted }: Change<Sharing>): boolean =>
  wanted !== null ||
  [given.AccessPolicies, given.AccessPolicyExpirations, given.PersonnelRelations, given.DepartmentId].some(isSent)
