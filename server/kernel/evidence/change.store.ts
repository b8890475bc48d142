import type { GrantedLevel } from '../../../shared/kernel/permissions.ts'
import type { Time } from '../../../shared/kernel/time.ts'
import type { Tx } from '../database/database.ts'

/** A policy of the evidence itself. */
export interface EvidencePolicy {
  readonly principalId: number
  readonly level: GrantedLevel
  readonly expires: Time | null
}

/** In the order given. */
export async function replaceTags(
  tx: Tx,
  evidenceId: number,
  tags: readonly { readonly tag: string; readonly key: string }[],
): Promise<void> {
  await tx.deleteFrom('evidence_tags').where('evidence_id', '=', evidenceId).execute()
  if (tags.length > 0)
    await tx
      .insertInto('evidence_tags')
      .values(tags.map(({ tag, key }, position) => ({ evidence_id: evidenceId, position, tag, tag_key: key })))
      .execute()
}

export async function replaceEvidencePolicies(
  tx: Tx,
  evidenceId: number,
  policies: readonly EvidencePolicy[],
): Promise<void> {
  await tx.deleteFrom('evidence_policies').where('evidence_id', '=', evidenceId).execute()
  if (policies.length === 0) return
  await tx
    .insertInto('evidence_policies')
    .values(
      policies.map(({ principalId, level, expires }) => ({
        evidence_id: evidenceId,
        principal_id: principalId,
        level,
        expires_utc: expires?.text ?? null,
        expires_ticks: expires?.ticks ?? null,
      })),
    )
    .execute()
}
