/** Limits of a guest's Manage (decisions 3): on cases and evidence it allows adding sharing, and otherwise only what Edit allows. */
import { includes, type Level, type GrantedLevel } from '../../../shared/kernel/permissions.ts'
import type { Principal } from '../../../shared/kernel/principal.ts'
import type { Tx } from '../database/database.ts'

export async function isGuest(from: Tx, principal: Principal | null): Promise<boolean> {
  if (principal === null) return false
  const row = await from
    .selectFrom('principals')
    .select('guest')
    .where('principal_id', '=', Number(principal.id))
    .executeTakeFirst()
  return row?.guest === 1
}

/** The level for everything except sharing: a guest's Manage counts as Edit. */
export async function levelBesideSharing(from: Tx, principal: Principal | null, held: Level): Promise<Level> {
  return held === 'Manage' && (await isGuest(from, principal)) ? 'Edit' : held
}

interface SharedPolicy {
  readonly principalId: number
  readonly level: GrantedLevel
  readonly expires: { readonly text: string } | null
}

/** Whether a change of policies only adds principals or raises levels, all below Manage. */
export function addsBelowManage(before: readonly SharedPolicy[], after: readonly SharedPolicy[]): boolean {
  const stored = new Map(before.map((policy) => [policy.principalId, policy]))
  const remaining = new Set(after.map(({ principalId }) => principalId))
  return (
    before.every(({ principalId }) => remaining.has(principalId)) &&
    after.every(({ principalId, level, expires }) => {
      const was = stored.get(principalId)
      if (was === undefined) return level !== 'Manage'
      const keepsTime = was.expires?.text === expires?.text
      return keepsTime && (was.level === level || (level !== 'Manage' && includes(level, was.level)))
    })
  )
}
