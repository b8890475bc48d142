import type { z } from 'zod'
import type { CreateCaseModel, PatchCaseModel, UpdateCaseModel } from '../../../shared/contract/cases.ts'
import { Fault, fault } from '../../../shared/contract/errors.ts'
import { includes, type SecurityPolicy } from '../../../shared/domain/permissions.ts'
import { timeOf } from '../../../shared/domain/time.ts'
import type { Action } from '../../custody/actions.ts'
import type { Ledger } from '../../custody/ledger.ts'
import type { Versions } from '../../custody/versions.ts'
import type { Database, Tx } from '../../db/database.ts'
import { type Clock, isoMillis } from '../../platform/clock/clock.ts'
import type { HttpCall } from '../handlers.ts'
import { asSettled, keepsManage, levelOnCase, namedPrincipal, requireLevel, settledPolicies } from './cases.access.ts'
import { type Described, describedBy, describedByPatch } from './cases.fields.ts'
import {
  authorOf,
  type CaseOut,
  caseModel,
  caseModelOf,
  type CaseParts,
  type HistoryOut,
  historyModel,
  stateOf,
} from './cases.models.ts'
import * as rows from './cases.repository.ts'
import type { CaseRow, NewCasePolicy } from './cases.repository.ts'
import { categoryById, type CategoryRow } from './categories.repository.ts'

type Created = z.output<typeof CreateCaseModel>
type Updated = z.output<typeof UpdateCaseModel>
type Patched = z.output<typeof PatchCaseModel>
/** Members that grant and assign; absent means unchanged. */
type Sharing = Pick<
  Created,
  'AccessPolicies' | 'AccessPolicyExpirations' | 'PersonnelRelations' | 'DepartmentId' | 'EvidenceIds'
>

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
  readonly ledger: Ledger
  readonly versions: Versions
  readonly clock: Clock
  readonly isInPolicy: (principalId: string, policy: SecurityPolicy) => Promise<boolean>
  readonly isAdministrator: (principalId: string) => Promise<boolean>
}

const DAY = 86_400_000

