/** Statements that compare rows with the ledger, on a read-only connection of a thread. Temporary tables hold the state according to the ledger. */
import { hash } from 'node:crypto'
import { type ColumnInfo, coverageOf, type TableCoverage } from '../../../kernel/database/row-coverage.ts'
import { COLUMNS_SQL } from '../../../kernel/database/sqlite/row-text.ts'
import type { RawDatabase } from '../../../kernel/database/sqlite/raw.ts'

export const coverageIn = (db: RawDatabase): TableCoverage[] =>
  coverageOf(db.prepare(COLUMNS_SQL).all() as ColumnInfo[])

/** Creates the temporary tables, which a read-only connection may write; in a file, because there may be millions of rows. */
export function createStatedTables(db: RawDatabase): void {
  db.pragma('temp_store = file')
  db.pragma('query_only = 0')
  db.exec(`
    CREATE TEMP TABLE IF NOT EXISTS stated ("table" TEXT, "key" TEXT, seq INTEGER, sha256 BLOB, PRIMARY KEY ("table", "key")) WITHOUT ROWID;
    CREATE TEMP TABLE IF NOT EXISTS completed (resource_id INTEGER PRIMARY KEY, evidence_id INTEGER, seq INTEGER, sha256 TEXT, length INTEGER);
    CREATE TEMP TABLE IF NOT EXISTS made (what TEXT, id TEXT, seq INTEGER, PRIMARY KEY (what, id)) WITHOUT ROWID;
    CREATE TEMP TABLE IF NOT EXISTS destroyed (evidence_id INTEGER PRIMARY KEY, seq INTEGER);
    CREATE TEMP TABLE IF NOT EXISTS sample_cases (case_id INTEGER PRIMARY KEY);
    CREATE TEMP TABLE IF NOT EXISTS destroyed_cases (case_id INTEGER PRIMARY KEY, seq INTEGER);
    CREATE TEMP TABLE IF NOT EXISTS versions_named (id TEXT PRIMARY KEY, seq INTEGER, what TEXT) WITHOUT ROWID;
    DELETE FROM stated; DELETE FROM completed; DELETE FROM made; DELETE FROM destroyed;
    DELETE FROM sample_cases; DELETE FROM destroyed_cases; DELETE FROM versions_named`)
  db.function('row_sha256', { deterministic: true }, (state: unknown) => hash('sha256', state as string, 'buffer'))
}

/** Entries read at once: better-sqlite3 cannot write on a connection while one of its statements is running. */
const ENTRIES_AT_ONCE = 2000

/** Entries that state rows, in order. */
export function* entriesAboutRows(db: RawDatabase, from: number): Generator<[seq: number, body: string]> {
  const next = db
    .prepare(
      `SELECT seq, text FROM (SELECT seq, CAST(body AS TEXT) AS text FROM ledger WHERE seq > ? ORDER BY seq)
       WHERE instr(text, '"rows.stated":') > 0 OR instr(text, '"concurrencyId":') > 0
         OR substr(text, 1, 25) = '{"action":"resource.compl' OR substr(text, 1, 25) = '{"action":"evidence.destr'
         OR substr(text, 1, 25) = '{"action":"sample.added",' OR substr(text, 1, 25) = '{"action":"case.destroyed'
         OR substr(text, 1, 25) IN ('{"action":"evidence.impor', '{"action":"resource.impor', '{"action":"case.imported"')
       ORDER BY seq LIMIT ${ENTRIES_AT_ONCE}`,
    )
    .raw()
  for (let after = from - 1; ; ) {
    const page = next.all(after) as [number, string][]
    yield* page
    const last = page.at(-1)
    if (last === undefined || page.length < ENTRIES_AT_ONCE) return
    after = last[0]
  }
}

