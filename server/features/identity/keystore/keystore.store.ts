import type { Tx } from '../../../kernel/database/database.ts'
import { setStationValue, stationValue } from '../../../kernel/database/station-values.ts'

const CURRENT = 'tenant-key'

/** Id of the key that the ledger recorded last; null before the first. */
export const knownTenantKey = (from: Tx): Promise<string | null> => stationValue(from, CURRENT)

export const rememberTenantKey = (tx: Tx, kid: string): Promise<void> => setStationValue(tx, CURRENT, kid)
