import { join } from 'node:path'
import { type StartFindings, inspectStart, tamperedMessage } from '../features/integrity/verification/start-check.ts'
import type { Database } from '../kernel/database/database.ts'
import { noteRowsInDoubt } from '../features/integrity/verification/rows-in-doubt.ts'
import type { Clock } from '../platform/clock/clock.ts'
import { DataFolderChanged } from '../platform/files/known-folder.ts'
import { openKeys, type StationKeys } from '../platform/secrets/keys.ts'

export interface TrustedStart {
  readonly keys: StationKeys
  /** Whether the station had a past; if not, its keys were made now. */
  readonly established: boolean
  /** Null: the ledger and the schema are as the station left them. */
  readonly findings: StartFindings | null
  /** What people are told of the findings. */
  readonly tampered: string | null
}

/** Beside the database: rows that were not what the ledger says before the schema was brought up to date. */
export const doubtsFolder = (data: string): string => join(data, 'rows-in-doubt')

/** Before anything is opened for writing. @throws KeysMissing, DatabaseNewer, or Error where the database cannot be read at all */
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

/**
 * After the database was opened: keys that were made for a new station sign no ledger that has entries. It comes to that where the
 * volume of the data folder is mounted while the station starts.
 * @throws DataFolderChanged
 */
export async function requireSameStation(db: Database, { established }: TrustedStart): Promise<void> {
  if (established) return
  const entry = await db.read.selectFrom('ledger').select('seq').limit(1).executeTakeFirst()
  if (entry !== undefined)
    throw new DataFolderChanged(
      'There was no station in the data folder when this one began to start, and now there is one. Nothing was recorded in it. ' +
        'See to it that the volume of the folder is mounted before the station starts, then start again.',
    )
}
