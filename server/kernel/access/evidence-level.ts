/** What the level that somebody holds on an evidence lets them do: one rule for the route's check and for the services' own. */
import { Fault, fault } from '../../../shared/kernel/errors.ts'
import { includes, type Level } from '../../../shared/kernel/permissions.ts'

export interface HeldOnEvidence {
  readonly level: Level
  /** It lies in the recycle bin. */
  readonly deleted: boolean
}

const REASONS = {
  View: 'PrincipalCannotReadEvidence',
  Download: 'PrincipalCannotDownloadEvidence',
  Edit: 'PrincipalCannotEditEvidence',
  Manage: 'PrincipalCannotManageEvidence',
} as const

/**
 * Null: they may. What somebody cannot view is not there for them; the ledger says what it was (decisions 2). What lies in the recycle bin
 * is told as deleted to those who could view it, and gives nothing out.
 * @param id as the contract parsed it
 * @param found null: there is no such evidence
 */
export function refusalOfLevel(id: string, found: HeldOnEvidence | null, needed: Exclude<Level, 'None'>): Fault | null {
  const reason = REASONS[needed]
  if (found === null || found.level === 'None')
    return new Fault('EvidenceNotFound', `There is no evidence ${id}.`, { reason })
  if (found.deleted) return fault('EvidenceDeleted', `Evidence ${id} is in the recycle bin.`)
  if (includes(found.level, needed)) return null
  return new Fault('Forbidden', `This needs ${needed} on the evidence; you have ${found.level}.`, { reason })
}
