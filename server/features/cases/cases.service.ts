import type { z } from 'zod'
import { MOST_AT_ONCE } from '../../../shared/cases/case-links.contract.ts'
import type { CreateCaseModel, PatchCaseModel, UpdateCaseModel } from '../../../shared/cases/contract.ts'
import { Fault, fault } from '../../../shared/kernel/errors.ts'
import { type CustomField, misfits } from '../../../shared/templates/custom-fields.ts'
import { includes, type SecurityPolicy } from '../../../shared/kernel/permissions.ts'
import { timeOf } from '../../../shared/kernel/time.ts'
import type { Ledger } from '../../kernel/ledger/ledger.ts'
import type { Versions } from '../../kernel/versions/versions.ts'
import type { Database, Tx } from '../../kernel/database/database.ts'
import { linksOfCase } from '../../kernel/evidence/links.store.ts'
import { type Clock, isoMillis } from '../../platform/clock/clock.ts'
import type { HttpCall } from '../../http/handlers.ts'
import { asSettled, inOrder, keepsManage, principalsNamed, requireLevel, settledPolicies } from './cases.access.ts'
import { type CaseCore, caseObject, forbid, refuseStale } from './cases.core.ts'
import { assignable, departmentOfNewCase, withDepartment, withoutDepartment } from './cases.departments.ts'
import { type Described, describedBy, describedByPatch } from './cases.fields.ts'
import { authorOf, type CaseOut, type HistoryOut } from './cases.models.ts'
import * as rows from './cases.store.ts'
import type { CaseRow, NewCasePolicy } from './cases.store.ts'
import { categoryById, type CategoryRow } from './categories.store.ts'
import { readHistory } from './history.ts'
import { addsBelowManage, isGuest } from '../../kernel/access/guests.ts'
import { type EvidencePlaces, type Links, placesOf, refuseTooMany } from './links.service.ts'

type Created = z.output<typeof CreateCaseModel>
type Updated = z.output<typeof UpdateCaseModel>
type Patched = z.output<typeof PatchCaseModel>
/** Members that grant, assign and link; absent means unchanged. */
type Sharing = Pick<Created, 'AccessPolicies' | 'AccessPolicyExpirations' | 'PersonnelRelations' | 'DepartmentId'>

/** Cases (decisions 3 and 4). Every change makes a version and an entry; each is judged inside its own transaction. */
export interface Cases {
  create(call: HttpCall, tenant: string, given: Created): Promise<CaseOut>
  read(call: HttpCall, tenant: string, id: string, concurrencyId?: string): Promise<CaseOut>
  update(call: HttpCall, tenant: string, id: string, given: Updated): Promise<CaseOut>
  patch(call: HttpCall, tenant: string, id: string, given: Patched): Promise<CaseOut>
  move(call: HttpCall, tenant: string, id: string, to: CaseRow['state']): Promise<CaseOut>
  follow(call: HttpCall, tenant: string, id: string, follows: boolean): Promise<CaseOut>
  history(
    call: HttpCall,
    tenant: string,
    id: string,
    page: { startingConcurrencyId?: string; count: number },
  ): Promise<HistoryOut>
}

interface Deps {
  readonly db: Database
  readonly core: CaseCore
  readonly links: Pick<Links, 'apply' | 'towards'>
  readonly ledger: Ledger
  readonly versions: Versions
  readonly clock: Clock
  /** Those of the template of cases. */
  readonly customFields: (from: Tx, tenant: string) => Promise<readonly CustomField[]>
  readonly isInPolicy: (principalId: string, policy: SecurityPolicy) => Promise<boolean>
  readonly isAdministrator: (principalId: string) => Promise<boolean>
}

const DAY = 86_400_000

