/** Entries of other stations that came with imports (docs/decisions/0036), as the custody of an evidence shows them. */
import { sql } from 'kysely'
import type { Tx } from '../database/database.ts'

export interface ImportedCustody {
  readonly kind: 'station' | 'package'
  readonly origin: string
  readonly stationName: string
  /** Number of the evidence at that station. */
  readonly sourceId: string
  readonly importedUtc: string
  /** Byte for byte, oldest first. */
  readonly lines: readonly string[]
}

/** Lines of one import that are read. */
const MOST_LINES = 1000

/** Where an evidence came from, and what the ledger there says of it and its files. */
export async function importedCustody(from: Tx, evidenceId: number): Promise<ImportedCustody[]> {
  const found = await from
    .selectFrom('imported_evidence as e')
    .innerJoin('imports as i', 'i.import_id', 'e.import_id')
    .select(['i.import_id', 'i.kind', 'i.origin', 'i.station_name', 'i.begun_utc', 'i.finished_utc', 'e.source_id'])
    .where('e.evidence_id', '=', evidenceId)
    .orderBy('i.import_id')
    .execute()
  return Promise.all(
    found.map(async (row) => ({
      kind: row.kind,
      origin: row.origin,
      stationName: row.station_name,
      sourceId: row.source_id,
      importedUtc: row.finished_utc ?? row.begun_utc,
      lines: await linesOf(from, row.import_id, evidenceId),
    })),
  )
}

async function linesOf(from: Tx, importId: number, evidenceId: number): Promise<string[]> {
  const { rows } = await sql<{ body: Uint8Array }>`
    SELECT e.body FROM imported_entries e JOIN (
      SELECT 'evidence' AS object_type, source_id AS object_id FROM imported_evidence
        WHERE evidence_id = ${evidenceId} AND import_id = ${importId}
      UNION
      SELECT 'resource', f.source_id FROM imported_resources f JOIN resources r ON r.resource_id = f.resource_id
        WHERE r.evidence_id = ${evidenceId} AND f.import_id = ${importId}
    ) o ON o.object_type = e.object_type AND o.object_id = e.object_id
    WHERE e.import_id = ${importId} ORDER BY e.seq LIMIT ${sql.lit(MOST_LINES)}`.execute(from)
  return rows.map(({ body }) => Buffer.from(body).toString('utf8'))
}
