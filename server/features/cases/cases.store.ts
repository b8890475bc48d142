import { type Insertable, type Selectable, sql, type Updateable } from 'kysely'
import type { EVIDENCE_STATUSES } from '../../../shared/evidence/list.contract.ts'
import type { GrantedLevel } from '../../../shared/kernel/permissions.ts'
import type { Tx } from '../../kernel/database/database.ts'
import { listOf, membersOf } from '../../kernel/database/expressions.ts'
import { insertForRow, insertInto, statement, updateByKey } from '../../kernel/database/kysely.ts'
import type { VersionPosition } from '../../kernel/versions/versions.store.ts'
import type { CasesTable } from '../../kernel/database/tables-cases.ts'
import type { CaseRow } from '../../kernel/cases/cases.store.ts'
import type { EvidenceTable } from '../../kernel/database/tables.ts'
import { findByPlace } from '../../kernel/evidence/search-index.store.ts'

export type { CaseRow } from '../../kernel/cases/cases.store.ts'

export interface CasePolicyRow {
  readonly principal_id: number
  readonly level: GrantedLevel
  readonly expires_utc: string | null
  readonly expires_ticks: bigint | null
  /** 1 while the policy is an unchanged copy from the case's department. */
  readonly from_department: number
  readonly name: string
  readonly k_id: string
  readonly kind: string
}

export interface PersonnelRow {
  readonly principal_id: number
  readonly role: string
  readonly name: string
  readonly k_id: string
  readonly first_name: string
  readonly last_name: string
}

const selectCase = statement((from, params: { tenant: string; id: number }) =>
  from.selectFrom('cases').selectAll().where('tenant_id', '=', params.tenant).where('case_id', '=', params.id),
)

export const caseById = async (from: Tx, tenant: string, id: number): Promise<CaseRow | undefined> =>
  (await selectCase(from, { tenant, id }))[0]

/** Shown with a case: the current names of its category and department, and whether the caller follows it. */
export interface CaseSurroundings {
  readonly category_name: string | null
  readonly department_name: string | null
  readonly following: number
}

const selectSurroundings = statement((from, params: { id: number; principal: number }) =>
  from
    .selectFrom('cases as c')
    .leftJoin('categories as k', 'k.category_id', 'c.category_id')
    .leftJoin('departments as d', 'd.department_id', 'c.department_id')
    .leftJoin('case_followers as f', (on) =>
      on.onRef('f.case_id', '=', 'c.case_id').on('f.principal_id', '=', params.principal),
    )
    .select(['k.name as category_name', 'd.name as department_name'])
    .select((e) => e.fn.count<number>('f.principal_id').as('following'))
    .where('c.case_id', '=', params.id)
    .groupBy(['k.name', 'd.name']),
)

const selectCaseSeen = statement((from, params: { tenant: string; id: number; principal: number }) =>
  from
    .selectFrom('cases as c')
    .leftJoin('categories as k', 'k.category_id', 'c.category_id')
    .leftJoin('departments as d', 'd.department_id', 'c.department_id')
    .leftJoin('case_followers as f', (on) =>
      on.onRef('f.case_id', '=', 'c.case_id').on('f.principal_id', '=', params.principal),
    )
    .selectAll('c')
    .select(['k.name as category_name', 'd.name as department_name', 'f.principal_id as follower'])
    .where('c.tenant_id', '=', params.tenant)
    .where('c.case_id', '=', params.id),
)

/** A case, and its surroundings as the principal sees them. */
export async function caseSeenBy(
  from: Tx,
  tenant: string,
  id: number,
  principalId: number,
): Promise<{ readonly row: CaseRow; readonly around: CaseSurroundings } | undefined> {
  const [found] = await selectCaseSeen(from, { tenant, id, principal: principalId })
  if (found === undefined) return undefined
  const { category_name, department_name, follower, ...row } = found
  return { row, around: { category_name, department_name, following: follower === null ? 0 : 1 } }
}

export async function surroundingsOf(from: Tx, caseId: number, principalId: number): Promise<CaseSurroundings> {
  const [row] = await selectSurroundings(from, { id: caseId, principal: principalId })
  if (row === undefined) throw new Error(`Case ${caseId} has no row`)
  return row
}

