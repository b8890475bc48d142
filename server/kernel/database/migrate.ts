import type { SqlConnection } from './sqlite/connections.ts'
import * as firstEvidence from './migrations/0001-first-evidence.ts'
import * as cases from './migrations/0003-cases.ts'
import * as people from './migrations/0004-people.ts'
import * as signIn from './migrations/0005-sign-in.ts'
import * as wholeLife from './migrations/0006-whole-life.ts'
import * as dock from './migrations/0007-dock.ts'
import * as cad from './migrations/0008-cad.ts'
import * as lan from './migrations/0009-lan.ts'
import * as viewers from './migrations/0010-viewers.ts'
import * as review from './migrations/0011-review.ts'
import * as window from './migrations/0002-window.ts'

interface Migration {
  readonly version: number
  readonly name: string
  readonly sql: string
}

/** Written by a newer program; nothing was changed. */
export class DatabaseNewer extends Error {
  override readonly name = 'DatabaseNewer'
  readonly code = 'DatabaseNewer'
}

/** Static and numbered; a step that was released is never changed. */
export const MIGRATIONS: readonly Migration[] = [
  firstEvidence,
  window,
  cases,
  people,
  signIn,
  wholeLife,
  dock,
  cad,
  lan,
  viewers,
  review,
]

/**
 * Applies what is missing up to `target`, each step in its own transaction together with the record that it was applied
 * (Kysely's Migrator uses none on SQLite). @throws DatabaseNewer
 */
export async function migrate(connection: SqlConnection, target: number = MIGRATIONS.length): Promise<void> {
  const found = await connection.run('PRAGMA user_version', [])
  const current = Number((found.rows[0] as { user_version: number }).user_version)
  if (current > MIGRATIONS.length) {
    throw new DatabaseNewer(
      `This station's database is of version ${current}; this program knows ${MIGRATIONS.length}. Use the newer program.`,
    )
  }
  for (const step of MIGRATIONS.slice(current, target)) {
    await connection.run('BEGIN IMMEDIATE', [])
    try {
      for (const statement of statementsOf(step.sql)) await connection.run(statement, [])
      await connection.run(`PRAGMA user_version = ${step.version}`, [])
      await connection.run('COMMIT', [])
    } catch (error) {
      await connection.run('ROLLBACK', [])
      throw new Error(`Migration ${step.version} (${step.name}) failed: ${(error as Error).message}`, { cause: error })
    }
  }
}

/** Statements end with a semicolon at the end of a line; a trigger's body stays on one line for that reason. */
export function statementsOf(sql: string): string[] {
  return sql
    .split(/;[ \t]*\n/)
    .map((statement) => statement.trim())
    .filter((statement) => statement !== '')
}
