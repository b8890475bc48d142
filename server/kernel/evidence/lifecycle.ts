import type { Call } from '../ledger/call.ts'
import type { Ledger } from '../ledger/ledger.ts'
import type { Tx } from '../database/database.ts'
import { type Clock, isoMillis } from '../../platform/clock/clock.ts'
import { evidenceObject, principalThen } from './objects.ts'
import { type EvidenceRow, updateEvidence } from './records.store.ts'

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

interface Deps {
  readonly ledger: Pick<Ledger, 'append'>
  clock: Clock
  /** One more version, as the row stands in the transaction. */
  evidenceVersion: (tx: Tx, call: Call, id: number, tenant: string, action: string) => Promise<EvidenceRow>
}

const UNPROTECTED = { lifecycle_state: 'None', protected_until: null, protected_ticks: null } as const

export function createEvidenceLifecycle({ ledger, clock, evidenceVersion }: Deps): EvidenceLifecycle {
  const moved = async (
    tx: Tx,
    call: Call,
    { evidence_id: id, tenant_id: tenant }: EvidenceRow,
    set: Parameters<typeof updateEvidence>[2],
    action: 'evidence.protected' | 'evidence.unprotected' | 'evidence.deleted' | 'evidence.restored',
    detail: Readonly<Record<string, unknown>> = {},
  ): Promise<EvidenceRow> => {
    await updateEvidence(tx, id, set)
    const row = await evidenceVersion(tx, call, id, tenant, action)
    await ledger.append(tx, call, {
      action,
      object: evidenceObject(row),
      detail: { ...detail, concurrencyId: row.concurrency_id },
    })
    return row
  }

  return {
    protectEvidence: (tx, call, evidence, { until, reason }) =>
      moved(
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
      moved(tx, call, evidence, UNPROTECTED, 'evidence.unprotected', ended === undefined ? {} : { until: ended }),
    deleteEvidence: (tx, call, evidence, withCase) =>
      moved(
        tx,
        call,
        evidence,
        {
          // A protection that ran out a moment ago and was not yet written down goes with it.
          ...UNPROTECTED,
          lifecycle_state: 'Deleted',
          deleted_utc: isoMillis(clock.now()),
          deleted_by: JSON.stringify(principalThen(call.actor)),
          deleted_with_case: withCase ?? null,
        },
        'evidence.deleted',
        // Which case is told by its own entry: not everybody who reads the custody of the evidence may know of it.
        withCase === undefined ? {} : { withCase: true },
      ),
    restoreEvidence: (tx, call, evidence) =>
      moved(
        tx,
        call,
        evidence,
        { lifecycle_state: 'None', deleted_utc: null, deleted_by: null, deleted_with_case: null },
        'evidence.restored',
      ),
  }
}

/** A protection that has run out protects no more, also before the station has written that down. */
export const evidenceAsOf = (row: EvidenceRow, nowTicks: bigint): EvidenceRow =>
  row.lifecycle_state === 'Protected' && row.protected_ticks !== null && row.protected_ticks <= nowTicks
    ? { ...row, ...UNPROTECTED }
    : row
