import type { ScriptConnection } from './sqlite/connections.ts'
import * as firstRelease from './migrations/0011-first-release.ts'

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

/** Written by a program before the first release; nothing was changed. */
export class DatabaseBeforeRelease extends Error {
  override readonly name = 'DatabaseBeforeRelease'
  readonly code = 'DatabaseBeforeRelease'
}

/** Static and numbered; a step that was released is never changed. The first one makes the schema of the first release from nothing. */
export const MIGRATIONS: readonly Migration[] = [firstRelease]

/** The schema that this program works with. */
export const newestSchema = (): number => (MIGRATIONS.at(-1) as Migration).version

/** SQL that makes the schema of a version from nothing, a step each. @throws DatabaseNewer, DatabaseBeforeRelease */
export function stepsTo(version: number): Migration[] {
  refuseUnknown(version)
  return MIGRATIONS.filter((step) => step.version <= version)
}

/**
 * Applies what is missing up to `target`, each step in its own transaction together with the record that it was applied
 * (Kysely's Migrator uses none on SQLite). @throws DatabaseNewer, DatabaseBeforeRelease
 */
export async function migrate(connection: ScriptConnection, target = newestSchema()): Promise<void> {
  const found = await connection.run('PRAGMA user_version', [])
  const current = Number((found.rows[0] as { user_version: number }).user_version)
  refuseUnknown(current)
  for (const step of stepsTo(target).filter(({ version }) => version > current)) {
    await connection.run('BEGIN IMMEDIATE', [])
    try {
      await connection.script(step.sql)
      await connection.run(`PRAGMA user_version = ${step.version}`, [])
      await connection.run('COMMIT', [])
    } catch (error) {
      await connection.run('ROLLBACK', [])
      throw new Error(`Migration ${step.version} (${step.name}) failed: ${(error as Error).message}`, { cause: error })
    }
  }
}

/** A new database is of version 0. */
function refuseUnknown(version: number): void {
  const newest = newestSchema()
  if (version > newest) {
    throw new DatabaseNewer(
      `This station's database is of version ${version}; this program knows ${newest}. Use the newer program.`,
    )
  }
  const { version: first } = MIGRATIONS[0] as Migration
  if (version > 0 && version < first) {
    throw new DatabaseBeforeRelease(
      `This station's database is of version ${version}, from a program before the first release. Start it once with the last program before the release, which brings it to version ${first}; then start this one.`,
    )
  }
}
