import { jobReason } from '../../../../shared/messages/job-reasons.ts'
import { INTERNAL } from '../../../../shared/kernel/principal.ts'
import type { Alarms } from '../../../kernel/ledger/alarms.ts'
import type { Call } from '../../../kernel/ledger/call.ts'
import type { Ledger } from '../../../kernel/ledger/ledger.ts'
import type { Tx } from '../../../kernel/database/database.ts'
import { isoMillis } from '../../../platform/clock/clock.ts'
import { principalThen, resourceObject } from '../../../kernel/evidence/objects.ts'
import type { Verified } from '../../../storage/store.ts'
import { rememberRead, resourcesOfBlob } from './blob-checks.store.ts'
import { insertCheck } from '../../../kernel/evidence/checks.store.ts'

/** Result of the last reading of a blob, as rows and answers name it (promise I5). */
export const RESULTS = { ok: 'matches', changed: 'changed', missing: 'missing' } as const
export type Result = (typeof RESULTS)[keyof typeof RESULTS]

const DAY = 86_400_000
/** Milliseconds until a blob is read again. Damaged blobs are read sooner, because they may be repaired. */
const EVERY = 90 * DAY
const dueAfter = (result: Result): number => (result === 'matches' ? EVERY : DAY)

/** A sentence for people. */
export function saidOf({ result, readBack, problem }: Verified): string {
  if (result === 'missing') return jobReason('blobMissing')
  if (result === 'changed')
    return problem === null ? jobReason('blobChanged') : jobReason('blobUnreadable', { problem })
  return jobReason(readBack === 'direct' ? 'blobSame' : 'blobSameInCache')
}

/** A reading of a blob, with its time and result. */
export interface BlobRead {
  readonly sha256: string
  readonly at: number
  readonly verified: Verified
}

/**
 * Stores the result for a blob, in the caller's transaction. Any result but a match raises an alarm.
 * @returns false when no row names the blob any more
 */
export async function keepResult(
  tx: Tx,
  alarms: Pick<Alarms, 'raise'>,
  call: Call,
  { sha256, at, verified }: BlobRead,
): Promise<boolean> {
  const result = RESULTS[verified.result]
  const readBack = verified.found === null ? null : verified.readBack
  if (!(await rememberRead(tx, { sha256, at, dueAt: at + dueAfter(result), result, readBack }))) return false
  if (result === 'matches') return true
  const resources = await resourcesOfBlob(tx, sha256)
  await alarms.raise(tx, call, {
    kind: result,
    subject: sha256,
    message: saidOf(verified),
    detail: {
      found: verified.found,
      length: verified.length,
      evidence: [...new Set(resources.map((row) => String(row.evidence_id)))],
      resources: resources.map((row) => String(row.resource_id)),
    },
  })
  return true
}

/**
 * Records a new result with each resource of a blob: it decides the state of the evidence and belongs to its custody.
 */
export async function tellResources(
  tx: Tx,
  ledger: Pick<Ledger, 'append'>,
  call: Call,
  { sha256, at, verified }: BlobRead,
): Promise<void> {
  const result = RESULTS[verified.result]
  for (const row of await resourcesOfBlob(tx, sha256)) {
    if ((row.last ?? 'matches') === result) continue
    await insertCheck(tx, {
      resource_id: row.resource_id,
      expected_sha256: sha256,
      found_sha256: verified.found,
      result,
      read_back: verified.found === null ? null : verified.readBack,
      checked_utc: isoMillis(at),
      checked_by: JSON.stringify(principalThen(INTERNAL)),
    })
    await ledger.append(tx, call, {
      action: 'resource.checked',
      object: resourceObject(row),
      outcome: result === 'matches' ? 'ok' : 'failed',
      ...(result === 'matches' ? {} : { reason: saidOf(verified) }),
      ...(verified.length === null ? {} : { bytes: verified.length }),
      sha256,
      detail: { evidenceId: String(row.evidence_id), result, found: verified.found, requestedBy: INTERNAL.kId },
    })
  }
}
