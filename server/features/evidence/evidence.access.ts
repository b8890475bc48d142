/** Finds an evidence and judges who asks for it, where it is read or inside the transaction that writes (decisions 3). */
import type { Fault } from '../../../shared/kernel/errors.ts'
import type { Level } from '../../../shared/kernel/permissions.ts'
import { timeOf } from '../../../shared/kernel/time.ts'
import type { Tx } from '../../kernel/database/database.ts'
import type { Access } from '../../kernel/access/access.ts'
import { refusalOfLevel } from '../../kernel/access/evidence-level.ts'
import { evidenceAsOf } from '../../kernel/evidence/lifecycle.ts'
import { type EvidenceRow, evidenceById } from '../../kernel/evidence/records.store.ts'
import type { Clock } from '../../platform/clock/clock.ts'
import type { HttpCall } from '../../http/handlers.ts'

/**
 * The route was checked before; this check is the service's own, so that the route's is never the only one, and a right that went
 * meanwhile is gone.
 * @throws Fault EvidenceNotFound (also for who cannot view it), EvidenceDeleted, Forbidden below `needed`
 */
export type ReachEvidence = (
  from: Tx,
  call: HttpCall,
  tenant: string,
  evidenceId: string,
  needed: Exclude<Level, 'None'>,
) => Promise<{ readonly evidence: EvidenceRow; readonly held: Level }>

interface Deps {
  readonly access: Pick<Access, 'onEvidence'>
  readonly clock: Clock
}

/** The same, with the refusal as an answer, for where it has a consequence of its own. @throws Fault EvidenceNotFound where there is none */
export type LookAtEvidence = (
  ...asked: Parameters<ReachEvidence>
) => Promise<{ readonly evidence: EvidenceRow; readonly held: Level; readonly refusal: Fault | null }>

export function createReach({ access, clock }: Deps): { reach: ReachEvidence; look: LookAtEvidence } {
  const look: LookAtEvidence = async (from, call, tenant, evidenceId, needed) => {
    const row = await evidenceById(from, tenant, Number(evidenceId))
    // Ids beyond 2⁵³ cannot exist here; a rounded one must not find its neighbour.
    const evidence = row === undefined || String(row.evidence_id) !== evidenceId ? null : row
    // Also of what is not there: it must not be told apart from what the caller may not see (decisions 13).
    const held = await access.onEvidence(from, call.principal, Number(evidenceId))
    call.decided({ on: 'evidence', id: evidenceId, held })
    const found = evidence === null ? null : { level: held, deleted: evidence.lifecycle_state === 'Deleted' }
    const refusal = refusalOfLevel(evidenceId, found, needed)
    if (evidence === null) throw refusal
    return { evidence: evidenceAsOf(evidence, timeOf(clock.now()).ticks), held, refusal }
  }
  return {
    look,
    reach: async (...asked) => {
      const { evidence, held, refusal } = await look(...asked)
      if (refusal !== null) throw refusal
      return { evidence, held }
    },
  }
}
