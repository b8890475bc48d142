import { randomBytes } from 'node:crypto'
import type { Database, Tx } from '../kernel/database/database.ts'
import { setStationValue, stationValue } from '../kernel/database/station-values.ts'

/** The name of this station in its checkpoints. It is created once and kept in the database. No spaces, no plus (C2SP signed-note). */
export async function stationOrigin(db: Database): Promise<string> {
  const found = await stationValue(db.read, 'origin')
  if (found !== null) return found
  const value = `sallyport.local/${randomBytes(8).toString('hex')}`
  return db.transaction(async (tx) => {
    // Another node may start for the first time at this moment too.
    const other = await stationValue(tx, 'origin')
    if (other !== null) return other
    await tx.insertInto('station').values({ name: 'origin', value }).execute()
    return value
  })
}

/** Resolves when the database answers. */
export async function databaseAnswers(db: Database): Promise<void> {
  await db.read.selectFrom('station').select('name').limit(1).execute()
}

/** Result of the last verification of ledger and blobs. */
export interface LastVerification {
  readonly TimeUtc: string
  readonly Result: 'intact' | 'broken'
  readonly Problems: number
}

const LAST_VERIFICATION = 'last-verification'

export async function rememberVerification(tx: Tx, found: LastVerification): Promise<void> {
  await setStationValue(tx, LAST_VERIFICATION, JSON.stringify(found))
}

export async function lastVerification(from: Tx): Promise<LastVerification | null> {
  const found = await stationValue(from, LAST_VERIFICATION)
  return found === null ? null : (JSON.parse(found) as LastVerification)
}

/** Time of the station's first start, when its tenant was created; null before. */
export async function stationSince(from: Tx): Promise<string | null> {
  const row = await from.selectFrom('tenants').select('created_utc').orderBy('created_utc').limit(1).executeTakeFirst()
  return row?.created_utc ?? null
}
