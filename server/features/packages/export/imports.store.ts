/** What was taken in from other stations, and the rows of an export as they are written. */
import { type CompiledQuery, type Insertable, type Selectable, sql } from 'kysely'
import type { Tx } from '../../../kernel/database/database.ts'
import type {
  ImportedEntriesTable,
  ImportedResourcesTable,
  ImportsTable,
} from '../../../kernel/database/tables-imports.ts'
import { boundValue, type JsonRow } from './row-lines.ts'

export type ImportRow = Selectable<ImportsTable>
export type ImportedEntryRow = Selectable<ImportedEntriesTable>

export const importBySignature = (from: Tx, sha256: string): Promise<ImportRow | undefined> =>
  from.selectFrom('imports').selectAll().where('signed_sha256', '=', sha256).executeTakeFirst()

export const importsOf = (from: Tx): Promise<ImportRow[]> =>
  from.selectFrom('imports').selectAll().orderBy('import_id').execute()

export async function insertImport(tx: Tx, row: Insertable<ImportsTable>): Promise<ImportRow> {
  return tx.insertInto('imports').values(row).returningAll().executeTakeFirstOrThrow()
}

export async function finishImport(tx: Tx, id: number, finishedUtc: string): Promise<void> {
  await tx
    .updateTable('imports')
    .set({ state: 'Made', finished_utc: finishedUtc })
    .where('import_id', '=', id)
    .execute()
}

export async function insertEntries(tx: Tx, rows: readonly Insertable<ImportedEntriesTable>[]): Promise<void> {
  if (rows.length > 0)
    await tx
      .insertInto('imported_entries')
      .values([...rows])
      .execute()
}

export const lastEntryOf = async (from: Tx, importId: number): Promise<number> =>
  (
    await from
      .selectFrom('imported_entries')
      .select('seq')
      .where('import_id', '=', importId)
      .orderBy('seq', 'desc')
      .limit(1)
      .executeTakeFirst()
  )?.seq ?? 0

/** In order. For a long read. */
export const entriesAfter = (
  from: Tx,
  importId: number,
  after: number,
  count: number,
): CompiledQuery<ImportedEntryRow> =>
  from
    .selectFrom('imported_entries')
    .selectAll()
    .where('import_id', '=', importId)
    .where('seq', '>', after)
    .orderBy('seq')
    .limit(count)
    .compile()

/** Evidence here that came from this number of that station. */
export const evidenceFrom = (from: Tx, origin: string, sourceId: string) =>
  from
    .selectFrom('imported_evidence as e')
    .innerJoin('imports as i', 'i.import_id', 'e.import_id')
    .select(['e.evidence_id', 'e.import_id', 'i.name'])
    .where('i.origin', '=', origin)
    .where('e.source_id', '=', sourceId)
    .execute()

/** What makes a station one that is not empty: how many there are of each. */
export async function recordsHere(
  from: Tx,
): Promise<{ people: number; evidence: number; cases: number; devices: number }> {
  const { rows } = await sql<{ people: number; evidence: number; cases: number; devices: number }>`
    SELECT (SELECT count(*) FROM principals WHERE built_in = 0) AS people, (SELECT count(*) FROM evidence) AS evidence,
      (SELECT count(*) FROM cases) AS cases, (SELECT count(*) FROM devices) AS devices`.execute(from)
  const found = rows[0] as (typeof rows)[number]
  return {
    people: Number(found.people),
    evidence: Number(found.evidence),
    cases: Number(found.cases),
    devices: Number(found.devices),
  }
}

export async function emptyTable(tx: Tx, table: string): Promise<void> {
  await sql`DELETE FROM ${sql.ref(table)}`.execute(tx)
}

/** A statement takes so many values. */
const MOST_VALUES = 20_000
const MOST_ROWS = 200

/** Rows of one table, all with the same columns. */
export async function insertRows(
  tx: Tx,
  table: string,
  columns: readonly string[],
  rows: readonly JsonRow[],
): Promise<void> {
  const atOnce = Math.min(MOST_ROWS, Math.max(1, Math.floor(MOST_VALUES / columns.length)))
  const names = sql.join(columns.map((name) => sql.ref(name)))
  for (let from = 0; from < rows.length; from += atOnce) {
    const values = rows
      .slice(from, from + atOnce)
      .map((row) => sql`(${sql.join(columns.map((name) => boundValue(row[name] ?? null)))})`)
    await sql`INSERT INTO ${sql.table(table)} (${names}) VALUES ${sql.join(values)}`.execute(tx)
  }
}

/** Blobs that a record names and whose bytes are not here. */
export async function insertBlobRow(tx: Tx, sha256: string, length: number, createdUtc: string): Promise<void> {
  await tx
    .insertInto('blobs')
    .values({ sha256, length, read_back: 'cache', created_utc: createdUtc })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

export async function markDestroyed(tx: Tx, evidenceIds: readonly number[]): Promise<void> {
  for (const id of evidenceIds)
    await tx.updateTable('evidence').set({ lifecycle_state: 'Destroyed' }).where('evidence_id', '=', id).execute()
}

export async function insertImportedEvidence(tx: Tx, importId: number, ids: readonly number[]): Promise<void> {
  for (let from = 0; from < ids.length; from += MOST_ROWS)
    await tx
      .insertInto('imported_evidence')
      .values(
        ids
          .slice(from, from + MOST_ROWS)
          .map((id) => ({ evidence_id: id, import_id: importId, source_id: String(id) })),
      )
      .execute()
}

export async function insertImportedResources(
  tx: Tx,
  importId: number,
  files: readonly { readonly id: number; readonly sha256: string }[],
): Promise<void> {
  for (let from = 0; from < files.length; from += MOST_ROWS)
    await tx
      .insertInto('imported_resources')
      .values(
        files
          .slice(from, from + MOST_ROWS)
          .map(({ id, sha256 }) => ({ resource_id: id, import_id: importId, source_id: String(id), sha256 })),
      )
      .execute()
}

export async function knownAmong(from: Tx, hashes: readonly string[]): Promise<Set<string>> {
  const found = new Set<string>()
  for (let at = 0; at < hashes.length; at += MOST_ROWS)
    for (const { sha256 } of await from
      .selectFrom('blobs')
      .select('sha256')
      .where('sha256', 'in', hashes.slice(at, at + MOST_ROWS))
      .execute())
      found.add(sha256)
  return found
}

export async function insertOneImportedEvidence(
  tx: Tx,
  evidenceId: number,
  importId: number,
  sourceId: string,
): Promise<void> {
  await tx
    .insertInto('imported_evidence')
    .values({ evidence_id: evidenceId, import_id: importId, source_id: sourceId })
    .execute()
}

export async function insertImportedResource(tx: Tx, row: Insertable<ImportedResourcesTable>): Promise<void> {
  await tx.insertInto('imported_resources').values(row).execute()
}

export const isResourceHere = async (from: Tx, importId: number, sourceId: string): Promise<boolean> =>
  (await from
    .selectFrom('imported_resources')
    .select('resource_id')
    .where('import_id', '=', importId)
    .where('source_id', '=', sourceId)
    .executeTakeFirst()) !== undefined
