import { INTERNAL } from '../../../shared/kernel/principal.ts'
import type { Tx } from '../database/database.ts'
import { isoMillis } from '../../platform/clock/clock.ts'
import { principalThen } from './objects.ts'
import type { ResourceRow } from './records.store.ts'
import { type BlobCheckRow, blobChecks, lastChecks, readBacks } from './checks.store.ts'

/** Result of the last reading of a resource's bytes from the disk. */
export interface LastCheck {
  readonly timeUtc: string
  readonly result: 'matches' | 'changed' | 'missing'
  readonly readBack: 'direct' | 'cache' | null
  /** `ingest`: bytes are read back before a resource is complete, which is its first check. `scheduled`: by the station's schedule. */
  readonly kind: 'ingest' | 'requested' | 'scheduled'
}

/** The last check of each resource with bytes, by id. */
export async function lastChecksOf(db: Tx, rows: readonly ResourceRow[]): Promise<Map<number, LastCheck>> {
  const complete = rows.filter(({ sha256 }) => sha256 !== null)
  const checks = await lastChecks(
    db,
    complete.map((row) => row.resource_id),
  )
  const hashes = [...new Set(complete.map((row) => row.sha256 as string))]
  const scheduled = await blobChecks(db, hashes)
  const how = await readBacks(db, hashes)
  return new Map(
    complete.map((row) => {
      const sha256 = row.sha256 as string
      const requested = checks.get(row.resource_id)
      const blobCheck = scheduled.get(sha256)
      // The row of the blob has the latest reading of all; rows of its resources have requested checks.
      if (
        blobCheck !== undefined &&
        blobCheck.times > 0 &&
        blobCheck.checked_at > Date.parse(requested?.checked_utc ?? '1970')
      )
        return [row.resource_id, scheduledCheck(blobCheck)] as const
      return [
        row.resource_id,
        requested === undefined
          ? ingested(row, how.get(sha256) ?? null)
          : {
              timeUtc: requested.checked_utc,
              result: requested.result,
              readBack: requested.read_back,
              kind: requested.checked_by === OWN ? 'scheduled' : 'requested',
            },
      ] as const
    }),
  )
}

const OWN = JSON.stringify(principalThen(INTERNAL))

const scheduledCheck = (row: BlobCheckRow): LastCheck => ({
  timeUtc: isoMillis(row.checked_at),
  result: row.result,
  readBack: row.read_back,
  kind: 'scheduled',
})

export const ingested = (row: ResourceRow, readBack: LastCheck['readBack']): LastCheck => ({
  timeUtc: row.uploaded_utc ?? row.created_utc,
  result: 'matches',
  readBack,
  kind: 'ingest',
})
