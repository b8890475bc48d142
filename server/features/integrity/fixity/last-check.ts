import { INTERNAL } from '../../../../shared/kernel/principal.ts'
import type { Tx } from '../../../kernel/database/database.ts'
import { isoMillis } from '../../../platform/clock/clock.ts'
import { principalThen } from '../../../kernel/evidence/objects.ts'
import type { ResourceRow } from '../../../kernel/evidence/records.store.ts'
import { type BlobCheckRow, blobChecks } from './blob-checks.store.ts'
import { lastChecks, readBacks } from './fixity.store.ts'

/** What was last found when the bytes of a resource were read from the disk. */
export interface LastCheck {
  readonly timeUtc: string
  readonly result: 'matches' | 'changed' | 'missing'
  readonly readBack: 'direct' | 'cache' | null
  /** Bytes are read back before a resource is complete: that is the first check of each. `scheduled`: the station did it by itself. */
  readonly kind: 'ingest' | 'requested' | 'scheduled'
}

/** Of each resource that has bytes, by id. */
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
      const asked = checks.get(row.resource_id)
      const own = scheduled.get(sha256)
      // The row of the blob carries the last reading of all; those of its resources say who asked.
      if (own !== undefined && own.times > 0 && own.checked_at > Date.parse(asked?.checked_utc ?? '1970'))
        return [row.resource_id, scheduledCheck(own)] as const
      return [
        row.resource_id,
        asked === undefined
          ? ingested(row, how.get(sha256) ?? null)
          : {
              timeUtc: asked.checked_utc,
              result: asked.result,
              readBack: asked.read_back,
              kind: asked.checked_by === OWN ? 'scheduled' : 'requested',
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
