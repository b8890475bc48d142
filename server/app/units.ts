/** The list of units of work, which the database's thread loads (docs/architecture.md). The module must not start or open anything. */
import { caseUnits } from '../features/cases/units.ts'
import { officersCarrying } from '../features/devices/associations.store.ts'
import { dueNotices } from '../features/disclosure/due-notices.ts'
import { createNotices } from '../features/notifications/notices.ts'
import { templateOf } from '../features/templates/templates.store.ts'
import { createAccess } from '../kernel/access/access.ts'
import { listUnits, type UnitList } from '../kernel/database/units.ts'
import { publishTo } from '../kernel/events/events.ts'
import { createRecords } from '../kernel/evidence/records.ts'
import { insertJob } from '../kernel/jobs/jobs.store.ts'
import type { JobQueue } from '../kernel/jobs/queue.ts'
import { createLedgerWriter } from '../kernel/ledger/ledger-writer.ts'
import { ledgerUnits } from '../kernel/ledger/ledger.units.ts'
import { versionWriter as versions } from '../kernel/versions/versions.ts'
import { type Clock, isoMillis } from '../platform/clock/clock.ts'
import { timeOf } from '../../shared/kernel/time.ts'

export function createUnits(clock: Clock): UnitList {
  const access = createAccess({ clock })
  const notices = createNotices({
    clock,
    access,
    officersOf: async (tx, deviceId) => {
      const officers = await officersCarrying(tx, deviceId, timeOf(clock.now()).ticks)
      return officers.map((officer) => officer.principal_id)
    },
  })
  const ledger = createLedgerWriter({
    clock,
    appended: publishTo([notices, { on: dueNotices({ clock, access, notices }) }]),
  })
  // The caller of a unit that enqueues a job must kick the queue after the commit. A unit queues no job that is bound to a node.
  const jobs: Pick<JobQueue, 'enqueue'> = { enqueue: (tx, job) => insertJob(tx, job, isoMillis(clock.now()), null) }
  const records = createRecords({ ledger, versions, jobs, clock })
  const customFields = async (from: Parameters<typeof templateOf>[0], tenant: string) =>
    (await templateOf(from, tenant, 'Case'))?.customFields ?? []
  return {
    bodies: listUnits(...ledgerUnits(ledger), ...caseUnits({ clock, ledger, versions, access, records, customFields })),
    beforeEnd: ledger.stateRemainingChanges,
    chainEntries: ledger.chainEntries,
  }
}