export function createCases({
  db,
  core,
  links,
  ledger,
  versions,
  clock,
  customFields,
  isInPolicy,
  isAdministrator,
}: Deps): Cases {
  const { found, live, levelOf, out, changed } = core
  const categoryOf = async (from: Tx, tenant: string, id: number | null): Promise<CategoryRow | null> => {
    if (id === null) return null
    const row = await categoryById(from, tenant, id)
    if (row === undefined)
      throw fault('CategoryNotFound', 'There is no such category.', [{ Path: 'CategoryId', Message: 'names none' }])
    return row
  }
  const checkCategory = async (tx: Tx, tenant: string, id: number | null, before: number | null): Promise<void> => {
    const category = await categoryOf(tx, tenant, id)
    if (category !== null && category.enabled === 0 && id !== before)
      throw fault('CannotAssignCaseToDisabledCategory', `The category "${category.name}" is disabled.`, [
        { Path: 'CategoryId', Message: 'names a disabled category' },
      ])
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

  /** Policies and department, where they are sent and differ: both need Manage (decisions 3 and 4). */
  const grant = async (tx: Tx, call: HttpCall, tenant: string, row: CaseRow, given: Sharing): Promise<void> => {
    const stored = await rows.policiesOfCase(tx, row.case_id)
    const before = stored.map(asSettled)
    const sent = isSent(given.AccessPolicies) || isSent(given.AccessPolicyExpirations)
    let policies: readonly NewCasePolicy[] = sent
      ? await settledPolicies(
          tx,
          tenant,
          given.AccessPolicies ?? stored.map(asSent),
          given.AccessPolicyExpirations ?? [],
          stored,
        )
      : before
    const moves = isSent(given.DepartmentId) && given.DepartmentId !== String(row.department_id)
    const guest = await isGuest(tx, call.principal)
    if (moves) {
      if (guest) forbid('Guests do not change the department of a case.', 'PrincipalCannotManageCase')
      const { department_id: department } = await assignable(tx, tenant, given.DepartmentId as string)
      policies = await withDepartment(tx, withoutDepartment(policies), department)
      requireLevel(await levelOf(tx, call, row), 'Manage')
      if (!(await keepsManage(tx, policies)))
        throw fault(
          'DepartmentChangeCausesLossOfLastAccessPolicyWithFullPermissions',
          'In that department nobody would have Manage on the case. Give it to an enabled person or integration first.',
          [{ Path: 'DepartmentId', Message: 'would leave nobody with Manage' }],
        )
      await rows.updateCase(tx, row.case_id, { department_id: department })
    }
    if (samePolicies(policies, before)) return
    requireLevel(await levelOf(tx, call, row), 'Manage')
    if (guest && !addsBelowManage(before, policies))
      forbid('Guests only give access below Manage, and take none away.', 'PrincipalCannotManageCase')
    if (!(await keepsManage(tx, policies)))
      throw fault(
        'CannotRemoveLastAccessPolicyWithFullPermissions',
        'Nobody would have Manage on the case any more. Give it to an enabled person or integration first.',
      )
    await rows.replacePolicies(tx, row.case_id, policies)
  }

  /** Assigned personnel, where it is sent and differs: needs Manage, and no guest touches it. */
  const assign = async (tx: Tx, call: HttpCall, tenant: string, row: CaseRow, given: Sharing): Promise<void> => {
    if (!isSent(given.PersonnelRelations)) return
    const personnel = await personnelOf(tx, tenant, given.PersonnelRelations)
    const stored = await rows.personnelOfCase(tx, row.case_id)
    const told = (list: readonly { role: string; principalId: number }[]): string =>
      JSON.stringify(list.map(({ principalId, role }) => [principalId, role]))
    if (told(personnel) === told(stored.map((one) => ({ principalId: one.principal_id, role: one.role })))) return
    const caller = await rows.principalOf(tx, tenant, Number(call.principal?.id ?? 0))
    if (caller?.guest === 1)
      throw fault('TenantGuestCannotUpdateAssignedPersonnel', 'Guests do not change the assigned personnel.')
    requireLevel(await levelOf(tx, call, row), 'Manage')
    await rows.replacePersonnel(tx, row.case_id, personnel)
  }

  /** Who moves the times of a case chooses what the station links to it: where it linked something already that takes Manage. */
  const checkTimes = async (tx: Tx, call: HttpCall, row: CaseRow, described: Described): Promise<void> => {
    if (described.occurred_on === row.occurred_on && described.ended_on === row.ended_on) return
    const links = await linksOfCase(tx, row.case_id)
    if (links.some(({ kind }) => kind === 'Automatic')) await core.require(tx, call, row, 'Manage')
  }

  /** The links as they shall be, where they are sent. */
  const relink = async (tx: Tx, call: HttpCall, row: CaseRow, wanted: EvidencePlaces | null): Promise<void> => {
    if (wanted !== null) await links.apply(tx, call, row, await links.towards(tx, row.case_id, wanted))
  }

  /**
   * Refuses too many differences before the writer is taken. The transaction asks all of it again: the answer may have changed by then.
   * @param opened the case, when the caller may change it now
   */
  const refuseEarly = async (wanted: EvidencePlaces | null, opened: (from: Tx) => Promise<CaseRow>): Promise<void> => {
    if (wanted !== null && wanted.size > MOST_AT_ONCE)
      await links.towards(db.read, (await opened(db.read)).case_id, wanted)
  }

  /** For a PUT. */
  const openedToUpdate = (call: HttpCall, tenant: string, id: string, given: Updated) => async (from: Tx) => {
    const row = await live(from, call, tenant, id)
    await core.require(from, call, row, 'Edit')
    refuseStale(row, given.ConcurrencyId)
    refuseClosed(row)
    return row
  }

  /** For a PATCH; a closed case is given back when State alone is sent. */
  const openedToPatch = (call: HttpCall, tenant: string, id: string, given: Patched) => async (from: Tx) => {
    const row = await live(from, call, tenant, id)
    const { State: to, ConcurrencyId: expected, ...members } = given
    await core.require(from, call, row, isSent(to) ? 'Manage' : 'Edit')
    refuseStale(row, expected)
    const alone = Object.values(members).every((member) => !isSent(member))
    if (row.state === 'Closed') {
      if (!alone || !isSent(to)) refuseClosed(row)
      if (to === 'Closed') throw notNow(row)
    }
    return row
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

  /** A change of an open case: what describes it, who may do what, what is in it. */
  const describe = async (
    tx: Tx,
    call: HttpCall,
    tenant: string,
    row: CaseRow,
    described: Described,
    given: Sharing,
    wanted: EvidencePlaces | null,
  ): Promise<void> => {
    await checkCategory(tx, tenant, described.category_id, row.category_id)
    await checkFields(tx, tenant, row.custom_fields, described.custom_fields)
    await checkTimes(tx, call, row, described)
    // Links before policies: judged by the rights that the caller had.
    await relink(tx, call, row, wanted)
    await assign(tx, call, tenant, row, given)
    await grant(tx, call, tenant, row, given)
    await rows.updateCase(tx, row.case_id, described)
  }

  return {
    create: async (call, tenant, given) => {
      const wanted = await wantedIn(given)
      refuseTooMany(wanted?.size ?? 0)
      return db.transaction(async (tx) => {
        const described = describedBy(given)
        await checkCategory(tx, tenant, described.category_id, null)
        await checkFields(tx, tenant, '{}', described.custom_fields)
        const department = await departmentOfNewCase(tx, tenant, given.DepartmentId ?? null)
        const policies = await firstPolicies(tx, call, tenant, given, department)
        const personnel = await personnelOf(tx, tenant, given.PersonnelRelations ?? [])
        const now = timeOf(clock.now())
        const year = new Date(now.text).getUTCFullYear()
        const author = JSON.stringify(authorOf(call.actor))
        const id = await rows.insertCase(tx, {
          tenant_id: tenant,
          ordinal_year: year,
          ordinal_number: await rows.nextOrdinal(tx, tenant, year),
          ...described,
          ...NEW,
          department_id: department,
          created_utc: now.text,
          created_ticks: now.ticks,
          created_by: author,
          modified_utc: now.text,
          modified_by: author,
        })
        await rows.replacePolicies(tx, id, policies)
        await rows.replacePersonnel(tx, id, personnel)
        if (wanted !== null) await relink(tx, call, await found(tx, tenant, String(id)), wanted)
        const row = await core.versioned(tx, call, await found(tx, tenant, String(id)), 'case.created')
        return call.once(tx, await out(tx, call, row))
      })
    },

    read: async (call, tenant, id, concurrencyId) => {
      const row = await live(db.read, call, tenant, id)
      await core.require(db.read, call, row, 'View')
      return concurrencyId === undefined || concurrencyId === row.concurrency_id
        ? out(db.read, call, row)
        : core.outOfVersion(db.read, call, row, concurrencyId)
    },

    update: async (call, tenant, id, given) => {
      const wanted = await wantedIn(given)
      const opened = openedToUpdate(call, tenant, id, given)
      await refuseEarly(wanted, opened)
      return db.transaction(async (tx) => {
        const row = await opened(tx)
        await describe(tx, call, tenant, row, describedBy(given), given, wanted)
        return out(tx, call, await changed(tx, call, row, {}, 'case.changed'))
      })
    },

    patch: async (call, tenant, id, given) => {
      const wanted = await wantedIn(given)
      const opened = openedToPatch(call, tenant, id, given)
      await refuseEarly(wanted, opened)
      return db.transaction(async (tx) => {
        const row = await opened(tx)
        if (row.state === 'Closed') return out(tx, call, await changed(tx, call, row, REOPENED, 'case.reopened'))
        const { State: to, ConcurrencyId: _expected, ...members } = given
        const described = describedByPatch(row, members)
        await describe(tx, call, tenant, row, described, members, wanted)
        const closes = to === 'Closed'
        const set = closes ? await closing(tx, tenant, described.category_id) : {}
        return out(tx, call, await changed(tx, call, row, set, closes ? 'case.closed' : 'case.changed'))
      })
    },

    move: (call, tenant, id, to) =>
      db.transaction(async (tx) => {
        const row = await live(tx, call, tenant, id)
        await core.require(tx, call, row, 'Manage')
        if (row.state === to) throw notNow(row)
        const set = to === 'Closed' ? await closing(tx, tenant, row.category_id) : REOPENED
        const action = to === 'Closed' ? 'case.closed' : 'case.reopened'
        return out(tx, call, await changed(tx, call, row, set, action))
      }),

    follow: (call, tenant, id, follows) =>
      db.transaction(async (tx) => {
        const row = await live(tx, call, tenant, id)
        await core.require(tx, call, row, 'View')
        await rows.setFollowing(tx, row.case_id, Number(call.actor.id), follows)
        await ledger.append(tx, call, {
          action: follows ? 'case.followed' : 'case.unfollowed',
          object: caseObject(row),
        })
        return out(tx, call, row)
      }),

    history: async (call, tenant, id, page) => {
      const row = await live(db.read, call, tenant, id)
      const who = call.principal?.id ?? '0'
      const manages = includes(await levelOf(db.read, call, row), 'Manage')
      const audits = await isInPolicy(who, 'AccessAuditTrail')
      if (!audits || !(manages || (await isAdministrator(who))))
        throw new Fault('Forbidden', 'The history needs Manage on the case and AccessAuditTrail.', {
          reason: 'PrincipalCannotAccessAuditTrail',
        })
      return readHistory(versions, { entity: 'case', id: row.case_id, name: row.title }, page, manages)
    },
  }

  /**
   * Those that are sent, those of the department, and Manage for the creator. @throws Fault CannotCreateCaseWithNoManageAccess where the
   * policies that are sent name the creator below Manage, or nobody whom the last-Manage guard counts would have it.
   */
  async function firstPolicies(
    tx: Tx,
    call: HttpCall,
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

const wantedIn = async ({ EvidenceIds: ids }: Pick<Created, 'EvidenceIds'>): Promise<EvidencePlaces | null> =>
  isSent(ids) ? placesOf(ids) : null

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