/** Statements that store what entries state, in order; later entries replace earlier ones. */
export function statedWriter(db: RawDatabase) {
  const stated = db.prepare('INSERT OR REPLACE INTO stated ("table", "key", seq, sha256) VALUES (?, ?, ?, unhex(?))')
  const completed = db.prepare(
    'INSERT OR REPLACE INTO completed (resource_id, evidence_id, seq, sha256, length) VALUES (CAST(? AS INTEGER), CAST(? AS INTEGER), ?, ?, ?)',
  )
  const made = db.prepare('INSERT OR IGNORE INTO made (what, id, seq) VALUES (?, ?, ?)')
  const destroyed = db.prepare('INSERT OR IGNORE INTO destroyed (evidence_id, seq) VALUES (CAST(? AS INTEGER), ?)')
  const sampleCase = db.prepare('INSERT OR IGNORE INTO sample_cases (case_id) VALUES (CAST(? AS INTEGER))')
  // Only a case that was added as sample data may be destroyed: for any other the entry explains nothing.
  const destroyedCase = db.prepare(
    'INSERT OR IGNORE INTO destroyed_cases (case_id, seq) SELECT case_id, ? FROM sample_cases WHERE case_id = CAST(? AS INTEGER)',
  )
  const version = db.prepare('INSERT OR IGNORE INTO versions_named (id, seq, what) VALUES (?, ?, ?)')
  return {
    row: (table: string, key: string, seq: number, sha256: string | null) => stated.run(table, key, seq, sha256),
    completed: (resource: string, evidence: string | null, seq: number, sha256: string, length: number) =>
      completed.run(resource, evidence, seq, sha256, length),
    made: (what: string, id: string, seq: number) => made.run(what, id, seq),
    destroyed: (evidence: string, seq: number) => destroyed.run(evidence, seq),
    sampleCase: (id: string) => sampleCase.run(id),
    destroyedCase: (id: string, seq: number) => destroyedCase.run(seq, id),
    version: (id: string, seq: number, what: string) => version.run(id, seq, what),
  }
}

export interface DifferentRow {
  readonly key: string
  /** The newest entry that states the row; null when none does. */
  readonly seq: number | null
  readonly gone: number
}

/** Rows that differ from their newest entry, and rows without an entry. */
export function differentRows(
  db: RawDatabase,
  covered: TableCoverage,
  where: string | null = covered.only('t'),
): IterableIterator<DifferentRow> {
  return db
    .prepare(
      `SELECT r."key" AS "key", s.seq AS seq, s.seq IS NOT NULL AND s.sha256 IS NULL AS gone
       FROM (SELECT ${covered.key('t')} AS "key", row_sha256(${covered.state('t')}) AS sha256 FROM main."${covered.table}" t ${where === null ? '' : `WHERE ${where}`}) r
       LEFT JOIN stated s ON s."table" = ? AND s."key" = r."key" WHERE s.sha256 IS NOT r.sha256`,
    )
    .iterate(covered.table) as IterableIterator<DifferentRow>
}

/** Rows of a table that belong to an evidence, as a condition on `t`; null: none do. */
export function ofEvidence({ table, columns }: TableCoverage, evidenceId: number): string | null {
  const resources = `(SELECT resource_id FROM main.resources WHERE evidence_id = ${evidenceId})`
  if (columns.includes('evidence_id')) return `t.evidence_id = ${evidenceId}`
  if (table === 'resource_views') return `t.resource_id IN ${resources}`
  if (table === 'versions')
    return `(t.entity = 'evidence' AND t.entity_id = ${evidenceId} OR t.entity = 'resource' AND t.entity_id IN ${resources})`
  if (table === 'blobs') return `t.sha256 IN (SELECT sha256 FROM main.resources WHERE evidence_id = ${evidenceId})`
  return null
}

export const countRows = (db: RawDatabase, covered: TableCoverage): number => {
  const where = covered.only('t')
  return db
    .prepare(`SELECT count(*) FROM main."${covered.table}" t ${where === null ? '' : `WHERE ${where}`}`)
    .pluck()
    .get() as number
}

/** Number of rows that exist according to the ledger. */
export const countStated = (db: RawDatabase, table: string): number =>
  db.prepare('SELECT count(*) FROM stated WHERE "table" = ? AND sha256 IS NOT NULL').pluck().get(table) as number

/** Rows that exist according to the ledger but not in the database. */
export function missingRows(db: RawDatabase, covered: TableCoverage): { key: string; seq: number }[] {
  const where = covered.only('t')
  return db
    .prepare(
      `SELECT "key", seq FROM stated WHERE "table" = ? AND sha256 IS NOT NULL
       AND "key" NOT IN (SELECT ${covered.key('t')} FROM main."${covered.table}" t ${where === null ? '' : `WHERE ${where}`})
       ORDER BY seq LIMIT 1000`,
    )
    .all(covered.table) as { key: string; seq: number }[]
}

export interface RecordedEntry {
  readonly seq: number
  readonly body: string
}

/** The entries that end a recording of all rows (row-baseline.ts), in order. */
export const recordings = (db: RawDatabase): RecordedEntry[] =>
  db
    .prepare(
      "SELECT seq, CAST(body AS TEXT) AS body FROM ledger WHERE object_type = 'rows' AND object_id = 'all' ORDER BY seq",
    )
    .all() as RecordedEntry[]

