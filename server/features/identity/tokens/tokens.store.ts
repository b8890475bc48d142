import type { Kysely } from 'kysely'
import type { Tables } from '../../../kernel/database/tables.ts'

type Db = Kysely<Tables>

export interface MemberRow {
  readonly principal_id: number
  readonly tenant_id: string
  readonly kind: string
  readonly name: string
  readonly k_id: string
  readonly guest: number
  readonly first_name: string
  readonly last_name: string
}

const MEMBER = ['principal_id', 'tenant_id', 'kind', 'name', 'k_id', 'guest', 'first_name', 'last_name'] as const

/** An enabled principal; null when it does not exist or is disabled. */
export async function enabledMember(db: Db, principalId: number): Promise<MemberRow | null> {
  const row = await db
    .selectFrom('principals')
    .select(MEMBER)
    .where('principal_id', '=', principalId)
    .where('enabled', '=', 1)
    .executeTakeFirst()
  return row ?? null
}

/** Whether the person's permission for the token's program is still active. */
export async function familyStands(db: Db, familyId: number, principalId: number): Promise<boolean> {
  const row = await db
    .selectFrom('token_families')
    .select('ended_at')
    .where('family_id', '=', familyId)
    .where('principal_id', '=', principalId)
    .executeTakeFirst()
  return row !== undefined && row.ended_at === null
}

export interface ServiceKeyRow {
  readonly service_key_id: number
  readonly thumbprint: string
  readonly jwk: string
  readonly not_before_utc: string | null
  readonly expires_utc: string | null
}

/** Keys that were not revoked, whatever their period of validity. */
export async function serviceKeysOf(db: Db, principalId: number): Promise<ServiceKeyRow[]> {
  return db
    .selectFrom('service_keys')
    .select(['service_key_id', 'thumbprint', 'jwk', 'not_before_utc', 'expires_utc'])
    .where('principal_id', '=', principalId)
    .where('revoked_utc', 'is', null)
    .orderBy('service_key_id', 'desc')
    .execute()
}

export async function isRevoked(db: Db, serviceKeyId: number): Promise<boolean> {
  const row = await db
    .selectFrom('service_keys')
    .select('revoked_utc')
    .where('service_key_id', '=', serviceKeyId)
    .executeTakeFirst()
  return row === undefined || row.revoked_utc !== null
}

/** PrincipalIds of the groups, as decimal strings. */
export async function groupsOf(db: Db, principalId: number): Promise<string[]> {
  const rows = await db
    .selectFrom('memberships')
    .select('group_id')
    .where('member_id', '=', principalId)
    .orderBy('group_id')
    .execute()
  return rows.map((row) => String(row.group_id))
}

export async function isUsed(db: Db, clientId: string, assertionId: string): Promise<boolean> {
  const row = await db
    .selectFrom('used_assertions')
    .select('expires_at')
    .where('client_id', '=', clientId)
    .where('assertion_id', '=', assertionId)
    .executeTakeFirst()
  return row !== undefined
}

/** @returns false when it was used before. Of any number of calls exactly one returns true. */
export async function useOnce(
  db: Db,
  use: { clientId: string; assertionId: string; expiresAt: number },
): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('used_assertions')
    .values({ client_id: use.clientId, assertion_id: use.assertionId, expires_at: use.expiresAt })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirstOrThrow()
  return numInsertedOrUpdatedRows === 1n
}

/** @param now milliseconds since 1970. */
export async function forgetUsed(db: Db, now: number): Promise<void> {
  await db.deleteFrom('used_assertions').where('expires_at', '<', now).execute()
}
