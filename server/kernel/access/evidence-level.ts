/** The rule for levels on evidence, used by the route's check and by the checks of services. */
import { Fault, fault } from '../../../shared/kernel/errors.ts'
import { includes, type Level, type GrantedLevel } from '../../../shared/kernel/permissions.ts'

export interface HeldOnEvidence {
  readonly level: Level
  /** The evidence is in the recycle bin. */
  readonly deleted: boolean
}

const REASONS = {
  View: 'PrincipalCannotReadEvidence',
  Download: 'PrincipalCannotDownloadEvidence',
  Edit: 'PrincipalCannotEditEvidence',
  Manage: 'PrincipalCannotManageEvidence',
} as const

/**
 * The refusal, or null when the caller has the level. Evidence that the caller cannot view is answered as not found; the ledger gets the
 * reason (decisions 2). Evidence in the recycle bin is answered as deleted to callers who could view it, and none of it is served.
 * @param id as parsed by the contract
 * @param found null when there is no such evidence
 */
export function refusalOfLevel(id: string, found: HeldOnEvidence | null, needed: GrantedLevel): Fault | null {
  const reason = REASONS[needed]
  if (found === null || found.level === 'None')
    return new Fault('EvidenceNotFound', `There is no evidence ${id}.`, { reason })
  if (found.deleted) return fault('EvidenceDeleted', `Evidence ${id} is in the recycle bin.`)
  if (includes(found.level, needed)) return null
  return new Fault('Forbidden', `This needs ${needed} on the evidence; you have ${found.level}.`, { reason })
}
