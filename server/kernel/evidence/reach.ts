/** Finds an evidence and judges who asks for it, where it is read or inside the transaction that writes (decisions 3). */
import { type Fault, fault } from '../../../shared/kernel/errors.ts'
import type { Level, GrantedLevel } from '../../../shared/kernel/permissions.ts'
import { timeOf } from '../../../shared/kernel/time.ts'
import type { Database, Tx } from '../database/database.ts'
import type { Access } from '../access/access.ts'
import { refusalOfLevel } from '../access/evidence-level.ts'
import { evidenceAsOf } from './lifecycle.ts'
import { type EvidenceRow, evidenceById, type ResourceRow, resourceById } from './records.store.ts'
import type { Clock } from '../../platform/clock/clock.ts'
import type { UnitCall } from '../unit-calls.ts'

/**
 * The route was checked before; this check is the service's own, so that the route's is never the only one, and a right that went
 * meanwhile is gone.
 * @throws Fault EvidenceNotFound (also for who cannot view it), EvidenceDeleted, Forbidden below `needed`
 */
export type ReachEvidence = (
  from: Tx,
  call: UnitCall,
  tenant: string,
  evidenceId: string,
  needed: GrantedLevel,
) => Promise<{ readonly evidence: EvidenceRow; readonly held: Level }>

/** The rows of an evidence and of one of its resources, for a caller who holds the level. @throws Fault as `ReachEvidence`, ResourceNotFound */
export type ReachRows = (
  call: UnitCall,
  needed: GrantedLevel,
  of: { readonly tenant: string; readonly evidenceId: string; readonly resourceId?: string },
) => Promise<{ readonly evidence: EvidenceRow; readonly resource: ResourceRow | null }>

export interface EvidenceReach {
  readonly reach: ReachEvidence
  readonly look: LookAtEvidence
  readonly reachRows: ReachRows
}

/** @throws Fault ResourceNotFound */
export async function resourceIn(from: Tx, evidence: EvidenceRow, id: string): Promise<ResourceRow> {
  const row = await resourceById(from, Number(id))
  if (row === undefined || String(row.resource_id) !== id || row.evidence_id !== evidence.evidence_id)
    throw fault('ResourceNotFound', `Evidence ${evidence.evidence_id} has no resource ${id}.`)
  return row
}

interface Deps {
  readonly db: Pick<Database, 'read'>
  readonly access: Pick<Access, 'onEvidence'>
  readonly clock: Clock
}

/** The same, with the refusal as an answer, for where it has a consequence of its own. @throws Fault EvidenceNotFound where there is none */
export type LookAtEvidence = (
  ...asked: Parameters<ReachEvidence>
) => Promise<{ readonly evidence: EvidenceRow; readonly held: Level; readonly refusal: Fault | null }>

export function createReach({ db, access, clock }: Deps): EvidenceReach {
  const look: LookAtEvidence = async (from, call, tenant, evidenceId, needed) => {
    const row = await evidenceById(from, tenant, Number(evidenceId))
    // Ids beyond 2⁵³ cannot exist here; a rounded one must not find its neighbour.
    const evidence = row === undefined || String(row.evidence_id) !== evidenceId ? null : row
    // Also of what is not there: it must not be told apart from what the caller may not see (decisions 13).
    const held = await access.onEvidence(from, call.principal, Number(evidenceId))
    call.reportDecision({ on: 'evidence', id: evidenceId, held })
    const found = evidence === null ? null : { level: held, deleted: evidence.lifecycle_state === 'Deleted' }
    const refusal = refusalOfLevel(evidenceId, found, needed)
    if (evidence === null) throw refusal
    return { evidence: evidenceAsOf(evidence, timeOf(clock.now()).ticks), held, refusal }
  }
  const reach: ReachEvidence = async (...asked) => {
    const { evidence, held, refusal } = await look(...asked)
    if (refusal !== null) throw refusal
    return { evidence, held }
  }
  return {
    reach,
    look,
    reachRows: async (call, needed, { tenant, evidenceId, resourceId }) => {
      const { evidence } = await reach(db.read, call, tenant, evidenceId, needed)
      return { evidence, resource: resourceId === undefined ? null : await resourceIn(db.read, evidence, resourceId) }
    },
  }
}
