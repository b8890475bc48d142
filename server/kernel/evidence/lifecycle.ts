import type { Call } from '../ledger/call.ts'
import type { Tx } from '../database/database.ts'
import { isoMillis } from '../../platform/clock/clock.ts'
import { evidenceObject, principalThen } from './objects.ts'
import { type EvidenceRow, updateEvidence } from './records.store.ts'
import { evidenceVersion, type RecordDeps } from './row-versions.ts'

/**
 * What becomes of whole evidence (decisions 3, 4 and 6), each inside the caller's transaction: the row, its version and its ledger entry.
 * Whether it may be done is judged by whoever calls.
 */
export interface EvidenceLifecycle {
  /** @param until null: until somebody takes it away */
  protectEvidence(tx: Tx, call: Call, evidence: EvidenceRow, protection: Protection): Promise<EvidenceRow>
  /** @param ended when the protection ended by itself: its instant, as it was received */
  unprotectEvidence(tx: Tx, call: Call, evidence: EvidenceRow, ended?: string): Promise<EvidenceRow>
  /** Into the recycle bin. @param withCase the case that it goes with, and comes back with */
  deleteEvidence(tx: Tx, call: Call, evidence: EvidenceRow, withCase?: number): Promise<EvidenceRow>
  restoreEvidence(tx: Tx, call: Call, evidence: EvidenceRow): Promise<EvidenceRow>
}

export interface Protection {
  readonly until: { readonly text: string; readonly ticks: bigint } | null
  readonly reason: string
}

const UNPROTECTED = { lifecycle_state: 'None', protected_until: null, protected_ticks: null } as const

export const createEvidenceLifecycle = (deps: RecordDeps): EvidenceLifecycle => ({
  protectEvidence: (tx, call, evidence, { until, reason }) =>
    moved(
      deps,
      tx,
      call,
      evidence,
      {
        lifecycle_state: 'Protected',
        protected_until: until?.text ?? null,
        protected_ticks: until?.ticks ?? null,
      },
      'evidence.protected',
      { reason },
    ),
  unprotectEvidence: (tx, call, evidence, ended) =>
    moved(deps, tx, call, evidence, UNPROTECTED, 'evidence.unprotected', ended === undefined ? {} : { until: ended }),
  deleteEvidence: (tx, call, evidence, withCase) =>
    moved(
      deps,
      tx,
      call,
      evidence,
      {
        // A protection that ran out a moment ago and was not yet written down goes with it.
        ...UNPROTECTED,
        lifecycle_state: 'Deleted',
        deleted_utc: isoMillis(deps.clock.now()),
        deleted_by: JSON.stringify(principalThen(call.actor)),
        deleted_with_case: withCase ?? null,
      },
      'evidence.deleted',
      // Which case is told by its own entry: not everybody who reads the custody of the evidence may know of it.
      withCase === undefined ? {} : { withCase: true },
    ),
  restoreEvidence: (tx, call, evidence) =>
    moved(
      deps,
      tx,
      call,
      evidence,
      { lifecycle_state: 'None', deleted_utc: null, deleted_by: null, deleted_with_case: null },
      'evidence.restored',
    ),
})

async function moved(
  deps: RecordDeps,
  tx: Tx,
  call: Call,
  { evidence_id: id, tenant_id: tenant }: EvidenceRow,
  set: Parameters<typeof updateEvidence>[2],
  action: 'evidence.protected' | 'evidence.unprotected' | 'evidence.deleted' | 'evidence.restored',
  detail: Readonly<Record<string, unknown>> = {},
): Promise<EvidenceRow> {
  await updateEvidence(tx, id, set)
  const row = await evidenceVersion(deps, tx, call, id, tenant, action)
  await deps.ledger.append(tx, call, {
    action,
    object: evidenceObject(row),
    detail: { ...detail, concurrencyId: row.concurrency_id },
  })
  return row
}

/** A protection that has run out protects no more, also before the station has written that down. */
export const evidenceAsOf = (row: EvidenceRow, nowTicks: bigint): EvidenceRow =>
  row.lifecycle_state === 'Protected' && row.protected_ticks !== null && row.protected_ticks <= nowTicks
    ? { ...row, ...UNPROTECTED }
    : row
