/** The policies of an evidence itself, between what is sent and what is stored (decisions 3 and 6). */
import type { Problem } from '../../../shared/kernel/errors.ts'
import type { GivenEvidencePolicy } from '../../../shared/evidence/change.contract.ts'
import { parseTime, type Time } from '../../../shared/kernel/time.ts'
import type { Tx } from '../../kernel/database/database.ts'
import type { EvidencePolicy } from '../../kernel/evidence/change.store.ts'
import type { PolicyRow } from '../../kernel/evidence/records.store.ts'
import { type KnownPrincipal, principalsOf } from './change.store.ts'

/** Whether the record says of its own policies what is stored: then nobody asked for a change of them. Pure. */
export function samePolicies(given: readonly GivenEvidencePolicy[], stored: readonly PolicyRow[]): boolean {
  const rows = new Map(stored.map((row) => [String(row.principal_id), row]))
  return (
    given.length === stored.length &&
    new Set(given.map(({ PrincipalId }) => PrincipalId)).size === given.length &&
    given.every((policy) => {
      const row = rows.get(policy.PrincipalId)
      return (
        row !== undefined &&
        policy.Permissions === row.level &&
        names(policy, row) &&
        (policy.ExpirationDateUtc === undefined || (policy.ExpirationDateUtc?.text ?? null) === row.expires_utc)
      )
    })
  )
}

/**
 * The policies as they shall be, by principal. An entry without ExpirationDateUtc keeps what it had, unless it is raised to Manage.
 * What cannot be settled is told in `problems`; nothing is changed then.
 */
export async function settledPolicies(
  tx: Tx,
  tenant: string,
  given: readonly GivenEvidencePolicy[],
  stored: readonly PolicyRow[],
): Promise<{ policies: EvidencePolicy[]; problems: Problem[] }> {
  // Ids beyond 2⁵³ cannot exist here; a rounded one must not find its neighbour.
  const ids = given.map(({ PrincipalId }) => Number(PrincipalId)).filter(Number.isSafeInteger)
  const known = await principalsOf(tx, tenant, ids)
  const before = new Map(stored.map((row) => [row.principal_id, row.expires_utc]))
  const settled = new Map<number, EvidencePolicy>()
  const problems: Problem[] = []
  for (const policy of given) {
    const { PrincipalId, Permissions: level, ExpirationDateUtc: expiration, place } = policy
    const path = `AccessPolicies.${place}`
    const who = known.get(Number(PrincipalId))
    if (who === undefined || !names(policy, who)) {
      problems.push({ Path: path, Message: 'names no one principal' })
      continue
    }
    const id = who.principal_id
    if (settled.has(id)) problems.push({ Path: path, Message: 'names a principal a second time' })
    if (level === 'Manage' && (expiration ?? null) !== null)
      problems.push({ Path: `${path}.ExpirationDateUtc`, Message: 'must be null: Manage never expires' })
    const kept = expiration === undefined ? timeOf(before.get(id) ?? null) : expiration
    settled.set(id, { principalId: id, level, expires: level === 'Manage' ? null : kept })
  }
  return { policies: [...settled.values()].sort((one, other) => one.principalId - other.principalId), problems }
}

/** Whether what was sent beside the id is true of this principal. */
const names = (
  { KId, PrincipalType }: Pick<GivenEvidencePolicy, 'KId' | 'PrincipalType'>,
  who: Pick<KnownPrincipal, 'k_id' | 'kind'>,
): boolean => (KId ?? who.k_id) === who.k_id && (PrincipalType ?? who.kind).toLowerCase() === who.kind

const timeOf = (stored: string | null): Time | null => (stored === null ? null : parseTime(stored, { utcMember: true }))
