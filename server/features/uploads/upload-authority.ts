import { includes } from '../../../shared/kernel/permissions.ts'
import type { Call } from '../../kernel/ledger/call.ts'
import type { Database } from '../../kernel/database/database.ts'
import type { ResourceRow } from '../../kernel/evidence/records.store.ts'
import type { Access } from '../../kernel/access/access.ts'
import { isInEndedCase, lifecycleOfEvidence } from '../../kernel/access/access.store.ts'

interface Deps {
  readonly db: Database
  readonly access: Access
  /** Whether a principal is enabled. */
  readonly isMember: (principalId: number) => Promise<boolean>
}

/**
 * Checks the right to upload again when the bytes have arrived (promise U7): the principal is enabled and has Edit on the evidence, the
 * evidence and its cases are not deleted, and none of the cases was closed meanwhile. The platform's own bytes need no right.
 */
export const uploadAuthority =
  ({ db, access, isMember }: Deps) =>
  async ({ actor }: Call, resource: ResourceRow): Promise<boolean> => {
    if ((await lifecycleOfEvidence(db.read, resource.evidence_id)) === 'Deleted') return false
    if (actor.kind !== 'user' && actor.kind !== 'service') return true
    if (!(await isMember(Number(actor.id)))) return false
    if (!includes(await access.onEvidence(db.read, actor, resource.evidence_id), 'Edit')) return false
    return !(await isInEndedCase(db.read, resource.evidence_id))
  }
