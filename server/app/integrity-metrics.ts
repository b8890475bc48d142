import { Gauge, type Registry } from 'prom-client'
import { lastBackups } from '../features/integrity/backup/backups.store.ts'
import { openAlarms } from '../kernel/ledger/alarms.store.ts'
import type { Database } from '../kernel/database/database.ts'
import { coverage, type CoverageRow } from '../features/integrity/fixity/blob-checks.store.ts'
import type { BlobStore } from '../storage/store.ts'
import type { Clock } from '../platform/clock/clock.ts'

/** Metrics of the integrity of the store, for monitoring many stations. They are computed when they are read. */
export function registerIntegrityMetrics(
  registry: Registry,
  { db, clock, store }: { db: Database; clock: Clock; store: Pick<BlobStore, 'requests'> },
): void {
  const gauge = (name: string, help: string, value: () => Promise<number>): void => {
    // The registry keeps the gauge, which registers itself.
    const registered = new Gauge({
      name,
      help,
      registers: [registry],
      async collect() {
        this.set(await value())
      },
    })
    registered.set(0)
  }
  const now = (): number => clock.now()
  let asked: Promise<CoverageRow | undefined> | null = null
  /** One look at all rows for the gauges of one reading. */
  const covered = (): Promise<CoverageRow | undefined> =>
    (asked ??= db
      .longRead(coverage(db.read, now()))
      .then(([found]) => found)
      .finally(() => {
        asked = null
      }))
  gauge(
    'sallyport_fixity_oldest_check_age_seconds',
    'Since the blob that was not read for longest was read',
    async () => {
      const oldest = (await covered())?.oldest_at ?? null
      return oldest === null ? 0 : (now() - oldest) / 1000
    },
  )
  gauge('sallyport_fixity_coverage_ratio', 'Part of the stored bytes that was read within its time', async () => {
    const found = await covered()
    return found === undefined || found.bytes === 0 ? 1 : found.bytes_in_time / found.bytes
  })
  gauge('sallyport_fixity_overdue_blobs', 'Blobs that were not read within their time', async () => {
    const found = await covered()
    return found === undefined ? 0 : found.blobs - found.blobs_in_time
  })
  gauge(
    'sallyport_fixity_bad_blobs',
    'Blobs that were not as they were taken in when they were last read',
    async () => (await covered())?.bad ?? 0,
  )
  gauge('sallyport_alarms_open', 'Alarms that nobody has acknowledged', () => openAlarms(db.read))
  const { requests } = store
  if (requests !== null) {
    gauge('sallyport_object_store_requests', 'Requests made of the object store', async () => requests().all)
    gauge(
      'sallyport_object_store_check_requests',
      'Requests made of the object store to read blobs again and check them',
      async () => requests().checks,
    )
  }
  gauge('sallyport_backup_age_seconds', 'Since the last snapshot was begun; -1 without any', async () => {
    const made = (await lastBackups(db.read, 50)).find(({ state }) => state === 'made')
    return made === undefined ? -1 : (now() - made.started_at) / 1000
  })
}