const insertingCase = insertForRow('cases')
const updatingCase = updateByKey('cases', 'case_id')
/** @returns the row as it is stored */
export async function insertCase(tx: Tx, row: Insertable<CasesTable>): Promise<CaseRow> {
  const inserted = await insertingCase(tx, { ...row })
  if (row.location_wkt) await findByPlace(tx, 'case', inserted.case_id, row.location_wkt)
  return inserted
}

export async function updateCase(tx: Tx, id: number, set: Updateable<CasesTable>): Promise<void> {
  await updatingCase(tx, id, { ...set })
  if (set.location_wkt) await findByPlace(tx, 'case', id, set.location_wkt)
}

/** The next number of a tenant's year, from 1. There is one write transaction at a time, so the number cannot be taken twice. */
export async function nextOrdinal(tx: Tx, tenant: string, year: number): Promise<number> {
  const [row] = await selectLastOrdinal(tx, { tenant, year })
  return Number(row?.last ?? 0) + 1
}

const selectLastOrdinal = statement((tx, params: { tenant: string; year: number }) =>
  tx
    .selectFrom('cases')
    .select((e) => e.fn.max('ordinal_number').as('last'))
    .where('tenant_id', '=', params.tenant)
    .where('ordinal_year', '=', params.year),
)

const selectPolicies = statement((from, params: { id: number }) =>
  from
    .selectFrom('case_policies as p')
    .innerJoin('principals as who', 'who.principal_id', 'p.principal_id')
    .select(['p.principal_id', 'p.level', 'p.expires_utc', 'p.expires_ticks', 'p.from_department'])
    .select(['who.name', 'who.k_id', 'who.kind'])
    .where('p.case_id', '=', params.id)
    .orderBy('p.principal_id'),
)

export const policiesOfCase = (from: Tx, caseId: number): Promise<CasePolicyRow[]> =>
  selectPolicies(from, { id: caseId })

export interface NewCasePolicy {
  readonly principalId: number
  readonly level: GrantedLevel
  readonly expires: { readonly text: string; readonly ticks: bigint } | null
  readonly fromDepartment: boolean
}

/** The cases among these on which the principal has a Manage policy of its own. */
export async function managedBy(from: Tx, principalId: number, caseIds: readonly number[]): Promise<Set<number>> {
  if (caseIds.length === 0) return new Set()
  const rows = await from
    .selectFrom('case_policies')
    .select('case_id')
    .where('principal_id', '=', principalId)
    .where('level', '=', 'Manage')
    .where('case_id', 'in', caseIds)
    .execute()
  return new Set(rows.map((row) => row.case_id))
}

const deletingPolicies = statement((tx, params: { id: number }) =>
  tx.deleteFrom('case_policies').where('case_id', '=', params.id),
)
const insertingPolicies = insertInto('case_policies')

export async function replacePolicies(tx: Tx, caseId: number, policies: readonly NewCasePolicy[]): Promise<void> {
  await deletingPolicies(tx, { id: caseId })
  await insertPolicies(tx, caseId, policies)
}

/** For principals that have no policy on the case yet. */
export async function insertPolicies(tx: Tx, caseId: number, policies: readonly NewCasePolicy[]): Promise<void> {
  for (const batch of inBatches(policies))
    await insertingPolicies(
      tx,
      batch.map(({ principalId, level, expires, fromDepartment }) => ({
        case_id: caseId,
        principal_id: principalId,
        level,
        expires_utc: expires?.text ?? null,
        expires_ticks: expires?.ticks ?? null,
        from_department: fromDepartment ? 1 : 0,
      })),
    )
}

/** Rows that one statement inserts. With ten columns this stays far below SQLite's limit of values. */
const ROWS_AT_ONCE = 1_000

function* inBatches<T>(rows: readonly T[]): Generator<readonly T[]> {
  for (let at = 0; at < rows.length; at += ROWS_AT_ONCE) yield rows.slice(at, at + ROWS_AT_ONCE)
}

const selectPersonnel = statement((from, params: { id: number }) =>
  from
    .selectFrom('case_personnel as p')
    .innerJoin('principals as who', 'who.principal_id', 'p.principal_id')
    .select(['p.principal_id', 'p.role', 'who.name', 'who.k_id', 'who.first_name', 'who.last_name'])
    .where('p.case_id', '=', params.id)
    .orderBy('p.position'),
)

export const personnelOfCase = (from: Tx, caseId: number): Promise<PersonnelRow[]> =>
  selectPersonnel(from, { id: caseId })

const insertingPersonnel = insertInto('case_personnel')

interface NewPersonnel {
  readonly principalId: number
  readonly role: string
}

