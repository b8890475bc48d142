import type { Tx } from '../../db/database.ts'
import type { ResourceRow } from '../records/records.repository.ts'
import { lastChecks, readBacks } from './fixity.repository.ts'

/** What was last found when the bytes of a resource were read from the disk. */
export interface LastCheck {
  readonly timeUtc: string
  readonly result: 'matches' | 'changed' | 'missing'
  readonly readBack: 'direct' | 'cache' | null
  /** Bytes are read back before a resource is complete: that is the first check of each. */
  readonly kind: 'ingest' | 'requested'
}

/** Of each resource that has bytes, by id. */
export async function lastChecksOf(db: Tx, rows: readonly ResourceRow[]): Promise<Map<number, LastCheck>> {
  const complete = rows.filter(({ sha256 }) => sha256 !== null)
  const checks = await lastChecks(
    db,
    complete.map((row) => row.resource_id),
  )
  const unchecked = complete.filter((row) => !checks.has(row.resource_id))
  const how = await readBacks(db, [...new Set(unchecked.map((row) => row.sha256 as string))])
  return new Map(
    complete.map((row) => {
      const check = checks.get(row.resource_id)
      return [
        row.resource_id,
        check === undefined
          ? ingested(row, how.get(row.sha256 as string) ?? null)
          : { timeUtc: check.checked_utc, result: check.result, readBack: check.read_back, kind: 'requested' },
      ] as const
    }),
  )
}

export const ingested = (row: ResourceRow, readBack: LastCheck['readBack']): LastCheck => ({
  timeUtc: row.uploaded_utc ?? row.created_utc,
  result: 'matches',
  readBack,
  kind: 'ingest',
})
