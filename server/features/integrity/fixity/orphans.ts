import { quarantineReason } from '../../../../shared/messages/quarantine-reasons.ts'
import { alarmReason } from '../../../../shared/messages/alarm-reasons.ts'
import type { Alarms } from '../../../kernel/ledger/alarms.ts'
import type { Call } from '../../../kernel/ledger/call.ts'
import type { Ledger } from '../../../kernel/ledger/ledger.ts'
import { expectedBlobs } from '../verification/verify-blobs.ts'
import type { Database } from '../../../kernel/database/database.ts'
import { type Clock, isoMillis } from '../../../platform/clock/clock.ts'
import { removeBlobUnlessBusy } from '../../../kernel/evidence/blob-removals.ts'
import { blobIsKnown, insertQuarantine } from '../../../kernel/evidence/records.store.ts'
import type { BlobStore, Difference } from '../../../storage/store.ts'
import { blobChecks } from '../../../kernel/evidence/checks.store.ts'
import { addToRun, rememberWalk, type RunRow } from './blob-checks.store.ts'
import { keepResult, tellResources } from './blob-result.ts'
import type { Presence } from './presence.ts'

interface Deps {
  readonly db: Database
  readonly store: Pick<BlobStore, 'removalsEndAfter' | 'compare' | 'setAside'>
  readonly ledger: Pick<Ledger, 'append'>
  readonly alarms: Pick<Alarms, 'raise'>
  readonly clock: Clock
  readonly presence: Pick<Presence, 'require'>
}

/**
 * Compares names and lengths of all blobs with the rows. Orphans are moved to quarantine, never deleted. A missing blob, or one of another
 * length, raises an alarm. @throws the signal's reason, Away; then the comparison counts as not done
 */
export async function walkNames(deps: Deps, run: RunRow | null, call: Call, signal: AbortSignal): Promise<void> {
  const { db, store, ledger, clock } = deps
  const began = clock.now()
  const isKnown = (sha256: string): Promise<boolean> => blobIsKnown(db.read, sha256)
  let problems = 0
  for await (const difference of store.compare({ rows: expectedBlobs(db), isKnown, read: false, signal })) {
    const reported =
      difference.kind === 'untracked' ? await aside(deps, call, difference) : await damaged(deps, call, difference)
    if (reported) problems += 1
  }
  signal.throwIfAborted()
  await db.transaction(async (tx) => {
    await rememberWalk(tx, began)
    await ledger.append(tx, call, {
      action: 'fixity.checked',
      object: { type: 'station', id: '1', name: '' },
      outcome: problems === 0 ? 'ok' : 'failed',
      detail: { names: true, problems, run: run === null ? null : String(run.run_id) },
    })
    if (run !== null && problems > 0) await addToRun(tx, run.run_id, { blobs: 0, bytes: 0, problems })
  })
}

/** @returns whether it is a separate problem */
async function aside(
  { db, store, ledger, alarms, clock }: Deps,
  call: Call,
  { path, name }: Difference,
): Promise<boolean> {
  const reason = quarantineReason('untracked')
  const put = await removeBlobUnlessBusy({ db, store }, blobIsKnown, (isKnown) => store.setAside(path, isKnown, reason))
  if (put === null) return false
  await db.transaction(async (tx) => {
    await insertQuarantine(tx, {
      path: put.path,
      reason: put.reason,
      sha256: put.sha256,
      length: put.length,
      resourceId: null,
      createdUtc: isoMillis(clock.now()),
    })
    await ledger.append(tx, call, {
      action: 'quarantine.added',
      object: { type: 'blob', id: put.sha256 ?? '', name },
      reason: put.reason,
      bytes: put.length,
    })
    await alarms.raise(tx, call, {
      kind: 'untracked',
      subject: name,
      message: alarmReason('untracked'),
      detail: { length: put.length },
    })
  })
  return true
}

/** @returns whether the problem is new */
async function damaged(
  { db, ledger, alarms, clock, presence }: Deps,
  call: Call,
  { kind, sha256 }: Difference,
): Promise<boolean> {
  if (sha256 === null) return false
  const result = kind === 'missing' ? 'missing' : 'changed'
  if ((await blobChecks(db.read, [sha256])).get(sha256)?.result === result) return false
  await presence.require()
  const verified = { result, found: null, length: null, readBack: 'cache', problem: null } as const
  const one = { sha256, at: clock.now(), verified }
  return db.transaction(async (tx) => {
    const expected = await keepResult(tx, alarms, call, one)
    if (expected) await tellResources(tx, ledger, call, one)
    return expected
  })
}
