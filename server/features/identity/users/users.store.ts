import type { Kysely } from 'kysely'
import type { SecurityPolicy } from '../../../../shared/kernel/permissions.ts'
import type { PrincipalKind } from '../../../../shared/kernel/principal.ts'
import { kIdOf } from '../../../../shared/kernel/principal.ts'
import type { Tables } from '../../../kernel/database/tables.ts'
import { searchKey } from './search-key.ts'

type Db = Kysely<Tables>

export interface PrincipalRow {
  readonly principal_id: number
  readonly tenant_id: string
  readonly kind: string
  readonly name: string
  readonly k_id: string
}

const HEAD = ['principal_id', 'tenant_id', 'kind', 'name', 'k_id'] as const

export interface NewPrincipal {
  readonly tenantId: string
  readonly kind: Extract<PrincipalKind, 'user' | 'group' | 'service'>
  readonly name: string
  readonly nameKey: string
  readonly firstName?: string | undefined
  readonly lastName?: string | undefined
  readonly badge?: string | undefined
  readonly email?: string | undefined
  readonly guest?: boolean | undefined
  readonly builtIn?: boolean | undefined
  readonly passwordHash?: string | undefined
  readonly passwordDue?: boolean | undefined
  readonly baseUrl?: string | undefined
  readonly createdUtc: string
  readonly createdBy: string
}

export async function insertTenant(
  db: Db,
  tenant: { tenantId: string; nameKey: string; createdUtc: string },
): Promise<void> {
  await db
    .insertInto('tenants')
    .values({ tenant_id: tenant.tenantId, name_key: tenant.nameKey, created_utc: tenant.createdUtc })
    .execute()
}

/** The tenant that was made first; null while the station is new. */
export async function firstTenant(db: Db): Promise<string | null> {
  const row = await db
    .selectFrom('tenants')
    .select('tenant_id')
    .orderBy('created_utc')
    .orderBy('tenant_id')
    .limit(1)
    .executeTakeFirst()
  return row?.tenant_id ?? null
}

/** Two statements in one transaction: the KId contains the id, which the database assigns. */
export async function insertPrincipal(db: Db, given: NewPrincipal): Promise<PrincipalRow> {
  const { principal_id: principalId } = await db
    .insertInto('principals')
    .values({
      tenant_id: given.tenantId,
      kind: given.kind,
      name: given.name,
      name_key: given.nameKey,
      k_id: '',
      first_name: given.firstName ?? '',
      last_name: given.lastName ?? '',
      badge: given.badge ?? '',
      email: given.email ?? '',
      guest: given.guest === true ? 1 : 0,
      built_in: given.builtIn === true ? 1 : 0,
      password_hash: given.passwordHash ?? null,
      password_due: given.passwordDue === true ? 1 : 0,
      search_key: searchKey(given.name, given.firstName ?? '', given.lastName ?? '', given.badge ?? ''),
      base_url: given.baseUrl ?? null,
      created_utc: given.createdUtc,
      created_by: given.createdBy,
    })
    .returning('principal_id')
    .executeTakeFirstOrThrow()
  const kId = kIdOf(given.kind, given.tenantId, given.name, String(principalId))
  await db.updateTable('principals').set({ k_id: kId }).where('principal_id', '=', principalId).execute()
  return { principal_id: principalId, tenant_id: given.tenantId, kind: given.kind, name: given.name, k_id: kId }
}

export async function findByName(
  db: Db,
  tenantId: string,
  kind: NewPrincipal['kind'],
  nameKey: string,
): Promise<PrincipalRow | null> {
  const row = await db
    .selectFrom('principals')
    .select(HEAD)
    .where('tenant_id', '=', tenantId)
    .where('kind', '=', kind)
    .where('name_key', '=', nameKey)
    .executeTakeFirst()
  return row ?? null
}

/** Account Administrators, the only built-in group. */
export async function administratorsGroup(db: Db, tenantId: string): Promise<PrincipalRow | null> {
  const row = await db
    .selectFrom('principals')
    .select(HEAD)
    .where('tenant_id', '=', tenantId)
    .where('kind', '=', 'group')
    .where('built_in', '=', 1)
    .executeTakeFirst()
  return row ?? null
}