export interface WrongOriginal {
  readonly resource_id: number
  readonly evidence_id: number
  readonly seq: number
  readonly wrong: string
}

/** Originals that differ from the completed bytes, unless their evidence was destroyed. @param evidenceId null for all evidence */
export const wrongOriginals = (db: RawDatabase, evidenceId: number | null = null): WrongOriginal[] =>
  db
    .prepare(
      `SELECT c.resource_id, c.evidence_id, c.seq, CASE
         WHEN r.resource_id IS NULL THEN 'there is no such resource any more'
         WHEN r.evidence_id <> c.evidence_id THEN 'it is filed under evidence ' || r.evidence_id
         WHEN r.role <> 'original' THEN 'it is no original any more'
         WHEN r.state <> 'UserCompleted' THEN 'its state is ' || r.state
         WHEN r.sha256 IS NOT c.sha256 THEN 'it points to ' || coalesce(r.sha256, 'no bytes')
         WHEN r.length IS NOT c.length THEN 'its length is said to be ' || coalesce(r.length, 'unknown')
         WHEN b.sha256 IS NULL THEN 'its blob is not listed any more'
         WHEN b.length IS NOT c.length THEN 'its blob is listed with ' || b.length || iif(b.length = 1, ' byte', ' bytes') END AS wrong
       FROM completed c LEFT JOIN main.resources r USING (resource_id) LEFT JOIN main.blobs b ON b.sha256 = c.sha256
       WHERE wrong IS NOT NULL AND c.evidence_id IS coalesce(?, c.evidence_id) AND NOT EXISTS (SELECT 1 FROM destroyed d WHERE d.evidence_id = c.evidence_id)
       ORDER BY c.resource_id LIMIT 1000`,
    )
    .all(evidenceId) as WrongOriginal[]

/** Records whose creation is in the ledger but whose row is missing. Rows of these tables are never deleted, but for sample cases. */
export const missingRecords = (db: RawDatabase): { what: string; id: string; seq: number }[] =>
  db
    .prepare(
      `SELECT what, id, seq FROM made WHERE
         CASE what WHEN 'evidence' THEN NOT EXISTS (SELECT 1 FROM main.evidence WHERE evidence_id = CAST(id AS INTEGER))
         ELSE NOT EXISTS (SELECT 1 FROM main.cases WHERE case_id = CAST(id AS INTEGER))
           AND NOT EXISTS (SELECT 1 FROM destroyed_cases WHERE case_id = CAST(id AS INTEGER)) END
       ORDER BY seq LIMIT 1000`,
    )
    .all() as { what: string; id: string; seq: number }[]

/** Evidence and cases without an entry of their creation. */
export const unexplainedRecords = (db: RawDatabase): { what: string; id: string }[] =>
  db
    .prepare(
      `SELECT 'evidence' AS what, CAST(evidence_id AS TEXT) AS id FROM main.evidence WHERE NOT EXISTS (SELECT 1 FROM made WHERE what = 'evidence' AND id = CAST(evidence_id AS TEXT))
       UNION ALL
       SELECT 'case', CAST(case_id AS TEXT) FROM main.cases WHERE NOT EXISTS (SELECT 1 FROM made WHERE what = 'case' AND id = CAST(case_id AS TEXT))
       LIMIT 1000`,
    )
    .all() as { what: string; id: string }[]

export interface VersionRow {
  entity: string
  entity_id: number
  number: number
  concurrency_id: string
  parent_id: string
  state: string
}

/** In order of entity and number. */
export const versionsInOrder = (db: RawDatabase): IterableIterator<VersionRow> =>
  db
    .prepare(
      'SELECT entity, entity_id, number, concurrency_id, parent_id, state FROM main.versions ORDER BY entity, entity_id, number',
    )
    .iterate() as IterableIterator<VersionRow>

