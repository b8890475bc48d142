/** What was given to somebody outside the station, and of which case, as far as that case is open: it has to stay. */
import { sql } from 'kysely'
import type { Tx } from '../database/database.ts'
import { listOf, membersOf } from '../database/expressions.ts'

export interface OpenDisclosure {
  readonly evidence_id: number
  readonly case_id: number
  readonly ordinal_year: number
  readonly ordinal_number: number
}

/** One row for each evidence and case. A record that another one replaced holds nothing. */
export async function disclosedInOpenCases(from: Tx, evidenceIds: Iterable<number>): Promise<OpenDisclosure[]> {
  const { rows } = await sql<OpenDisclosure>`
    SELECT DISTINCT i.evidence_id, c.case_id, c.ordinal_year, c.ordinal_number
    FROM disclosure_items i JOIN disclosures d ON d.disclosure_id = i.disclosure_id JOIN cases c ON c.case_id = d.case_id
    WHERE i.evidence_id IN ${membersOf(listOf(evidenceIds))} AND c.state = 'Open'
      AND NOT EXISTS (SELECT 1 FROM disclosures s WHERE s.supersedes = d.disclosure_id)
    ORDER BY i.evidence_id, c.case_id`.execute(from)
  return rows
}
