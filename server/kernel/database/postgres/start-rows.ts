/**
 * What the check before a start reads of a headquarters' ledger, as rows of SQLite: the same code then judges both. A consistent state, while
 * other nodes may write. Bodies of entries are copied only where they are read.
 */
import pg from 'pg'
import { openInMemory, type RawDatabase } from '../sqlite/raw.ts'
import { configOf, failureOf, runOn } from './connections.ts'

/** Entries about checkpoints; few others come between two that say that one was signed. */
const MOST_ABOUT_CHECKPOINTS = 200

const TABLES = {
  station: ['name', 'value'],
  checkpoints: ['size', 'root', 'head', 'frontier', 'note'],
  checkpoint_targets: ['target_id', 'kind', 'address', 'removed_utc'],
  ledger: ['seq', 'hash', 'object_type', 'object_id', 'body'],
} as const

const READS: Readonly<Record<keyof typeof TABLES, string>> = {
  station: "SELECT name, value FROM station WHERE name IN ('origin', 'moved')",
  checkpoints: 'SELECT size, root, head, frontier, note FROM checkpoints',
  checkpoint_targets: 'SELECT target_id, kind, address, removed_utc FROM checkpoint_targets',
  ledger: `
    WITH read AS (
      (SELECT seq FROM ledger WHERE object_type = 'checkpoint' ORDER BY seq DESC LIMIT ${MOST_ABOUT_CHECKPOINTS})
      UNION SELECT seq FROM ledger WHERE object_type = 'ledger' AND object_id = '1'
      UNION SELECT seq FROM ledger WHERE object_type = 'station' AND object_id = '1'
        AND convert_from(body, 'UTF8') LIKE '{"action":"station.restored"%'
    )
    SELECT seq, hash, object_type, object_id, CASE WHEN seq IN (SELECT seq FROM read) THEN body ELSE '' END AS body FROM ledger
    WHERE seq IN (SELECT seq FROM read) OR seq IN (SELECT size FROM checkpoints) OR seq = (SELECT max(seq) FROM ledger)`,
}

/** @returns a database in memory, to be closed by the caller @throws SqlFailure */
export async function readStartRows(url: string): Promise<RawDatabase> {
  const client = new pg.Client(configOf(url))
  await client.connect().catch((error: unknown) => {
    throw failureOf(error)
  })
  const db = openInMemory()
  try {
    await runOn(client, 'BEGIN TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY', [])
    for (const [table, columns] of Object.entries(TABLES)) {
      const { rows } = await runOn(client, READS[table as keyof typeof TABLES], [])
      db.exec(`CREATE TABLE ${table} (${columns.join(', ')})`)
      const insert = db.prepare(`INSERT INTO ${table} VALUES (${columns.map((name) => `@${name}`).join(', ')})`)
      db.transaction(() => {
        for (const row of rows) insert.run(row)
      })()
    }
    // Read for each checkpoint.
    db.exec('CREATE UNIQUE INDEX ledger_seq ON ledger (seq)')
    return db
  } catch (error) {
    db.close()
    throw error
  } finally {
    await client.end()
  }
}
