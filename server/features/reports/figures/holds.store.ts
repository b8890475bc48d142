import { type CompiledQuery, sql } from 'kysely'
import type { Tx } from '../../../kernel/database/database.ts'
import { entryMemberIfJson } from '../../../kernel/database/expressions.ts'
import { viewable, type Viewer } from '../../../kernel/access/viewable.store.ts'

export interface HoldRow {
  readonly id: number
  readonly name: string
  readonly until: string | null
  readonly seq: number | null
  /** The entry that says that it was protected. */
  readonly body: Uint8Array | null
}

const ACTION = entryMemberIfJson('g.body', 'action')

/** Protected evidence of a case that the viewer can view, with the entry that protected it. For a long read. */
export const evidenceHolds = (
  from: Tx,
  caseId: number,
  viewer: Viewer,
  now: bigint,
  most: number,
): CompiledQuery<HoldRow> =>
  sql<HoldRow>`
    SELECT x.id, x.name, x.until, x.seq, h.body FROM (
      SELECT e.evidence_id AS id, e.name, e.protected_until AS until,
        (SELECT max(g.seq) FROM ledger g WHERE g.object_type = 'evidence' AND g.object_id = CAST(e.evidence_id AS TEXT)
          AND ${ACTION} = 'evidence.protected') AS seq
      FROM evidence e WHERE e.evidence_id IN (SELECT evidence_id FROM case_links WHERE case_id = ${caseId})
        AND e.lifecycle_state = 'Protected' AND (e.protected_ticks IS NULL OR e.protected_ticks > ${now})
        AND ${viewable('e.evidence_id', viewer)}
      ORDER BY e.evidence_id LIMIT ${most}) x
    LEFT JOIN ledger h ON h.seq = x.seq ORDER BY x.id`.compile(from)

/** The entry that protected a case; nothing where it is not known. For a long read. */
export const caseHold = (from: Tx, caseId: number): CompiledQuery<{ seq: number; body: Uint8Array }> =>
  sql<{ seq: number; body: Uint8Array }>`
    SELECT g.seq, g.body FROM ledger g WHERE g.object_type = 'case' AND g.object_id = ${String(caseId)}
      AND ${ACTION} = 'case.protected' ORDER BY g.seq DESC LIMIT 1`.compile(from)