export async function replacePersonnel(tx: Tx, caseId: number, personnel: readonly NewPersonnel[]): Promise<void> {
  await tx.deleteFrom('case_personnel').where('case_id', '=', caseId).execute()
  await insertPersonnel(tx, caseId, personnel)
}

/** For a case without personnel. */
export async function insertPersonnel(tx: Tx, caseId: number, personnel: readonly NewPersonnel[]): Promise<void> {
  const rows = personnel.map(({ principalId, role }, position) => ({
    case_id: caseId,
    position,
    principal_id: principalId,
    role,
  }))
  for (const batch of inBatches(rows)) await insertingPersonnel(tx, batch)
}

const EVIDENCE_COLUMNS = [
  'e.evidence_id',
  'e.tenant_id',
  'e.name',
  'e.thumbnail_resource_id',
  'e.start_utc',
  'e.end_utc',
  'e.state',
  'e.lifecycle_state',
  'e.device',
  sql<
    (typeof EVIDENCE_STATUSES)[number] | null
  >`(SELECT l.status FROM evidence_list l WHERE l.evidence_id = e.evidence_id)`.as('status'),
  sql<number | null>`(SELECT l.type FROM evidence_list l WHERE l.evidence_id = e.evidence_id)`.as('type'),
] as const

export type CaseEvidenceRow = Pick<
  Selectable<EvidenceTable>,
  | 'evidence_id'
  | 'tenant_id'
  | 'name'
  | 'thumbnail_resource_id'
  | 'start_utc'
  | 'end_utc'
  | 'state'
  | 'lifecycle_state'
  | 'device'
> & { readonly status: (typeof EVIDENCE_STATUSES)[number] | null; readonly type: number | null }

export const evidencesOfCase = (from: Tx, caseId: number): Promise<CaseEvidenceRow[]> =>
  from
    .selectFrom('evidence as e')
    .select(EVIDENCE_COLUMNS)
    .where('e.evidence_id', 'in', (e) =>
      e.selectFrom('case_links as l').select('l.evidence_id').where('l.case_id', '=', caseId),
    )
    // The links to destroyed evidence stay, but there is nothing to show of it.
    .where('e.lifecycle_state', '<>', 'Destroyed')
    .orderBy('e.evidence_id')
    .execute()

const selectBeforeNextVersion = statement((from, given: { id: number }) =>
  from
    .selectFrom('cases as c')
    .leftJoin('versions as v', (join) =>
      join
        .on('v.entity', '=', 'case')
        .onRef('v.entity_id', '=', 'c.case_id')
        .on('v.number', '=', (e) =>
          e
            .selectFrom('versions')
            .select((f) => f.fn.max('number').as('newest'))
            .where('entity', '=', 'case')
            .where('entity_id', '=', given.id),
        ),
    )
    .leftJoin('case_link_changes as l', (join) =>
      join.onRef('l.case_id', '=', 'c.case_id').on('l.number', '>', (e) => e.fn.coalesce('v.number', sql<number>`0`)),
    )
    .select(['v.number', 'v.concurrency_id', 'l.evidence_id', 'l.change'])
    .where('c.case_id', '=', given.id)
    .orderBy('l.evidence_id'),
)

export interface BeforeNextVersion {
  /** The newest version; null when the case has none yet. */
  readonly parent: VersionPosition | null
  /** Evidence that came into the case (1) or left it (-1) since then. */
  readonly linkChanges: readonly { readonly evidence_id: number; readonly change: number }[]
}

/** What the next version of a case follows from. */
export async function beforeNextVersion(tx: Tx, caseId: number): Promise<BeforeNextVersion> {
  const found = await selectBeforeNextVersion(tx, { id: caseId })
  const { number = null, concurrency_id: concurrencyId = null } = found[0] ?? {}
  return {
    parent: number === null || concurrencyId === null ? null : { number, concurrency_id: concurrencyId },
    linkChanges: found.flatMap(({ evidence_id, change }) =>
      evidence_id === null || change === null ? [] : [{ evidence_id, change }],
    ),
  }
}

/** The evidence that a version of the case had, in order. */
export async function evidenceIdsAt(from: Tx, caseId: number, number: number): Promise<number[]> {
  const rows = await from
    .selectFrom('case_link_changes')
    .select('evidence_id')
    .where('case_id', '=', caseId)
    .where('number', '<=', number)
    .groupBy('evidence_id')
    .having((e) => e.fn.sum<number>('change'), '=', 1)
    .orderBy('evidence_id')
    .execute()
  return rows.map((row) => row.evidence_id)
}

