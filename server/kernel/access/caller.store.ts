import type { Tx } from '../database/database.ts'
import { statement } from '../database/kysely.ts'

/** The caller, as needed to apply the policies of one object. */
export interface Caller {
  /** The principal and the groups it is in. */
  readonly identities: ReadonlySet<number>
  readonly guest: boolean
}

const selectCaller = statement((from, given: { id: number }) =>
  from
    .selectFrom('principals as p')
    .leftJoin('memberships as m', 'm.member_id', 'p.principal_id')
    .select(['p.guest', 'm.group_id'])
    .where('p.principal_id', '=', given.id),
)

/** An unknown principal has its own id only, which no policy names. */
export async function callerOf(from: Tx, principalId: number): Promise<Caller> {
  const rows = await selectCaller(from, { id: principalId })
  const groups = rows.flatMap(({ group_id: id }) => (id === null ? [] : [id]))
  return { identities: new Set([principalId, ...groups]), guest: rows[0]?.guest === 1 }
}
