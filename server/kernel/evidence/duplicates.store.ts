import { type CompiledQuery, type Kysely, sql } from 'kysely'
import type { Tables } from '../database/tables.ts'
import { type Viewer, viewable } from '../access/viewable.store.ts'

export interface DuplicateRow {
  readonly own_id: number
  readonly other_id: number
  readonly sha256: string
  readonly evidence_id: number
  readonly evidence_name: string
  readonly name: string
  readonly length: number
  readonly uploaded_utc: string | null
}

interface Asked {
  readonly evidenceId: number
  readonly tenant: string
  readonly after: { readonly other: number; readonly own: number } | null
  readonly count: number
}

/** Files of other evidence with the bytes of this one's, where the caller can view them; oldest first. For a long read. */
export function duplicatesOf(
  db: Kysely<Tables>,
  { evidenceId, tenant, after, count }: Asked,
  viewer: Viewer,
): CompiledQuery<DuplicateRow> {
  const behind = after === null ? sql`` : sql`AND (r.resource_id, o.resource_id) > (${after.other}, ${after.own})`
  return sql<DuplicateRow>`
    SELECT o.resource_id AS own_id, r.resource_id AS other_id, r.sha256, r.evidence_id, e.name AS evidence_name, r.name, r.length, r.uploaded_utc
    FROM resources o
    JOIN resources r ON r.sha256 = o.sha256 AND r.evidence_id <> o.evidence_id AND r.role = 'original' AND r.state = 'UserCompleted'
    JOIN evidence e ON e.evidence_id = r.evidence_id AND e.tenant_id = ${tenant} AND e.lifecycle_state <> 'Deleted'
    WHERE o.evidence_id = ${evidenceId} AND o.role = 'original' AND o.state = 'UserCompleted' ${behind}
      AND ${viewable('r.evidence_id', viewer)}
    ORDER BY r.resource_id, o.resource_id LIMIT ${count}`.compile(db)
}
