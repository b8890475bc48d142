/** Reads users, groups and services; users.store.ts writes them. */
import { type ExpressionBuilder, sql } from 'kysely'
import type { SecurityPolicy } from '../../../../shared/kernel/permissions.ts'
import type { Tx } from '../../../kernel/database/database.ts'
import { positionOf } from '../../../kernel/database/expressions.ts'
import type { Tables } from '../../../kernel/database/tables.ts'
import type { NewPrincipal } from './users.store.ts'

export type Kind = NewPrincipal['kind']

/** All columns except the hash of the password, which only sign-in reads. */
const VIEW = [
  'p.principal_id',
  'p.tenant_id',
  'p.kind',
  'p.name',
  'p.name_key',
  'p.k_id',
  'p.first_name',
  'p.last_name',
  'p.badge',
  'p.email',
  'p.guest',
  'p.built_in',
  'p.enabled',
  'p.password_due',
  'p.base_url',
  'p.created_utc',
  'p.last_sign_in_at',
] as const

export interface PrincipalView {
  readonly principal_id: number
  readonly tenant_id: string
  readonly kind: string
  readonly name: string
  readonly name_key: string
  readonly k_id: string
  readonly first_name: string
  readonly last_name: string
  readonly badge: string
  readonly email: string
  readonly guest: number
  readonly built_in: number
  readonly enabled: number
  readonly password_due: number
  readonly base_url: string | null
  readonly created_utc: string
  /** Milliseconds since 1970. */
  readonly last_sign_in_at: number | null
}

const livePrincipals = (from: Tx, tenant: string) =>
  from.selectFrom('principals as p').select(VIEW).where('p.tenant_id', '=', tenant).where('p.deleted_utc', 'is', null)

export const principalById = (from: Tx, tenant: string, id: number): Promise<PrincipalView | undefined> =>
  livePrincipals(from, tenant).where('p.principal_id', '=', id).executeTakeFirst()

export const principalsById = (from: Tx, tenant: string, ids: readonly number[]): Promise<PrincipalView[]> =>
  ids.length === 0
    ? Promise.resolve([])
    : livePrincipals(from, tenant).where('p.principal_id', 'in', ids).orderBy('p.principal_id').execute()

export interface PrincipalFilter {
  readonly kinds: readonly Kind[]
  /** As `searchWords` gives them. */
  readonly words: readonly string[]
  /** Whether the words are looked for in e-mail addresses too. */
  readonly inEmail?: boolean
  readonly enabled?: boolean | undefined
  readonly guest?: boolean | undefined
  readonly group?: number | undefined
}

/** Name key and id of the last row of the previous page. */
export type Place = readonly [key: string, id: number]

type Where = ExpressionBuilder<Tables & { p: Tables['principals'] }, 'p'>
const containsWord = (e: Where, word: string, inEmail: boolean) =>
  e.or([
    sql<boolean>`${positionOf(sql.ref('p.search_key'), word)} > 0`,
    ...(inEmail ? [sql<boolean>`${positionOf(sql`lower(p.email)`, word)} > 0`] : []),
  ])

/** By name. */
export async function principalsPage(
  from: Tx,
  tenant: string,
  { kinds, words, inEmail = false, enabled, guest, group }: PrincipalFilter,
  { after, count }: { after: Place | null; count: number },
): Promise<PrincipalView[]> {
  let query = livePrincipals(from, tenant).where('p.kind', 'in', kinds)
  for (const word of words) query = query.where((e) => containsWord(e, word, inEmail))
  if (enabled !== undefined) query = query.where('p.enabled', '=', enabled ? 1 : 0)
  if (guest !== undefined) query = query.where('p.guest', '=', guest ? 1 : 0)
  if (group !== undefined)
    query = query.where('p.principal_id', 'in', (e) =>
      e.selectFrom('memberships').select('member_id').where('group_id', '=', group),
    )
  if (after !== null)
    query = query.where((e) =>
      e.or([
        e('p.name_key', '>', after[0]),
        e.and([e('p.name_key', '=', after[0]), e('p.principal_id', '>', after[1])]),
      ]),
    )
  return query.orderBy('p.name_key').orderBy('p.principal_id').limit(count).execute()
}

/** By name. */
export const groupsOf = (from: Tx, tenant: string, memberId: number): Promise<PrincipalView[]> =>
  livePrincipals(from, tenant)
    .innerJoin('memberships as m', 'm.group_id', 'p.principal_id')
    .where('m.member_id', '=', memberId)
    .orderBy('p.name_key')
    .execute()

/** By name. */
export const membersOf = (from: Tx, tenant: string, groupId: number): Promise<PrincipalView[]> =>
  livePrincipals(from, tenant)
    .innerJoin('memberships as m', 'm.member_id', 'p.principal_id')
    .where('m.group_id', '=', groupId)
    .orderBy('p.name_key')
    .orderBy('p.principal_id')
    .execute()

/** How many members each of the groups has. */
export async function memberCounts(from: Tx, groupIds: readonly number[]): Promise<Map<number, number>> {
  if (groupIds.length === 0) return new Map()
  const rows = await from
    .selectFrom('memberships')
    .select((e) => ['group_id' as const, e.fn.countAll<number>().as('members')])
    .where('group_id', 'in', groupIds)
    .groupBy('group_id')
    .execute()
  return new Map(rows.map(({ group_id: id, members }) => [id, members]))
}

