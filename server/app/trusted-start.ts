import { join } from 'node:path'
import {
  type StartFindings,
  headquartersFindings,
  inspectStart,
  tamperedMessage,
} from '../features/integrity/verification/start-check.ts'
import type { Database } from '../kernel/database/database.ts'
import { noteRowsInDoubt } from '../features/integrity/verification/rows-in-doubt.ts'
import type { Clock } from '../platform/clock/clock.ts'
import { DataFolderChanged } from '../platform/files/known-folder.ts'
import { hasLedger, migratePostgres, stepsAreDue } from '../kernel/database/postgres/migrate.ts'
import { withCopyInData } from '../kernel/database/postgres/snapshot.ts'
import { readStartRows } from '../kernel/database/postgres/start-rows.ts'
import {
  isReadable,
  type PostgresDifference,
  schemaDifferencesOnPostgres,
} from '../kernel/database/postgres/schema-check.ts'
import { checkWrappedKeys, openWrappedKeys, requireKeys } from '../kernel/database/postgres/wrapped-keys.ts'
import type { Log } from '../platform/log/log.ts'
import { openKeyFiles } from '../platform/secrets/key-files.ts'
import { openKeys, openKeysIn, type StationKeys } from '../platform/secrets/keys.ts'
import { openWrappingKeys, type WrappingSource } from '../platform/secrets/wrapping.ts'

export interface TrustedStart {
  readonly keys: StationKeys
  /** Whether the station has entries or checkpoints. If not, missing keys were created now. */
  readonly established: boolean
  /** Differences from the state that the station left; null without any. */
  readonly findings: StartFindings | null
  /** Text for people about the findings. */
  readonly tampered: string | null
}

/** Of a headquarters. */
interface TrustedHeadquarters extends TrustedStart {
  readonly schema: readonly PostgresDifference[]
}

/** Folder with notes of rows that differed from the ledger before an update of the schema. */
export const doubtsFolder = (data: string): string => join(data, 'rows-in-doubt')

/** Checks the station before any file is opened for writing. @throws KeysMissing, DatabaseNewer, or Error when the database cannot be read */
export async function trustedStart(data: string, clock: Clock): Promise<TrustedStart> {
  const file = join(data, 'sallyport.db')
  const inspection = await inspectStart(file, join(data, 'checkpoints'))
  try {
    const keys = await openKeys(join(data, 'keys'), { clock, established: inspection.established })
    const findings = await inspection.findings(keys.signing.publicKeys())
    if (findings === null && inspection.outdated) await noteRowsInDoubt(file, doubtsFolder(data))
    return {
      keys,
      established: inspection.established,
      findings,
      tampered: findings === null ? null : tamperedMessage(findings),
    }
  } finally {
    inspection.close()
  }
}

export interface OnPostgres extends WrappingSource {
  readonly url: string
  readonly clock: Clock
  readonly log: Pick<Log, 'warn'>
}

/**
 * The same on PostgreSQL, where the keys lie wrapped in the database (decisions 28). The schema is compared with the
 * migrations, and the ledger with its checkpoints, those beside this node and those outside. Of an established one nothing is written before
 * that.
 * @throws KeysMissing, KeysUnusable, DatabaseUnsuitable, DatabaseNewer, or SqlFailure when the database cannot be reached
 */
export async function trustedStartOnPostgres(
  data: string,
  { url, clock, log, ...source }: OnPostgres,
): Promise<TrustedHeadquarters> {
  const wrapping = await openWrappingKeys(source)
  if (wrapping.warning !== null) log.warn(wrapping.warning)
  const established = await hasLedger(url)
  const there = await checkWrappedKeys(url, wrapping)
  if (established) requireKeys(there)
  // A new database gets its tables, and then its keys.
  await migratePostgres(url, { readOnly: established, besideNewer: true })
  const schema = established ? await schemaDifferencesOnPostgres(url) : []
  const store = await openWrappedKeys(url, wrapping)
  try {
    const own = await openKeyFiles(join(data, 'keys'))
    const keys = await openKeysIn(store, own, { clock, established })
    const findings = established ? await findingsOnPostgres(url, data, keys, schema) : null
    if (findings === null && (await stepsAreDue(url))) await updateSchema(url, data)
    return { keys, established, findings, tampered: findings === null ? null : tamperedMessage(findings), schema }
  } catch (error) {
    await store.close()
    throw error
  }
}

/** Compares every row first, in a copy. Only the first node of a newer program has steps to do. */
async function updateSchema(url: string, data: string): Promise<void> {
  await withCopyInData(url, data, (file) => noteRowsInDoubt(file, doubtsFolder(data)))
  await migratePostgres(url, { readOnly: false, besideNewer: true })
}

async function findingsOnPostgres(
  url: string,
  data: string,
  keys: StationKeys,
  schema: readonly PostgresDifference[],
): Promise<StartFindings | null> {
  const rows = isReadable(schema) ? await readStartRows(url) : null
  try {
    const notes = join(data, 'checkpoints')
    const findings = await headquartersFindings({ schema, rows, notes, keys: keys.signing.publicKeys() })
    // As on SQLite, a database of an older program is not opened: that would change its schema.
    return findings === null ? null : { ...findings, readable: findings.readable && !(await stepsAreDue(url)) }
  } finally {
    rows?.close()
  }
}

/**
 * Called after the database was opened: keys that were created for a new station must not sign a ledger with entries. This happens when the
 * volume of the data folder is mounted during the start.
 * @throws DataFolderChanged
 */
export async function requireSameStation(db: Database, { established }: TrustedStart): Promise<void> {
  if (established) return
  const entry = await db.read.selectFrom('ledger').select('seq').limit(1).executeTakeFirst()
  if (entry !== undefined)
    throw new DataFolderChanged(
      'There was no station in the data folder when this one began to start, and now there is one. Nothing was recorded in it. ' +
        'Make sure that the volume of the folder is mounted before the station starts, then start again.',
    )
}
