import { nameKey } from '../../../shared/kernel/names.ts'
import { kIdOf, type Principal } from '../../../shared/kernel/principal.ts'
import type { Tx } from '../../kernel/database/database.ts'
import { isoMillis } from '../../platform/clock/clock.ts'

/** A tenant with two people in it, neither of whom can sign in. Only for a scratch database. */
export async function insertPeople(
  tx: Tx,
  tenant: string,
  now: number,
): Promise<{ readonly owner: Principal; readonly stranger: Principal }> {
  const createdUtc = isoMillis(now)
  await tx.insertInto('station').values({ name: 'origin', value: 'validation.invalid/scratch' }).execute()
  await tx
    .insertInto('tenants')
    .values({ tenant_id: tenant, name_key: nameKey(tenant), created_utc: createdUtc })
    .execute()
  const insert = async (name: string): Promise<Principal> => {
    const { principal_id: id } = await tx
      .insertInto('principals')
      .values({
        tenant_id: tenant,
        kind: 'user',
        name,
        name_key: nameKey(name),
        k_id: kIdOf('user', tenant, name, '0'),
        password_hash: null,
        base_url: null,
        created_utc: createdUtc,
        created_by: '{}',
        last_sign_in_at: null,
        deleted_utc: null,
      })
      .returning('principal_id')
      .executeTakeFirstOrThrow()
    return { kind: 'user', id: String(id), name, kId: kIdOf('user', tenant, name, String(id)) }
  }
  return { owner: await insert('owner'), stranger: await insert('stranger') }
}