export interface PolicyMemberRow extends PrincipalView {
  readonly policy: string
  readonly level: string | null
}

/** Members of all policies, or of the given one, by name. */
export async function policyMembers(from: Tx, tenant: string, policy?: SecurityPolicy): Promise<PolicyMemberRow[]> {
  const query = livePrincipals(from, tenant)
    .innerJoin('policy_members as m', 'm.principal_id', 'p.principal_id')
    .select(['m.policy', 'm.level'])
    .orderBy('p.name_key')
    .orderBy('p.principal_id')
  return policy === undefined ? query.execute() : query.where('m.policy', '=', policy).execute()
}

/** The policies of which these principals are direct members. */
export async function directPolicies(
  from: Tx,
  principalIds: readonly number[],
): Promise<{ principal_id: number; policy: string; level: string | null }[]> {
  return from
    .selectFrom('policy_members')
    .select(['principal_id', 'policy', 'level'])
    .where('principal_id', 'in', principalIds)
    .orderBy('policy')
    .execute()
}

/** The enabled members of Account Administrators among these. */
export async function administratorsAmong(from: Tx, principalIds: readonly number[]): Promise<Set<number>> {
  if (principalIds.length === 0) return new Set()
  const rows = await from
    .selectFrom('memberships as m')
    .innerJoin('principals as g', 'g.principal_id', 'm.group_id')
    .innerJoin('principals as p', 'p.principal_id', 'm.member_id')
    .select('m.member_id')
    .where('g.built_in', '=', 1)
    .where('p.enabled', '=', 1)
    .where('m.member_id', 'in', principalIds)
    .execute()
  return new Set(rows.map(({ member_id: id }) => id))
}

/** Counts enabled users in Account Administrators. Services do not count: no person can sign in as one to repair something. */
export async function countAdministrators(from: Tx, tenant: string): Promise<number> {
  const row = await from
    .selectFrom('memberships as m')
    .innerJoin('principals as g', 'g.principal_id', 'm.group_id')
    .innerJoin('principals as p', 'p.principal_id', 'm.member_id')
    .select((e) => e.fn.countAll<number>().as('all'))
    .where('g.tenant_id', '=', tenant)
    .where('g.built_in', '=', 1)
    .where('p.kind', '=', 'user')
    .where('p.enabled', '=', 1)
    .executeTakeFirstOrThrow()
  return row.all
}

/** The sign-in methods of a person. */
export async function signInMethodsOf(
  from: Tx,
  principalId: number,
): Promise<{ secondStep: boolean; passkeys: number; password: boolean }> {
  const step = await from
    .selectFrom('second_steps')
    .select('confirmed_at')
    .where('principal_id', '=', principalId)
    .where('confirmed_at', 'is not', null)
    .executeTakeFirst()
  const { passkeys } = await from
    .selectFrom('passkeys')
    .select((e) => e.fn.countAll<number>().as('passkeys'))
    .where('principal_id', '=', principalId)
    .executeTakeFirstOrThrow()
  const password = await from
    .selectFrom('principals')
    .select('principal_id')
    .where('principal_id', '=', principalId)
    .where('password_hash', 'is not', null)
    .executeTakeFirst()
  return { secondStep: step !== undefined, passkeys: Number(passkeys), password: password !== undefined }
}

export interface UserSessionRow {
  readonly session_id: number
  readonly source: string
  readonly created_at: number
  readonly active_at: number
  readonly locked_at: number | null
}

/** Sessions that were not ended and began after `since`, latest first. */
export const sessionsOf = (from: Tx, principalId: number, since: number): Promise<UserSessionRow[]> =>
  from
    .selectFrom('sessions')
    .select(['session_id', 'source', 'created_at', 'active_at', 'locked_at'])
    .where('principal_id', '=', principalId)
    .where('ended_at', 'is', null)
    .where('created_at', '>', since)
    .orderBy('session_id', 'desc')
    .execute()

export interface ValidKeyRow {
  readonly thumbprint: string
  readonly created_utc: string
  readonly expires_utc: string | null
}

/** Keys that are neither revoked nor expired, latest first. */
export const validKeys = (from: Tx, principalId: number, nowUtc: string): Promise<ValidKeyRow[]> =>
  from
    .selectFrom('service_keys')
    .select(['thumbprint', 'created_utc', 'expires_utc'])
    .where('principal_id', '=', principalId)
    .where('revoked_utc', 'is', null)
    .where((e) => e.or([e('expires_utc', 'is', null), e('expires_utc', '>', nowUtc)]))
    .orderBy('service_key_id', 'desc')
    .execute()

export interface ValidApiKeyRow extends Omit<ValidKeyRow, 'thumbprint'> {
  readonly api_key_id: number
  readonly name: string
  readonly last_used_utc: string | null
}

export const validApiKeys = (from: Tx, principalId: number, nowUtc: string): Promise<ValidApiKeyRow[]> =>
  from
    .selectFrom('api_keys')
    .select(['api_key_id', 'name', 'created_utc', 'expires_utc', 'last_used_utc'])
    .where('principal_id', '=', principalId)
    .where('revoked_utc', 'is', null)
    .where((e) => e.or([e('expires_utc', 'is', null), e('expires_utc', '>', nowUtc)]))
    .orderBy('api_key_id', 'desc')
    .execute()