/** Whether any user, enabled or not, is in the group. */
export async function hasUserMember(db: Db, groupId: number): Promise<boolean> {
  const row = await db
    .selectFrom('memberships')
    .innerJoin('principals', 'principals.principal_id', 'memberships.member_id')
    .select('memberships.member_id')
    .where('memberships.group_id', '=', groupId)
    .where('principals.kind', '=', 'user')
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** Whether the principal is enabled and in a built-in group, of which there is one: Account Administrators. */
export async function isAdministrator(db: Db, principalId: number): Promise<boolean> {
  const row = await db
    .selectFrom('memberships')
    .innerJoin('principals as groups', 'groups.principal_id', 'memberships.group_id')
    .innerJoin('principals as members', 'members.principal_id', 'memberships.member_id')
    .select('memberships.member_id')
    .where('memberships.member_id', '=', principalId)
    .where('groups.built_in', '=', 1)
    .where('members.enabled', '=', 1)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** Whether an enabled principal is in the policy, itself or through a group (decisions 3). Guests hold `CreateCases` alone, and only directly. */
export async function isInPolicy(db: Db, principalId: number, policy: SecurityPolicy): Promise<boolean> {
  const who = await db
    .selectFrom('principals')
    .select(['guest'])
    .where('principal_id', '=', principalId)
    .where('enabled', '=', 1)
    .executeTakeFirst()
  if (who === undefined || (who.guest === 1 && policy !== 'CreateCases')) return false
  const groups = db.selectFrom('memberships').select('group_id').where('member_id', '=', principalId)
  const row = await db
    .selectFrom('policy_members')
    .select('principal_id')
    .where('policy', '=', policy)
    .where((e) =>
      who.guest === 1
        ? e('principal_id', '=', principalId)
        : e.or([e('principal_id', '=', principalId), e('principal_id', 'in', groups)]),
    )
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** The policies that an enabled principal is in, itself or through a group, by name; the rule of `isInPolicy`. */
export async function policiesOf(db: Db, principalId: number): Promise<string[]> {
  const who = await db
    .selectFrom('principals')
    .select(['guest'])
    .where('principal_id', '=', principalId)
    .where('enabled', '=', 1)
    .executeTakeFirst()
  if (who === undefined) return []
  const groups = db.selectFrom('memberships').select('group_id').where('member_id', '=', principalId)
  const rows = await db
    .selectFrom('policy_members')
    .select('policy')
    .distinct()
    .where((e) =>
      who.guest === 1
        ? e.and([e('principal_id', '=', principalId), e('policy', '=', 'CreateCases')])
        : e.or([e('principal_id', '=', principalId), e('principal_id', 'in', groups)]),
    )
    .orderBy('policy')
    .execute()
  return rows.map(({ policy }) => policy)
}

/** @param sinceAt by the station's clock: approvers of destructions must have been in the policy for a minimum time. */
export async function addMember(db: Db, groupId: number, memberId: number, sinceAt: number): Promise<void> {
  await db.insertInto('memberships').values({ group_id: groupId, member_id: memberId, since_at: sinceAt }).execute()
}

/** An existing member keeps its `since_at`. @param sinceAt as in `addMember` */
export async function grantPolicy(
  db: Db,
  principalId: number,
  { policy, level }: { readonly policy: string; readonly level: string | null },
  sinceAt: number,
): Promise<void> {
  await db
    .insertInto('policy_members')
    .values({ policy, principal_id: principalId, level, since_at: sinceAt })
    .onConflict((conflict) => conflict.columns(['policy', 'principal_id']).doUpdateSet({ level }))
    .execute()
}

/** At most a few thousand at once: each takes three of a statement's values. @param sinceAt as in `addMember` */
export async function addMembers(
  db: Db,
  groupId: number,
  memberIds: readonly number[],
  sinceAt: number,
): Promise<void> {
  if (memberIds.length === 0) return
  await db
    .insertInto('memberships')
    .values(memberIds.map((id) => ({ group_id: groupId, member_id: id, since_at: sinceAt })))
    .execute()
}

export interface NewServiceKey {
  readonly principalId: number
  readonly thumbprint: string
  /** The public key as JSON, with the `kid` by which assertions may name it. */
  readonly jwk: string
  readonly notBeforeUtc: string | null
  readonly expiresUtc: string | null
  readonly createdUtc: string
}

export async function insertServiceKey(db: Db, key: NewServiceKey): Promise<void> {
  await db
    .insertInto('service_keys')
    .values({
      principal_id: key.principalId,
      thumbprint: key.thumbprint,
      jwk: key.jwk,
      not_before_utc: key.notBeforeUtc,
      expires_utc: key.expiresUtc,
      created_utc: key.createdUtc,
      revoked_utc: null,
    })
    .execute()
}

/** @param keyHash SHA-256 in lower-case hexadecimal; the key itself is not stored. */
export async function insertApiKey(
  db: Db,
  key: { principalId: number; keyHash: string; createdUtc: string; name?: string },
): Promise<void> {
  await db
    .insertInto('api_keys')
    .values({
      principal_id: key.principalId,
      key_hash: key.keyHash,
      created_utc: key.createdUtc,
      revoked_utc: null,
      name: key.name ?? '',
    })
    .execute()
}

/** Changes a user's own members. A new name changes the KId, which contains it, and the search key. */
export async function renamePrincipal(
  db: Db,
  { principal_id: id, tenant_id: tenant, kind }: PrincipalRow,
  given: { name: string; nameKey: string; firstName: string; lastName: string; badge: string; email: string },
): Promise<void> {
  await db
    .updateTable('principals')
    .set({
      name: given.name,
      name_key: given.nameKey,
      k_id: kIdOf(kind as PrincipalKind, tenant, given.name, String(id)),
      first_name: given.firstName,
      last_name: given.lastName,
      badge: given.badge,
      email: given.email,
      search_key: searchKey(given.name, given.firstName, given.lastName, given.badge),
    })
    .where('principal_id', '=', id)
    .execute()
}

export async function setEnabled(db: Db, principalId: number, enabled: boolean): Promise<void> {
  await db
    .updateTable('principals')
    .set({ enabled: enabled ? 1 : 0 })
    .where('principal_id', '=', principalId)
    .execute()
}

/** @param due the person must choose another password at the next sign-in. */
export async function setPasswordHash(
  db: Db,
  principalId: number,
  { passwordHash, due }: { passwordHash: string; due: boolean },
): Promise<void> {
  await db
    .updateTable('principals')
    .set({ password_hash: passwordHash, password_due: due ? 1 : 0 })
    .where('principal_id', '=', principalId)
    .execute()
}

/** @returns whether there was a password */
export async function removePassword(db: Db, principalId: number): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('principals')
    .set({ password_hash: null, password_due: 0 })
    .where('principal_id', '=', principalId)
    .where('password_hash', 'is not', null)
    .executeTakeFirstOrThrow()
  return numUpdatedRows === 1n
}

/** Ends all sessions of a principal, or the given one. @returns the ids of the ended sessions */
export async function endSessions(
  db: Db,
  principalId: number,
  { now, session }: { now: number; session?: number },
): Promise<number[]> {
  const all = db
    .updateTable('sessions')
    .set({ ended_at: now })
    .where('principal_id', '=', principalId)
    .where('ended_at', 'is', null)
    .returning('session_id')
  const rows = await (session === undefined ? all : all.where('session_id', '=', session)).execute()
  return rows.map(({ session_id: id }) => id)
}

export async function removeMembers(db: Db, groupId: number, memberIds: readonly number[]): Promise<void> {
  if (memberIds.length === 0) return
  await db.deleteFrom('memberships').where('group_id', '=', groupId).where('member_id', 'in', memberIds).execute()
}

/** Keeps the row of the group, because other rows refer to it. Its new name key begins with a space, so it blocks no name. */
export async function markGroupDeleted(db: Db, groupId: number, deletedUtc: string): Promise<void> {
  await db.deleteFrom('memberships').where('group_id', '=', groupId).execute()
  await db.deleteFrom('policy_members').where('principal_id', '=', groupId).execute()
  await db
    .updateTable('principals')
    .set({ deleted_utc: deletedUtc, enabled: 0, name_key: ` ${groupId}` })
    .where('principal_id', '=', groupId)
    .execute()
}

export async function replacePolicyMembers(
  db: Db,
  policy: SecurityPolicy,
  members: readonly { readonly principalId: number; readonly level: string | null }[],
  sinceAt: number,
): Promise<void> {
  const ids = members.map(({ principalId }) => principalId)
  const others = db.deleteFrom('policy_members').where('policy', '=', policy)
  await (ids.length === 0 ? others : others.where('principal_id', 'not in', ids)).execute()
  if (members.length === 0) return
  // Existing members keep their `since_at`.
  await db
    .insertInto('policy_members')
    .values(members.map(({ principalId, level }) => ({ policy, principal_id: principalId, level, since_at: sinceAt })))
    .onConflict((conflict) =>
      conflict.columns(['policy', 'principal_id']).doUpdateSet((e) => ({ level: e.ref('excluded.level') })),
    )
    .execute()
}

/** Ends valid keys: now, or at `expiresUtc` unless they expire sooner. */
export async function endKeys(
  db: Db,
  table: 'service_keys' | 'api_keys',
  principalId: number,
  { nowUtc, expiresUtc }: { nowUtc: string; expiresUtc: string | null },
): Promise<void> {
  const valid = db
    .updateTable(table)
    .where('principal_id', '=', principalId)
    .where('revoked_utc', 'is', null)
    .where((e) => e.or([e('expires_utc', 'is', null), e('expires_utc', '>', expiresUtc ?? nowUtc)]))
  await (expiresUtc === null ? valid.set({ revoked_utc: nowUtc }) : valid.set({ expires_utc: expiresUtc })).execute()
}

export async function endApiKey(db: Db, apiKeyId: number, nowUtc: string): Promise<void> {
  await db.updateTable('api_keys').set({ revoked_utc: nowUtc }).where('api_key_id', '=', apiKeyId).execute()
}
