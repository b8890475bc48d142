import type { Tx } from '../../kernel/database/database.ts'

export interface KnownPrincipal {
  readonly principal_id: number
  readonly kind: string
  readonly k_id: string
}

/** People, groups and integrations of the tenant, by id. */
export async function principalsOf(
  from: Tx,
  tenant: string,
  ids: readonly number[],
): Promise<Map<number, KnownPrincipal>> {
  if (ids.length === 0) return new Map()
  const rows = await from
    .selectFrom('principals')
    .select(['principal_id', 'kind', 'k_id'])
    .where('tenant_id', '=', tenant)
    .where('principal_id', 'in', ids)
    .execute()
  return new Map(rows.map((row) => [row.principal_id, row]))
}
