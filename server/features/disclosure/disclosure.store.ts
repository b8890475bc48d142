/** Rows of disclosures, of numbers on schedules, and what the case has now. */
import { type Insertable, type Selectable, sql } from 'kysely'
import type { Series } from '../../../shared/disclosure/kinds.ts'
import type { Tx } from '../../kernel/database/database.ts'
import { listOf, membersOf } from '../../kernel/database/expressions.ts'
import type * as tables from '../../kernel/database/tables-disclosure.ts'
import type { CaseRow } from '../../kernel/cases/cases.store.ts'
import type { PackagesTable } from '../../kernel/database/tables-packages.ts'
import type { ResourceRow } from '../../kernel/evidence/records.store.ts'

export type DisclosureRow = Selectable<tables.DisclosuresTable>
export type ItemRow = tables.DisclosureItemsTable
export type WithheldRow = tables.DisclosureWithheldTable
export type AcknowledgementRow = tables.DisclosureAcknowledgementsTable

/** SQLite takes so many values in one statement. */
const ROWS_AT_ONCE = 500

const among = (ids: Iterable<number>) => sql<number>`${membersOf(listOf(ids))}`

export const disclosuresOf = (from: Tx, caseId: number): Promise<DisclosureRow[]> =>
  from.selectFrom('disclosures').selectAll().where('case_id', '=', caseId).orderBy('no').execute()

/** Cases that have disclosures, the newest first. */
export async function casesWithDisclosures(from: Tx, tenant: string, most: number): Promise<CaseRow[]> {
  return from
    .selectFrom('cases')
    .selectAll()
    .where('tenant_id', '=', tenant)
    .where('lifecycle_state', '<>', 'Deleted')
    .where('case_id', 'in', (query) => query.selectFrom('disclosures').select('case_id'))
    .orderBy('case_id', 'desc')
    .limit(most)
    .execute()
}

/** People who have a notice that a supplement of this case is due, made after this time. */
export async function peopleTold(from: Tx, caseId: number, sinceUtc: string): Promise<Set<string>> {
  const found = await from
    .selectFrom('notices')
    .select('principal_id')
    .where('kind', '=', 'disclosure.due')
    .where('object_type', '=', 'case')
    .where('object_id', '=', String(caseId))
    .where('created_utc', '>', sinceUtc)
    .execute()
  return new Set(found.map((row) => String(row.principal_id)))
}

/** Cases with disclosures that this change is about: the case itself, or those that have the evidence or ever gave it. */
export function casesThatDisclosed(
  from: Tx,
  about: { readonly caseId: number } | { readonly evidenceId: number } | { readonly resourceId: number },
): Promise<CaseRow[]> {
  const cases = from
    .selectFrom('cases')
    .selectAll()
    .where('lifecycle_state', '<>', 'Deleted')
    .where('case_id', 'in', (query) => query.selectFrom('disclosures').select('case_id'))
  if ('caseId' in about) return cases.where('case_id', '=', about.caseId).execute()
  const evidence =
    'evidenceId' in about
      ? sql<number>`(${about.evidenceId})`
      : sql<number>`(SELECT evidence_id FROM resources WHERE resource_id = ${about.resourceId})`
  return cases
    .where((e) =>
      e.or([
        e('case_id', 'in', e.selectFrom('case_links').select('case_id').where('evidence_id', 'in', evidence)),
        e(
          'case_id',
          'in',
          e
            .selectFrom('disclosure_items as i')
            .innerJoin('disclosures as d', 'd.disclosure_id', 'i.disclosure_id')
            .select('d.case_id')
            .where('i.evidence_id', 'in', evidence),
        ),
      ]),
    )
    .execute()
}

export const itemsOf = (from: Tx, ids: readonly number[]): Promise<ItemRow[]> =>
  from
    .selectFrom('disclosure_items')
    .selectAll()
    .where('disclosure_id', 'in', among(ids))
    .orderBy('disclosure_id')
    .orderBy('number')
    .orderBy('resource_id')
    .execute()

export const withheldOf = (from: Tx, ids: readonly number[]): Promise<WithheldRow[]> =>
  from
    .selectFrom('disclosure_withheld')
    .selectAll()
    .where('disclosure_id', 'in', among(ids))
    .orderBy('disclosure_id')
    .orderBy('basis')
    .orderBy('number')
    .execute()

export const othersOf = (from: Tx, ids: readonly number[]): Promise<tables.DisclosureOthersTable[]> =>
  from.selectFrom('disclosure_others').selectAll().where('disclosure_id', 'in', among(ids)).execute()

