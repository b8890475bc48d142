import type { ScriptConnection } from './sqlite/connections.ts'
import * as firstRelease from './migrations/0011-first-release.ts'
import * as forwarding from './migrations/0012-forwarding.ts'
import * as nodes from './migrations/0013-nodes.ts'
import * as jobsOfNodes from './migrations/0014-jobs-of-nodes.ts'
import * as keysAndChallenges from './migrations/0015-keys-and-challenges.ts'
import * as uploadsOnNodes from './migrations/0016-uploads-on-several-nodes.ts'
import * as restoredStations from './migrations/0017-restored-stations.ts'
import * as caseWork from './migrations/0018-case-work.ts'
import * as packages from './migrations/0019-packages.ts'
import * as wordsOfNotes from './migrations/0020-words-of-notes.ts'
import * as validation from './migrations/0021-validation.ts'
import * as disclosure from './migrations/0022-disclosure.ts'
import * as imports from './migrations/0023-imports.ts'
import * as shareLinks from './migrations/0024-share-links.ts'
import * as disclosureApproval from './migrations/0025-disclosure-approval.ts'
import * as packageWitnesses from './migrations/0026-package-witnesses.ts'
import * as packageOrders from './migrations/0027-package-orders.ts'
import * as blobsReadAgain from './migrations/0028-blobs-read-again.ts'

interface Migration {
  readonly version: number
  readonly name: string
  readonly sql: string
  /**
   * The oldest schema version whose programs go on working with the schema after this step, so that nodes are upgraded one after the other
   * (docs/decisions/0029). Not given: none but those of this version.
   */
  readonly oldestProgram?: number
}

/** The database was written by a newer program. Nothing was changed. */
export class DatabaseNewer extends Error {
  override readonly name = 'DatabaseNewer'
  readonly code = 'DatabaseNewer'
}

/** The database was written by a program before the first release. Nothing was changed. */
export class DatabaseBeforeRelease extends Error {
  override readonly name = 'DatabaseBeforeRelease'
  readonly code = 'DatabaseBeforeRelease'
}

/** A static numbered list. Released steps never change. The first one creates the schema of the first release. */
export const MIGRATIONS: readonly Migration[] = [
  firstRelease,
  forwarding,
  nodes,
  jobsOfNodes,
  keysAndChallenges,
  uploadsOnNodes,
  restoredStations,
  caseWork,
  packages,
  wordsOfNotes,
  validation,
  disclosure,
  imports,
  shareLinks,
  disclosureApproval,
  packageWitnesses,
  packageOrders,
  blobsReadAgain,
]

/** The schema version of this program. */
export const newestSchema = (): number => (MIGRATIONS.at(-1) as Migration).version

/** Whether all steps after `version` only add to what programs of that version know, so that no row is another one since. */
export const onlyAddsSince = (version: number): boolean =>
  MIGRATIONS.filter((step) => step.version > version).every(
    ({ version: own, oldestProgram = own }) => oldestProgram <= version,
  )

/** The steps that create the schema of a version from nothing. @throws DatabaseNewer, DatabaseBeforeRelease */
export function stepsTo(version: number): Migration[] {
  refuseUnknown(version)
  return MIGRATIONS.filter((step) => step.version <= version)
}

/**
 * Applies the missing steps up to `target`, each in its own transaction with its version number. Kysely's Migrator uses no transactions on
 * SQLite. @throws DatabaseNewer, DatabaseBeforeRelease
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

/**
 * A new database has version 0. @param oldestProgram the oldest version whose programs may use the database
 * @throws DatabaseNewer, DatabaseBeforeRelease
 */
export function refuseUnknown(version: number, oldestProgram = version): void {
  const newest = newestSchema()
  if (version > newest && oldestProgram > newest) {
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
