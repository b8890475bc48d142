/** Accounts, as tasks, requests and mentions name them. */
import type { Tx } from '../../../kernel/database/database.ts'

export interface PersonRow {
  readonly principal_id: number
  readonly name: string
  readonly first_name: string
  readonly last_name: string
  readonly kind: string
  readonly enabled: number
  readonly guest: number
}

/** Disabled ones too. At most a few thousand ids. */
export async function peopleById(
  from: Tx,
  tenant: string,
  ids: readonly (number | null)[],
): Promise<Map<number, PersonRow>> {
  const wanted = [...new Set(ids.filter((id) => id !== null))]
  if (wanted.length === 0) return new Map()
  const rows = await from
    .selectFrom('principals')
    .select(['principal_id', 'name', 'first_name', 'last_name', 'kind', 'enabled', 'guest'])
    .where('tenant_id', '=', tenant)
    .where('principal_id', 'in', wanted)
    .execute()
  return new Map(rows.map((row) => [row.principal_id, row]))
}

/** A user, disabled ones too, or null. @param id as requested: beyond 2⁵³ there is none, and a rounded one must not find another */
export async function userById(from: Tx, tenant: string, id: string): Promise<PersonRow | null> {
  const row = (await peopleById(from, tenant, [/^\d{1,15}$/.test(id) ? Number(id) : null])).get(Number(id))
  return row?.kind === 'user' ? row : null
}

/** A user who can sign in, or null. */
export async function activeUser(from: Tx, tenant: string, id: string): Promise<PersonRow | null> {
  const row = await userById(from, tenant, id)
  return row?.enabled === 1 ? row : null
}

export const personModel = (row: PersonRow | undefined, id: number) => ({
  PrincipalId: String(id),
  Username: row?.name ?? '',
  FirstName: row?.first_name ?? '',
  LastName: row?.last_name ?? '',
})
