/** What an export of the station reads, beside the rows that it carries. */
import { type CompiledQuery, sql } from 'kysely'
import type { Tx } from '../../../kernel/database/database.ts'
import type { PackageRow } from '../packages.store.ts'

/** Cases that are not in the recycle bin and have evidence, in order. */
export async function casesWithEvidence(from: Tx, tenant: string): Promise<number[]> {
  const { rows } = await sql<{ case_id: number }>`
    SELECT c.case_id FROM cases c WHERE c.tenant_id = ${tenant} AND c.lifecycle_state <> 'Deleted'
      AND EXISTS (SELECT 1 FROM case_links l WHERE l.case_id = c.case_id)
    ORDER BY c.case_id`.execute(from)
  return rows.map(({ case_id }) => case_id)
}

/** Evidence with complete files that is in none of these cases and not in the recycle bin, in order. */
export async function evidenceOfNoCase(from: Tx, tenant: string): Promise<number[]> {
  const { rows } = await sql<{ evidence_id: number }>`
    SELECT e.evidence_id FROM evidence e WHERE e.tenant_id = ${tenant} AND e.lifecycle_state NOT IN ('Deleted', 'Destroyed')
      AND NOT EXISTS (SELECT 1 FROM case_links l JOIN cases c ON c.case_id = l.case_id
        WHERE l.evidence_id = e.evidence_id AND c.lifecycle_state <> 'Deleted')
      AND EXISTS (SELECT 1 FROM resources r WHERE r.evidence_id = e.evidence_id AND r.role = 'original' AND r.state = 'UserCompleted'
        AND r.sha256 IS NOT NULL)
    ORDER BY e.evidence_id`.execute(from)
  return rows.map(({ evidence_id }) => evidence_id)
}

/** Bytes of an export at most: each blob once, and files of evidence in several cases once for each more. */
export async function bytesToExport(from: Tx): Promise<{ bytes: number; files: number }> {
  const { rows } = await sql<{ bytes: number; files: number; entries: number; again: number }>`
    SELECT (SELECT coalesce(sum(length), 0) FROM blobs b WHERE NOT EXISTS (SELECT 1 FROM forwarded_blobs f WHERE f.sha256 = b.sha256)) AS bytes,
      (SELECT count(*) FROM blobs) AS files,
      (SELECT count(*) FROM ledger) AS entries,
      (SELECT coalesce(sum(r.length), 0) FROM resources r
        JOIN (SELECT DISTINCT case_id, evidence_id FROM case_links) l ON l.evidence_id = r.evidence_id WHERE r.sha256 IS NOT NULL
          AND l.case_id > (SELECT min(o.case_id) FROM case_links o WHERE o.evidence_id = l.evidence_id)) AS again`.execute(
    from,
  )
  const { bytes = 0, files = 0, entries = 0, again = 0 } = rows[0] ?? {}
  return { bytes: Number(bytes) + Number(again) + Number(entries) * BYTES_OF_ENTRY, files: Number(files) }
}
/** An entry with its proof in a package, and with the rows that it states. */
const BYTES_OF_ENTRY = 3000

/** Packages of a case, or of none, that were made into a folder; the newest first. */
export const madeInto = (from: Tx, tenant: string, target: string, caseId: number | null): Promise<PackageRow[]> => {
  const found = from
    .selectFrom('packages')
    .selectAll()
    .where('tenant_id', '=', tenant)
    .where('target', '=', target)
    .where('state', '=', 'Made')
  const ofCase = caseId === null ? found.where('case_id', 'is', null) : found.where('case_id', '=', caseId)
  return ofCase.orderBy('package_id', 'desc').limit(20).execute()
}

/** For a long read. */
export const entriesUpTo = (
  from: Tx,
  after: number,
  last: number,
  count: number,
): CompiledQuery<{ seq: number; body: Uint8Array }> =>
  from
    .selectFrom('ledger')
    .select(['seq', 'body'])
    .where('seq', '>', after)
    .where('seq', '<=', last)
    .orderBy('seq')
    .limit(count)
    .compile()

/** Packages into a folder that were begun and did not become any. */
export const unfinishedIn = (from: Tx, tenant: string, target: string): Promise<PackageRow[]> =>
  from
    .selectFrom('packages')
    .selectAll()
    .where('tenant_id', '=', tenant)
    .where('target', '=', target)
    .where('state', '=', 'Making')
    .orderBy('package_id')
    .execute()