export const groundsEndedOf = (from: Tx, ids: readonly number[]): Promise<tables.DisclosureGroundsEndedTable[]> =>
  from.selectFrom('disclosure_grounds_ended').selectAll().where('disclosure_id', 'in', among(ids)).execute()

export async function insertGroundEnded(tx: Tx, row: tables.DisclosureGroundsEndedTable): Promise<void> {
  await tx.insertInto('disclosure_grounds_ended').values(row).execute()
}

export const acknowledgementsOf = (from: Tx, ids: readonly number[]): Promise<AcknowledgementRow[]> =>
  from.selectFrom('disclosure_acknowledgements').selectAll().where('disclosure_id', 'in', among(ids)).execute()

export async function insertDisclosure(tx: Tx, row: Insertable<tables.DisclosuresTable>): Promise<number> {
  const { disclosure_id: id } = await tx
    .insertInto('disclosures')
    .values(row)
    .returning('disclosure_id')
    .executeTakeFirstOrThrow()
  return id
}

export async function insertItems(tx: Tx, rows: readonly ItemRow[]): Promise<void> {
  for (let at = 0; at < rows.length; at += ROWS_AT_ONCE)
    await tx
      .insertInto('disclosure_items')
      .values(rows.slice(at, at + ROWS_AT_ONCE))
      .execute()
}

export async function insertWithheld(tx: Tx, rows: readonly WithheldRow[]): Promise<void> {
  for (let at = 0; at < rows.length; at += ROWS_AT_ONCE)
    await tx
      .insertInto('disclosure_withheld')
      .values(rows.slice(at, at + ROWS_AT_ONCE))
      .execute()
}

export async function insertOthers(tx: Tx, id: number, evidenceIds: readonly number[]): Promise<void> {
  const rows = evidenceIds.map((evidence_id) => ({ disclosure_id: id, evidence_id }))
  for (let at = 0; at < rows.length; at += ROWS_AT_ONCE)
    await tx
      .insertInto('disclosure_others')
      .values(rows.slice(at, at + ROWS_AT_ONCE))
      .execute()
}

export async function insertAcknowledgement(tx: Tx, row: AcknowledgementRow): Promise<void> {
  await tx.insertInto('disclosure_acknowledgements').values(row).execute()
}

/** The numbers that these have on the schedule of the series, and the highest one of it. */
export async function numbersOf(
  from: Tx,
  caseId: number,
  series: Series,
): Promise<{ readonly known: Map<string, number>; readonly last: number }> {
  const rows = await from
    .selectFrom('schedule_numbers')
    .select(['subject', 'number'])
    .where('case_id', '=', caseId)
    .where('series', '=', series)
    .execute()
  return {
    known: new Map(rows.map(({ subject, number }) => [subject, number])),
    last: rows.reduce((most, { number }) => Math.max(most, number), 0),
  }
}

export async function insertNumbers(tx: Tx, rows: readonly tables.ScheduleNumbersTable[]): Promise<void> {
  for (let at = 0; at < rows.length; at += ROWS_AT_ONCE)
    await tx
      .insertInto('schedule_numbers')
      .values(rows.slice(at, at + ROWS_AT_ONCE))
      .execute()
}

export interface EvidenceNow {
  readonly evidence_id: number
  readonly tenant_id: string
  readonly name: string
  readonly lifecycle_state: string
}

/** Evidence of the case, deleted ones too. */
export async function evidenceOfCase(from: Tx, caseId: number): Promise<EvidenceNow[]> {
  return from
    .selectFrom('evidence')
    .select(['evidence_id', 'tenant_id', 'name', 'lifecycle_state'])
    .where('evidence_id', 'in', (query) =>
      query.selectFrom('case_links').select('evidence_id').where('case_id', '=', caseId),
    )
    .orderBy('evidence_id')
    .execute()
}

export const evidenceByIds = (from: Tx, ids: Iterable<number>): Promise<EvidenceNow[]> =>
  from
    .selectFrom('evidence')
    .select(['evidence_id', 'tenant_id', 'name', 'lifecycle_state'])
    .where('evidence_id', 'in', among(ids))
    .execute()

/** Files of these that are complete and have bytes. */
export const filesOf = (from: Tx, evidenceIds: Iterable<number>): Promise<ResourceRow[]> =>
  from
    .selectFrom('resources')
    .selectAll()
    .where('evidence_id', 'in', among(evidenceIds))
    .where('state', '=', 'UserCompleted')
    .where('sha256', 'is not', null)
    .orderBy('evidence_id')
    .orderBy('resource_id')
    .execute()

