import { join } from 'node:path'
import { type StartFindings, inspectStart, tamperedMessage } from '../custody/start-check.ts'
import type { Clock } from '../platform/clock/clock.ts'
import { openKeys, type StationKeys } from '../platform/secrets/keys.ts'

export interface TrustedStart {
  readonly keys: StationKeys
  /** Null: the ledger and the schema are as the station left them. */
  readonly findings: StartFindings | null
  /** What people are told of the findings. */
  readonly tampered: string | null
}

/** Before anything is opened for writing. @throws KeysMissing, DatabaseNewer, or Error where the database cannot be read at all */
export async function trustedStart(data: string, clock: Clock): Promise<TrustedStart> {
  const inspection = await inspectStart(join(data, 'sallyport.db'), join(data, 'checkpoints'))
  try {
    const keys = await openKeys(join(data, 'keys'), { clock, established: inspection.established })
    const findings = await inspection.findings(keys.signing.publicKeys())
    return { keys, findings, tampered: findings === null ? null : tamperedMessage(findings) }
  } finally {
    inspection.close()
  }
}