/** Whether the state of a version was removed because its evidence, or its sample case, was destroyed. */
export function emptiedByDestruction(db: RawDatabase): (entity: string, id: number, number: number) => boolean {
  const of = new Map(
    Object.entries({
      evidence: 'SELECT 1 FROM destroyed WHERE evidence_id = ?',
      case: 'SELECT 1 FROM destroyed_cases WHERE case_id = ?',
      resource: 'SELECT 1 FROM main.resources r JOIN destroyed d USING (evidence_id) WHERE r.resource_id = ?',
    }).map(([entity, text]) => [entity, db.prepare(text).pluck()]),
  )
  // Notes, bookmarks and tasks are removed with their evidence or case, which is unknown then.
  const stated = db.prepare('SELECT sha256 IS NOT NULL FROM stated WHERE "table" = \'versions\' AND "key" = ?').pluck()
  const any = db.prepare('SELECT 1 FROM destroyed UNION ALL SELECT 1 FROM destroyed_cases LIMIT 1').pluck()
  const anyCase = db.prepare('SELECT 1 FROM destroyed_cases LIMIT 1').pluck()
  return (entity, id, number) =>
    of.get(entity)?.get(id) === 1 ||
    ((entity === 'task' ? anyCase : entity === 'note' || entity === 'bookmark' ? any : null)?.get() === 1 &&
      stated.get(JSON.stringify([entity, id, number])) === 1)
}

export const versionsNotFound = (db: RawDatabase): { id: string; seq: number; what: string }[] =>
  db
    .prepare(
      'SELECT id, seq, what FROM versions_named WHERE id NOT IN (SELECT concurrency_id FROM main.versions) ORDER BY seq LIMIT 1000',
    )
    .all() as {
    id: string
    seq: number
    what: string
  }[]

/** Versions of cases whose changes of links are not those of the table by which older versions are shown (decisions 19). */
export const linkChangesBesideVersions = (db: RawDatabase): { case_id: number; number: number }[] =>
  db
    .prepare(
      `WITH said AS (
         SELECT v.entity_id, v.number, CAST(e.value AS INTEGER), iif(e.path = '$.EvidenceIdsChanged.Added', 1, -1)
         FROM main.versions v, json_tree(iif(json_valid(v.state), v.state, '{}'), '$.EvidenceIdsChanged') e
         WHERE v.entity = 'case' AND e.type = 'text'),
       listed AS (
         SELECT case_id, number, evidence_id, change FROM main.case_link_changes c
         WHERE EXISTS (SELECT 1 FROM main.versions v WHERE v.entity = 'case' AND v.entity_id = c.case_id AND v.number = c.number))
       SELECT DISTINCT case_id, number FROM (
         SELECT * FROM (SELECT case_id, number, evidence_id, change FROM listed EXCEPT SELECT * FROM said)
         UNION ALL SELECT * FROM (SELECT * FROM said EXCEPT SELECT * FROM listed))
       ORDER BY case_id, number LIMIT 1000`,
    )
    .all() as { case_id: number; number: number }[]

/** Table and key of the current state of entities with versions. */
const CURRENT: Readonly<Record<string, readonly [table: string, key: string]>> = {
  evidence: ['evidence', 'evidence_id'],
  resource: ['resources', 'resource_id'],
  case: ['cases', 'case_id'],
  note: ['notes', 'note_id'],
  bookmark: ['bookmarks', 'bookmark_id'],
  category: ['categories', 'category_id'],
  department: ['departments', 'department_id'],
  sourcePolicy: ['source_policies', 'source_policy_id'],
}

/** Rows that name another version than the newest one, or have none. */
export const rowsBesideVersions = (db: RawDatabase): { what: string; id: number; version: string | null }[] =>
  Object.entries(CURRENT).flatMap(
    ([entity, [table, key]]) =>
      db
        .prepare(
          `SELECT '${entity}' AS what, id, version FROM (
             SELECT ${key} AS id, concurrency_id AS is_at, (SELECT v.concurrency_id FROM main.versions v
               WHERE v.entity = '${entity}' AND v.entity_id = t.${key} ORDER BY v.number DESC LIMIT 1) AS version FROM main.${table} t)
           WHERE version IS NOT is_at ORDER BY id LIMIT 1000`,
        )
        .all() as { what: string; id: number; version: string | null }[],
  )

/** Counters of SQLite below the highest assigned id, which would assign an id twice. */
export const countersSetBack = (
  db: RawDatabase,
  tables: readonly TableCoverage[],
): { table: string; seq: number }[] => {
  const counter = db.prepare('SELECT seq FROM main.sqlite_sequence WHERE name = ?').pluck()
  const declared = db
    .prepare("SELECT sql LIKE '%AUTOINCREMENT%' FROM main.sqlite_schema WHERE type = 'table' AND name = ?")
    .pluck()
  const highest = db.prepare('SELECT max(CAST("key" AS INTEGER)) FROM stated WHERE "table" = ?').pluck()
  return tables.flatMap(({ table }) => {
    const given = highest.get(table) as number | null
    const seq = (counter.get(table) as number | undefined) ?? 0
    return declared.get(table) === 1 && given !== null && seq < given ? [{ table, seq }] : []
  })
}