/** The states of these resources at these versions, by both. */
export async function statesAt(
  from: Tx,
  asked: readonly { readonly resourceId: number; readonly version: string }[],
): Promise<Map<string, string>> {
  const found = new Map<string, string>()
  for (let at = 0; at < asked.length; at += ROWS_AT_ONCE) {
    const some = asked.slice(at, at + ROWS_AT_ONCE)
    const rows = await from
      .selectFrom('versions')
      .select(['entity_id', 'concurrency_id', 'state'])
      .where('entity', '=', 'resource')
      .where('entity_id', 'in', among(some.map(({ resourceId }) => resourceId)))
      .where('concurrency_id', 'in', [...new Set(some.map(({ version }) => version))])
      .execute()
    for (const row of rows) found.set(`${row.entity_id} ${row.concurrency_id}`, row.state)
  }
  return found
}

export const packageById = (from: Tx, tenant: string, id: number): Promise<Selectable<PackagesTable> | undefined> =>
  from
    .selectFrom('packages')
    .selectAll()
    .where('tenant_id', '=', tenant)
    .where('package_id', '=', id)
    .executeTakeFirst()

/** Whether the package is part of an export of the whole station. */
export const isOfExport = async (from: Tx, id: number): Promise<boolean> =>
  (await from.selectFrom('package_exports').select('package_id').where('package_id', '=', id).executeTakeFirst()) !==
  undefined

export const itemsOfPackage = (from: Tx, id: number) =>
  from.selectFrom('package_items').selectAll().where('package_id', '=', id).orderBy('no').orderBy('kind').execute()

export const caseById = (from: Tx, tenant: string, id: number): Promise<CaseRow | undefined> =>
  from.selectFrom('cases').selectAll().where('tenant_id', '=', tenant).where('case_id', '=', id).executeTakeFirst()

/** Cases with a proposal that waits or was approved, or with an open request. */
export async function casesWithOpen(from: Tx, tenant: string, most: number): Promise<CaseRow[]> {
  return from
    .selectFrom('cases')
    .selectAll()
    .where('tenant_id', '=', tenant)
    .where('lifecycle_state', '<>', 'Deleted')
    .where((e) =>
      e.or([
        e(
          'case_id',
          'in',
          e
            .selectFrom('disclosure_proposals')
            .select('case_id')
            .where('state', 'in', ['waiting', 'approved'])
            .where('tenant_id', '=', tenant),
        ),
        e(
          'case_id',
          'in',
          e
            .selectFrom('disclosure_requests')
            .select('case_id')
            .where('state', '=', 'open')
            .where('tenant_id', '=', tenant),
        ),
      ]),
    )
    .orderBy('case_id', 'desc')
    .limit(most)
    .execute()
}

/** The users and groups that hold Manage on a case. */
export async function managersOf(from: Tx, caseId: number): Promise<number[]> {
  const found = await from
    .selectFrom('case_policies')
    .select('principal_id')
    .where('case_id', '=', caseId)
    .where('level', '=', 'Manage')
    .execute()
  return found.map((row) => row.principal_id)
}

/** What the record sheet of a case has entries of: its records, proposals and requests, and evidence of it that was ever restricted. */
export async function objectsOfSheet(
  from: Tx,
  caseId: number,
): Promise<{ readonly type: string; readonly id: number }[]> {
  const ids = async (table: 'disclosures' | 'disclosure_proposals' | 'disclosure_requests', column: string) =>
    (
      await sql<{ id: number }>`
        SELECT ${sql.ref(column)} AS id FROM ${sql.table(table)} WHERE case_id = ${caseId} ORDER BY no`.execute(from)
    ).rows.map(({ id }) => id)
  const { rows: restricted } = await sql<{ id: number }>`
    SELECT DISTINCT evidence_id AS id FROM evidence_restrictions
    WHERE evidence_id IN (SELECT evidence_id FROM case_links WHERE case_id = ${caseId})
      OR evidence_id IN (SELECT i.evidence_id FROM disclosure_items i JOIN disclosures d ON d.disclosure_id = i.disclosure_id WHERE d.case_id = ${caseId})
      OR evidence_id IN (SELECT w.evidence_id FROM disclosure_withheld w JOIN disclosures d ON d.disclosure_id = w.disclosure_id WHERE d.case_id = ${caseId})
    ORDER BY evidence_id`.execute(from)
  const of = (type: string, all: readonly number[]) => all.map((id) => ({ type, id }))
  return [
    ...of('disclosure', await ids('disclosures', 'disclosure_id')),
    ...of('disclosureProposal', await ids('disclosure_proposals', 'proposal_id')),
    ...of('disclosureRequest', await ids('disclosure_requests', 'request_id')),
    ...of(
      'evidence',
      restricted.map(({ id }) => id),
    ),
  ]
}
