/** Who writes beside an evidence: found and judged inside the transaction that writes (decisions 3). */
import { Fault, fault } from '../../../shared/contract/errors.ts'
import { includes } from '../../../shared/domain/permissions.ts'
import type { Tx } from '../../db/database.ts'
import type { Access } from '../../evidence/access/access.ts'
import { type EvidenceRow, evidenceById } from '../../evidence/records/records.repository.ts'
import type { HttpCall } from '../handlers.ts'

/** @throws Fault EvidenceNotFound (also for who cannot view it), Forbidden below Edit */
export type Reached = (
  tx: Tx,
  call: HttpCall,
  tenant: string,
  evidenceId: string,
) => Promise<{ readonly evidence: EvidenceRow; readonly manages: boolean }>

export const reachForWriting =
  (access: Pick<Access, 'onEvidence'>): Reached =>
  async (tx, call, tenant, evidenceId) => {
    const evidence = await evidenceById(tx, tenant, Number(evidenceId))
    const held = evidence === undefined ? 'None' : await access.onEvidence(tx, call.principal, evidence.evidence_id)
    // Ids beyond 2⁵³ cannot exist here; a rounded one must not find its neighbour.
    if (evidence === undefined || String(evidence.evidence_id) !== evidenceId || held === 'None')
      throw fault('EvidenceNotFound', `There is no evidence ${evidenceId}.`)
    // It was judged before; a right that went meanwhile is gone.
    if (!includes(held, 'Edit'))
      throw new Fault('Forbidden', `This needs Edit on the evidence; you have ${held}.`, {
        reason: 'PrincipalCannotEditEvidence',
      })
    return { evidence, manages: includes(held, 'Manage') }
  }
