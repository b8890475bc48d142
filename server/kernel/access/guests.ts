/** What guests may do with Manage (decisions 3): their Manage adds sharing only, on cases and on evidence. */
import { includes, type Level } from '../../../shared/kernel/permissions.ts'
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

/** The level for everything but sharing: a guest with Manage does what Edit allows. */
export async function levelBesideSharing(from: Tx, principal: Principal | null, held: Level): Promise<Level> {
  return held === 'Manage' && (await isGuest(from, principal)) ? 'Edit' : held
}

interface Shared {
  readonly principalId: number
  readonly level: Exclude<Level, 'None'>
  readonly expires: { readonly text: string } | null
}

/** Whether a change of policies does nothing but add somebody, or raise somebody, below Manage. */
export function addsBelowManage(before: readonly Shared[], after: readonly Shared[]): boolean {
  const stored = new Map(before.map((policy) => [policy.principalId, policy]))
  const kept = new Set(after.map(({ principalId }) => principalId))
  return (
    before.every(({ principalId }) => kept.has(principalId)) &&
    after.every(({ principalId, level, expires }) => {
      const was = stored.get(principalId)
      if (was === undefined) return level !== 'Manage'
      const keepsTime = was.expires?.text === expires?.text
      return keepsTime && (was.level === level || (level !== 'Manage' && includes(level, was.level)))
    })
  )
}
