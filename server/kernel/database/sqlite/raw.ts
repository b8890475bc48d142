/**
 * Opens SQLite connections by the rules of docs/guarantees.md "Durability": WAL with FULL (better-sqlite3 is compiled with NORMAL for WAL,
 * with which a power cut lost acknowledged records), and a library without the bug that corrupts a WAL.
 */
import Sqlite from 'better-sqlite3'

/** Versions before this can corrupt a WAL when two connections write it. */
const OLDEST_SAFE_SQLITE = [3, 51, 3] as const

const PRAGMAS: Readonly<Record<string, string | number>> = {
  journal_mode: 'wal',
  synchronous: 2,
  foreign_keys: 1,
  busy_timeout: 5000,
  trusted_schema: 0,
  cell_size_check: 1,
}

/**
 * Pages in the WAL at which SQLite copies them into the database, with two syncs. With SQLite's own 1,000 it creates 4 % fewer cases a second.
 * They fit into the WAL that a start makes, which is kept at its length so that a full disk fails no commit (`PADDING` in ../database.ts). They
 * fit into one release of the reserve together with their copies (`SMALLEST_STEP` in server/platform/files/reserve.ts).
 */
const PAGES_IN_WAL = 1_800

export type RawDatabase = Sqlite.Database

/** @throws Error when the file cannot be opened or a rule does not hold on the connection */
export function openRaw(file: string, options: { readOnly?: boolean } = {}): RawDatabase {
  refuseOldRuntime()
  const db = new Sqlite(file, { readonly: options.readOnly === true, fileMustExist: options.readOnly === true })
  for (const [name, value] of Object.entries(PRAGMAS)) {
    // A read-only connection cannot change the journal mode; it is asserted below like the rest.
    if (!(options.readOnly === true && name === 'journal_mode')) db.pragma(`${name} = ${value}`)
  }
  db.pragma('temp_store = memory')
  db.pragma(`wal_autocheckpoint = ${PAGES_IN_WAL}`)
  db.pragma('cache_size = -32768')
  if (options.readOnly === true) db.pragma('query_only = 1')
  assertRules(db)
  return db
}

/**
 * Opens a database for inspection before anything in it is trusted. Unlike `openRaw` it accepts a database that is not in WAL mode.
 * @throws Error when the file is not a database
 */
export function openToInspect(file: string): RawDatabase {
  refuseOldRuntime()
  const db = new Sqlite(file, { readonly: true, fileMustExist: true })
  for (const pragma of ['trusted_schema = 0', 'cell_size_check = 1', 'query_only = 1', 'busy_timeout = 5000'])
    db.pragma(pragma)
  return db
}

/** For rows of another database that are read with SQLite's statements. */
export function openInMemory(): RawDatabase {
  refuseOldRuntime()
  return new Sqlite(':memory:')
}

/** better-sqlite3 13 ends the process silently on Node 20. This gives a message instead. */
function refuseOldRuntime(): void {
  if (Number(process.versions.node.split('.')[0]) < 22) {
    throw new Error(
      `Sallyport needs Node 24 and runs on ${process.version}. Start it with "npm start" or "npm run sallyport".`,
    )
  }
}

function assertRules(db: RawDatabase): void {
  for (const [name, expected] of Object.entries(PRAGMAS)) {
    const found = db.pragma(name, { simple: true })
    if (found !== expected) throw new Error(`SQLite did not accept ${name}: wanted ${expected}, found ${String(found)}`)
  }
  const version = String(db.prepare('select sqlite_version()').pluck().get())
  const parts = version.split('.').map(Number)
  for (const [index, least] of OLDEST_SAFE_SQLITE.entries()) {
    const part = parts[index] ?? 0
    if (part > least) return
    if (part < least)
      throw new Error(`SQLite ${version} is older than ${OLDEST_SAFE_SQLITE.join('.')} and may corrupt a WAL`)
  }
}