export function createCases({ db, ledger, versions, clock, isInPolicy, isAdministrator }: Deps): Cases {
  const found = async (from: Tx, tenant: string, id: string): Promise<CaseRow> => {
    const row = await rows.caseById(from, tenant, Number(id))
    // Ids beyond 2⁵³ cannot exist here; a rounded one must not find its neighbour.
    if (row === undefined || String(row.case_id) !== id) throw fault('CaseNotFound', `There is no case ${id}.`)
    return row
  }
  const partsOf = async (from: Tx, row: CaseRow): Promise<CaseParts> => ({
    row,
    policies: await rows.policiesOfCase(from, row.case_id),
    personnel: await rows.personnelOfCase(from, row.case_id),
  })
  const levelOf = (from: Tx, call: HttpCall, row: CaseRow) =>
    levelOnCase(from, row.case_id, call.principal, timeOf(clock.now()).ticks)
  const asking = async (from: Tx, call: HttpCall, row: CaseRow) => ({
    level: await levelOf(from, call, row),
    following: await rows.isFollowing(from, row.case_id, Number(call.principal?.id ?? 0)),
  })
  const out = async (from: Tx, call: HttpCall, row: CaseRow): Promise<CaseOut> =>
    caseModel(await partsOf(from, row), await asking(from, call, row))
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
  /** The rows as they stand become a version and an entry. */
  const versioned = async (tx: Tx, call: HttpCall, row: CaseRow, action: Action): Promise<CaseRow> => {
    const concurrencyId = await versions.add(tx, {
      entity: 'case',
      entityId: row.case_id,
      state: stateOf(await partsOf(tx, row)),
      action,
      author: call.actor,
      dateUtc: row.modified_utc,
    })
    await rows.updateCase(tx, row.case_id, { concurrency_id: concurrencyId })
    await ledger.append(tx, call, { action, object: objectOf(row), detail: { concurrencyId } })
    return { ...row, concurrency_id: concurrencyId }
  }
  const changed = async (
    tx: Tx,
    call: HttpCall,
    tenant: string,
    row: CaseRow,
    set: Partial<CaseRow>,
    action: Action,
  ) => {
    await rows.updateCase(tx, row.case_id, {
      ...set,
      modified_utc: isoMillis(clock.now()),
      modified_by: JSON.stringify(authorOf(call.actor)),
    })
    return versioned(tx, call, await found(tx, tenant, String(row.case_id)), action)
  }
  const personnelOf = async (tx: Tx, tenant: string, given: NonNullable<Created['PersonnelRelations']>) => {
    const personnel: { principalId: number; role: string }[] = []
    for (const [at, one] of given.entries()) {
      const { principal_id: principalId } = await namedPrincipal(
        tx,
        tenant,
        { PrincipalId: one.PrincipalId, KId: one.KId ?? null, PrincipalType: 'user' },
        `PersonnelRelations[${at}]`,
      )
      personnel.push({ principalId, role: one.Role ?? 'Assigned' })
    }
    return personnel
  }

  /** Policies and personnel, where they are sent and differ: both need Manage (decisions 3). @returns whether anything changed */
  const share = async (tx: Tx, call: HttpCall, tenant: string, row: CaseRow, given: Sharing): Promise<boolean> => {
    refuseWhatIsNotThere(given)
    let changes = false
    const before = await rows.policiesOfCase(tx, row.case_id)
    if (isSent(given.AccessPolicies) || isSent(given.AccessPolicyExpirations)) {
      const sent = given.AccessPolicies ?? before.map(asSent)
      const settled = await settledPolicies(tx, tenant, sent, given.AccessPolicyExpirations ?? [], before)
      if (!samePolicies(settled, before.map(asSettled))) {
        requireLevel(await levelOf(tx, call, row), 'Manage')
        if (!(await keepsManage(tx, settled)))
          throw fault(
            'CannotRemoveLastAccessPolicyWithFullPermissions',
            'Nobody would have Manage on the case any more. Give it to an enabled person or integration first.',
          )
        await rows.replacePolicies(tx, row.case_id, settled)
        changes = true
      }
    }
    if (isSent(given.PersonnelRelations)) {
      const personnel = await personnelOf(tx, tenant, given.PersonnelRelations)
      const stored = await rows.personnelOfCase(tx, row.case_id)
      const told = (list: readonly { role: string; principalId: number }[]): string =>
        JSON.stringify(list.map(({ principalId, role }) => [principalId, role]))
      if (told(personnel) !== told(stored.map((one) => ({ principalId: one.principal_id, role: one.role })))) {
        const caller = await rows.principalOf(tx, tenant, Number(call.principal?.id ?? 0))
        if (caller?.guest === 1)
          throw fault('TenantGuestCannotUpdateAssignedPersonnel', 'Guests do not change the assigned personnel.')
        requireLevel(await levelOf(tx, call, row), 'Manage')
        await rows.replacePersonnel(tx, row.case_id, personnel)
        changes = true
      }
    }
    return changes
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

  /** A change of what describes an open case. */
  const describe = async (
    tx: Tx,
    call: HttpCall,
    tenant: string,
    row: CaseRow,
    described: Described,
    given: Sharing,
  ): Promise<void> => {
    await checkCategory(tx, tenant, described.category_id, row.category_id)
    await share(tx, call, tenant, row, given)
    await rows.updateCase(tx, row.case_id, described)
  }

  return {
    create: (call, tenant, given) =>
      db.transaction(async (tx) => {
        refuseWhatIsNotThere(given)
        const described = describedBy(given)
        await checkCategory(tx, tenant, described.category_id, null)
        const policies = await firstPolicies(tx, call, tenant, given)
        const personnel = await personnelOf(tx, tenant, given.PersonnelRelations ?? [])
        const now = timeOf(clock.now())
        const year = new Date(now.text).getUTCFullYear()
        const author = JSON.stringify(authorOf(call.actor))
        const id = await rows.insertCase(tx, {
          tenant_id: tenant,
          ordinal_year: year,
          ordinal_number: await rows.nextOrdinal(tx, tenant, year),
          ...described,
          department_id: null,
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
          created_utc: now.text,
          created_ticks: now.ticks,
          created_by: author,
          modified_utc: now.text,
          modified_by: author,
        })
        await rows.replacePolicies(tx, id, policies)
        await rows.replacePersonnel(tx, id, personnel)
        const row = await versioned(tx, call, await found(tx, tenant, String(id)), 'case.created')
        return call.once(tx, await out(tx, call, row))
      }),

    read: async (call, tenant, id, concurrencyId) => {
      const row = await found(db.read, tenant, id)
      const asked = await asking(db.read, call, row)
      requireLevel(asked.level, 'View')
      if (concurrencyId === undefined || concurrencyId === row.concurrency_id)
        return caseModel(await partsOf(db.read, row), asked)
      const version = await versions.find('case', row.case_id, concurrencyId)
      if (version === null) throw fault('InvalidConcurrencyId', 'concurrencyId names no version of this case.')
      return caseModelOf(version, asked)
    },

    update: (call, tenant, id, given) =>
      db.transaction(async (tx) => {
        const row = await found(tx, tenant, id)
        requireLevel(await levelOf(tx, call, row), 'Edit')
        refuseStale(row, given.ConcurrencyId)
        refuseClosed(row)
        await describe(tx, call, tenant, row, describedBy(given), given)
        return out(tx, call, await changed(tx, call, tenant, row, {}, 'case.changed'))
      }),

    patch: (call, tenant, id, given) =>
      db.transaction(async (tx) => {
        const row = await found(tx, tenant, id)
        const { State: to, ConcurrencyId: expected, ...members } = given
        requireLevel(await levelOf(tx, call, row), to === null || to === undefined ? 'Edit' : 'Manage')
        if (expected !== null && expected !== undefined) refuseStale(row, expected)
        const alone = Object.values(members).every((member) => member === null || member === undefined)
        if (row.state === 'Closed') {
          if (!alone || to === null || to === undefined) refuseClosed(row)
          if (to === 'Closed') throw notNow(row)
          return out(tx, call, await changed(tx, call, tenant, row, REOPENED, 'case.reopened'))
        }
        const described = describedByPatch(row, members)
        await describe(tx, call, tenant, row, described, members)
        const closes = to === 'Closed'
        const set = closes ? await closing(tx, tenant, described.category_id) : {}
        return out(tx, call, await changed(tx, call, tenant, row, set, closes ? 'case.closed' : 'case.changed'))
      }),

    move: (call, tenant, id, to) =>
      db.transaction(async (tx) => {
        const row = await found(tx, tenant, id)
        requireLevel(await levelOf(tx, call, row), 'Manage')
        if (row.state === to) throw notNow(row)
        const set = to === 'Closed' ? await closing(tx, tenant, row.category_id) : REOPENED
        return out(
          tx,
          call,
          await changed(tx, call, tenant, row, set, to === 'Closed' ? 'case.closed' : 'case.reopened'),
        )
      }),

    follow: (call, tenant, id, follows) =>
      db.transaction(async (tx) => {
        const row = await found(tx, tenant, id)
        requireLevel(await levelOf(tx, call, row), 'View')
        await rows.setFollowing(tx, row.case_id, Number(call.actor.id), follows)
        await ledger.append(tx, call, { action: follows ? 'case.followed' : 'case.unfollowed', object: objectOf(row) })
        return out(tx, call, row)
      }),

    history: async (call, tenant, id, { startingConcurrencyId, count }) => {
      const row = await found(db.read, tenant, id)
      const who = call.principal?.id ?? '0'
      const manages = includes(await levelOf(db.read, call, row), 'Manage')
      const audits = await isInPolicy(who, 'AccessAuditTrail')
      if (!audits || !(manages || (await isAdministrator(who))))
        throw new Fault('Forbidden', 'The history needs Manage on the case and AccessAuditTrail.', {
          reason: 'PrincipalCannotAccessAuditTrail',
        })
      const page = await versions.history('case', row.case_id, {
        count: count + 1,
        ...(startingConcurrencyId === undefined ? {} : { startingConcurrencyId }),
      })
      if (page === null) throw fault('InvalidConcurrencyId', 'startingConcurrencyId names no version of this case.')
      return historyModel(row.title, page, count, manages)
    },
  }

  /**
   * Those that are sent, and Manage for the creator. @throws Fault CannotCreateCaseWithNoManageAccess where the policies name the creator
   * below Manage, or nobody whom the last-Manage guard counts would have it.
   */
  async function firstPolicies(tx: Tx, call: HttpCall, tenant: string, given: Created): Promise<NewCasePolicy[]> {
    const policies = await settledPolicies(
      tx,
      tenant,
      given.AccessPolicies ?? [],
      given.AccessPolicyExpirations ?? [],
      [],
    )
    const creator = Number(call.actor.id)
    const own = policies.find(({ principalId }) => principalId === creator)
    const whole =
      own === undefined ? [...policies, { principalId: creator, level: 'Manage' as const, expires: null }] : policies
    if ((own !== undefined && own.level !== 'Manage') || !(await keepsManage(tx, whole)))
      throw fault('CannotCreateCaseWithNoManageAccess', 'Whoever makes a case needs Manage on it.', [
        { Path: 'AccessPolicies', Message: 'leave the case without anybody who has Manage' },
      ])
    return whole
  }
}

const objectOf = (row: CaseRow) => ({ type: 'case', id: String(row.case_id), name: row.title })
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

function refuseStale(row: CaseRow, concurrencyId: string): void {
  if (row.concurrency_id !== concurrencyId)
    throw fault('CaseNotUpToDate', 'Somebody changed this case since you read it. Read it again.', [
      { Path: 'ConcurrencyId', Message: 'is not the current one' },
    ])
}

function refuseClosed(row: CaseRow): void {
  if (row.state === 'Closed') throw fault('CannotUpdateClosedCase', 'The case is closed. Reopen it to change it.')
}

const notNow = (row: CaseRow): Fault =>
  fault('CaseNotInNormalState', `The case is ${row.state === 'Closed' ? 'closed' : 'open'} already.`)

/** Departments and links to evidence come later: until then no id names one. */
function refuseWhatIsNotThere(given: Sharing): void {
  if (isSent(given.DepartmentId))
    throw fault('DepartmentNotFound', 'There is no such department.', [{ Path: 'DepartmentId', Message: 'names none' }])
  if ((given.EvidenceIds ?? []).length > 0)
    throw fault('InvalidModel', 'This version links no evidence to cases yet.', [
      { Path: 'EvidenceIds', Message: 'must be empty: this version links no evidence to cases yet' },
    ])
}
