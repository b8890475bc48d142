import { type Insertable, type Kysely, type Selectable, sql, type Updateable } from 'kysely'
import type { CompiledQuery } from 'kysely'
import type { Tx } from '../../kernel/database/database.ts'
import type { Tables } from '../../kernel/database/tables.ts'
import type { SourcePoliciesTable } from '../../kernel/database/tables-retention.ts'

type Db = Kysely<Tables>
export type SourceRow = Selectable<SourcePoliciesTable>

export const sourceById = (from: Tx, tenant: string, id: number): Promise<SourceRow | undefined> =>
  from
    .selectFrom('source_policies')
    .selectAll()
    .where('tenant_id', '=', tenant)
    .where('source_policy_id', '=', id)
    .executeTakeFirst()

export const sourceByKey = (from: Tx, tenant: string, nameKey: string): Promise<SourceRow | undefined> =>
  from
    .selectFrom('source_policies')
    .selectAll()
    .where('tenant_id', '=', tenant)
    .where('name_key', '=', nameKey)
    .executeTakeFirst()

/** By name. */
export const sourcesOf = (from: Tx, tenant: string): Promise<SourceRow[]> =>
  from.selectFrom('source_policies').selectAll().where('tenant_id', '=', tenant).orderBy('name_key').execute()

export async function insertSource(tx: Tx, row: Insertable<SourcePoliciesTable>): Promise<number> {
  const { source_policy_id: id } = await tx
    .insertInto('source_policies')
    .values(row)
    .returning('source_policy_id')
    .executeTakeFirstOrThrow()
  return id
}

export async function updateSource(tx: Tx, id: number, set: Updateable<SourcePoliciesTable>): Promise<void> {
  await tx.updateTable('source_policies').set(set).where('source_policy_id', '=', id).execute()
}

export async function deleteSource(tx: Tx, id: number): Promise<void> {
  await tx.deleteFrom('source_policies').where('source_policy_id', '=', id).execute()
}

/** Evidence with this category, and evidence in cases with it. For a long read. */
export const evidenceOfCategory = (db: Db, tenant: string, id: number, count: number): CompiledQuery<{ id: number }> =>
  sql<{ id: number }>`
    SELECT evidence_id AS id FROM evidence WHERE category_id = ${String(id)} AND tenant_id = ${tenant} AND lifecycle_state <> 'Destroyed'
    UNION
    SELECT l.evidence_id FROM cases c JOIN case_links l ON l.case_id = c.case_id
    JOIN evidence e ON e.evidence_id = l.evidence_id AND e.lifecycle_state <> 'Destroyed'
    WHERE c.category_id = ${id} AND c.tenant_id = ${tenant}
    ORDER BY 1 LIMIT ${count}`.compile(db)

/** All evidence of a tenant after an id; the rule itself decides which a source policy matches. For a long read. */
export const evidenceAfter = (db: Db, tenant: string, after: number, count: number): CompiledQuery<{ id: number }> =>
  sql<{ id: number }>`
    SELECT evidence_id AS id FROM evidence WHERE evidence_id > ${after} AND tenant_id = ${tenant} AND lifecycle_state <> 'Destroyed'
    ORDER BY evidence_id LIMIT ${count}`.compile(db)
