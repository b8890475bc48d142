/** What sample data is made of now, and whether a station has evidence of its own. */
import { sql } from 'kysely'
import type { Tx } from '../../kernel/database/database.ts'
import { listOf, membersOf } from '../../kernel/database/expressions.ts'

/** Evidence that exists and is none of these, in the recycle bin too. */
export async function hasOtherEvidence(from: Tx, sample: readonly number[]): Promise<boolean> {
  const row = await from
    .selectFrom('evidence')
    .select('evidence_id')
    .where('lifecycle_state', '<>', 'Destroyed')
    .where((e) => e.not(e('evidence_id', 'in', membersOf(listOf(sample)))))
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

export async function hasHeadquarters(from: Tx): Promise<boolean> {
  const row = await from.selectFrom('headquarters').select('tenant_id').limit(1).executeTakeFirst()
  return row !== undefined
}

/** The first category that is in use; sample data makes none. */
export async function firstCategory(from: Tx, tenant: string): Promise<string | null> {
  const row = await from
    .selectFrom('categories')
    .select('category_id')
    .where('tenant_id', '=', tenant)
    .where('enabled', '=', 1)
    .orderBy('category_id')
    .limit(1)
    .executeTakeFirst()
  return row === undefined ? null : String(row.category_id)
}

export interface NamedRow {
  readonly id: number
  readonly name: string
}

/** Those that still exist. `originals`: its files that came from outside. */
export async function evidenceOfSample(
  from: Tx,
  ids: readonly number[],
): Promise<(NamedRow & { readonly originals: number })[]> {
  const { rows } = await sql<NamedRow & { readonly originals: number }>`
    SELECT e.evidence_id AS id, e.name AS name,
      (SELECT count(*) FROM resources r WHERE r.evidence_id = e.evidence_id AND r.role = 'original') AS originals
    FROM evidence e WHERE e.evidence_id IN ${among(ids)} AND e.lifecycle_state <> 'Destroyed'
    ORDER BY e.evidence_id`.execute(from)
  return rows.map((row) => ({ ...row, originals: Number(row.originals) }))
}

/** Those that still exist. @param nowTicks after which a protection has not ended */
export async function casesOfSample(
  from: Tx,
  ids: readonly number[],
  nowTicks: bigint,
): Promise<(NamedRow & { readonly protected: boolean })[]> {
  const { rows } = await sql<NamedRow & { readonly held: number }>`
    SELECT case_id AS id, title AS name,
      CASE WHEN lifecycle_state = 'Protected' AND (protected_ticks IS NULL OR protected_ticks > ${nowTicks}) THEN 1 ELSE 0 END AS held
    FROM cases WHERE case_id IN ${among(ids)} ORDER BY case_id`.execute(from)
  return rows.map(({ held, ...row }) => ({ ...row, protected: Number(held) === 1 }))
}

export interface SampleCounts {
  readonly files: number
  readonly bytes: number
  readonly notes: number
  readonly bookmarks: number
  readonly tasks: number
  readonly unlinked: number
}

/** What goes with this evidence and these cases, and how much is in the cases that is no sample data. */
export async function countOfSample(
  from: Tx,
  evidence: readonly number[],
  cases: readonly number[],
  sample: readonly number[],
): Promise<SampleCounts> {
  const [ids, caseIds] = [among(evidence), among(cases)]
  const { rows } = await sql<SampleCounts>`SELECT
    (SELECT count(*) FROM resources WHERE evidence_id IN ${ids} AND sha256 IS NOT NULL) AS files,
    (SELECT coalesce(sum(length), 0) FROM resources WHERE evidence_id IN ${ids} AND sha256 IS NOT NULL) AS bytes,
    (SELECT count(*) FROM notes WHERE deleted_utc IS NULL AND (evidence_id IN ${ids} OR case_id IN ${caseIds})) AS notes,
    (SELECT count(*) FROM bookmarks WHERE deleted_utc IS NULL AND evidence_id IN ${ids}) AS bookmarks,
    (SELECT count(*) FROM case_tasks WHERE deleted_utc IS NULL AND case_id IN ${caseIds}) AS tasks,
    (SELECT count(DISTINCT evidence_id) FROM case_links WHERE case_id IN ${caseIds}
      AND evidence_id NOT IN ${among(sample)}) AS unlinked`.execute(from)
  const row = rows[0] as SampleCounts
  return Object.fromEntries(
    Object.entries(row).map(([name, count]) => [name, Number(count)]),
  ) as unknown as SampleCounts
}

export async function resourceIdsOf(from: Tx, evidenceId: number): Promise<number[]> {
  const rows = await from
    .selectFrom('resources')
    .select('resource_id')
    .where('evidence_id', '=', evidenceId)
    .orderBy('resource_id')
    .execute()
  return rows.map((row) => row.resource_id)
}

const among = (ids: readonly number[]) => sql`(${sql.join(ids.length === 0 ? [-1] : [...ids])})`

const WRITTEN_ON = {
  note: { table: 'notes', evidence: 'evidence_id', case: 'case_id' },
  bookmark: { table: 'bookmarks', evidence: 'evidence_id', case: null },
  task: { table: 'case_tasks', evidence: null, case: 'case_id' },
} as const

/** Whether anything of this kind was ever written there. */
export async function isWritten(
  from: Tx,
  kind: keyof typeof WRITTEN_ON,
  on: { readonly kind: 'evidence' | 'case'; readonly id: number },
): Promise<boolean> {
  const column = WRITTEN_ON[kind][on.kind]
  if (column === null) throw new Error(`No ${kind} is written on ${on.kind}`)
  const { rows } = await sql`
    SELECT 1 FROM ${sql.table(WRITTEN_ON[kind].table)} WHERE ${sql.ref(column)} = ${on.id} LIMIT 1`.execute(from)
  return rows.length > 0
}