/** The current names of category and department; null for an id that does not exist. */
export async function namesOfCase(
  from: Tx,
  categoryId: number | null,
  departmentId: number | null,
): Promise<{ readonly category: string | null; readonly department: string | null }> {
  const named = await Promise.all([
    categoryId === null
      ? undefined
      : from.selectFrom('categories').select('name').where('category_id', '=', categoryId).executeTakeFirst(),
    departmentId === null
      ? undefined
      : from.selectFrom('departments').select('name').where('department_id', '=', departmentId).executeTakeFirst(),
  ])
  return { category: named[0]?.name ?? null, department: named[1]?.name ?? null }
}

/** Values in one statement; SQLite's limit is 32,766. */
export const AT_ONCE = 10_000

export async function evidencesById(from: Tx, ids: readonly number[]): Promise<CaseEvidenceRow[]> {
  const found: CaseEvidenceRow[] = []
  for (let at = 0; at < ids.length; at += AT_ONCE)
    found.push(
      ...(await from
        .selectFrom('evidence as e')
        .select(EVIDENCE_COLUMNS)
        .where('e.evidence_id', 'in', ids.slice(at, at + AT_ONCE))
        .where('e.lifecycle_state', '<>', 'Destroyed')
        .orderBy('e.evidence_id')
        .execute()),
    )
  return found
}

export interface KnownPrincipal {
  readonly principal_id: number
  readonly kind: string
  readonly k_id: string
  readonly guest: number
}

/** At most a few thousand ids. */
export const principalsById = (from: Tx, tenant: string, ids: readonly number[]): Promise<KnownPrincipal[]> =>
  ids.length === 0
    ? Promise.resolve([])
    : from
        .selectFrom('principals')
        .select(['principal_id', 'kind', 'k_id', 'guest'])
        .where('tenant_id', '=', tenant)
        .where('principal_id', 'in', ids)
        .execute()

const selectEligible = statement((from, params: { ids: string }) => {
  const members = from.selectFrom('memberships').select('member_id').where('group_id', 'in', membersOf(params.ids))
  return from
    .selectFrom('principals')
    .select('principal_id')
    .where('kind', 'in', ['user', 'service'])
    .where('enabled', '=', 1)
    .where('guest', '=', 0)
    .where((e) => e.or([e('principal_id', 'in', membersOf(params.ids)), e('principal_id', 'in', members)]))
    .limit(1)
})

/** Whether these include an enabled user or service that is not a guest, directly or as a member of a group (decisions 3, the last-Manage guard). */
export const hasEligibleManager = async (from: Tx, principalIds: readonly number[]): Promise<boolean> =>
  (await selectEligible(from, { ids: listOf(principalIds) })).length > 0

export async function isFollowing(from: Tx, caseId: number, principalId: number): Promise<boolean> {
  const row = await from
    .selectFrom('case_followers')
    .select('case_id')
    .where('case_id', '=', caseId)
    .where('principal_id', '=', principalId)
    .executeTakeFirst()
  return row !== undefined
}

export async function setFollowing(tx: Tx, caseId: number, principalId: number, follows: boolean): Promise<void> {
  if (follows)
    await tx
      .insertInto('case_followers')
      .values({ case_id: caseId, principal_id: principalId })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
  else
    await tx
      .deleteFrom('case_followers')
      .where('case_id', '=', caseId)
      .where('principal_id', '=', principalId)
      .execute()
}

export const protectionsEnded = (from: Tx, nowTicks: bigint): Promise<{ case_id: number }[]> =>
  from.selectFrom('cases').select('case_id').where('protected_ticks', '<=', nowTicks).execute()

/** For acts of the station itself. */
export const caseByIdOfAnyTenant = (from: Tx, id: number): Promise<CaseRow> =>
  from.selectFrom('cases').selectAll().where('case_id', '=', id).executeTakeFirstOrThrow()

/** The group Account Administrators, which every tenant has. */
export async function administrators(from: Tx, tenant: string): Promise<number> {
  const row = await from
    .selectFrom('principals')
    .select('principal_id')
    .where('tenant_id', '=', tenant)
    .where('kind', '=', 'group')
    .where('built_in', '=', 1)
    .executeTakeFirstOrThrow()
  return row.principal_id
}
