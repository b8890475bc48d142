import type { Kysely } from 'kysely'
import type { Tables } from '../../../kernel/database/tables.ts'

type Db = Kysely<Tables>

/** Codes and refresh tokens are stored only as their SHA-256, in lower-case hexadecimal. */
export interface CodeRow {
  readonly code_hash: string
  readonly principal_id: number
  readonly client_id: string
  readonly redirect_uri: string
  readonly challenge: string
  readonly scope: string
  readonly nonce: string | null
  readonly signed_in_at: number
  readonly created_at: number
  readonly used_at: number | null
  readonly family_id: number | null
}

export async function insertCode(db: Db, code: Omit<CodeRow, 'used_at' | 'family_id'>): Promise<void> {
  await db
    .insertInto('authorization_codes')
    .values({ ...code, used_at: null, family_id: null })
    .execute()
}

export async function codeByHash(db: Db, codeHash: string): Promise<CodeRow | null> {
  const row = await db
    .selectFrom('authorization_codes')
    .selectAll()
    .where('code_hash', '=', codeHash)
    .executeTakeFirst()
  return row ?? null
}

export async function useCode(db: Db, codeHash: string, now: number): Promise<void> {
  await db.updateTable('authorization_codes').set({ used_at: now }).where('code_hash', '=', codeHash).execute()
}

export async function giveFamily(db: Db, codeHash: string, familyId: number): Promise<void> {
  await db.updateTable('authorization_codes').set({ family_id: familyId }).where('code_hash', '=', codeHash).execute()
}

/** Start of a session, milliseconds since 1970; null when it has ended. */
export async function sessionBegan(db: Db, sessionId: number): Promise<number | null> {
  const row = await db
    .selectFrom('sessions')
    .select('created_at')
    .where('session_id', '=', sessionId)
    .where('ended_at', 'is', null)
    .executeTakeFirst()
  return row?.created_at ?? null
}

export interface FamilyRow {
  readonly family_id: number
  readonly principal_id: number
  readonly client_id: string
  readonly scope: string
  readonly used_at: number
  readonly ended_at: number | null
}

/** @returns the family's id. */
export async function insertFamily(
  db: Db,
  family: { principalId: number; clientId: string; scope: string; now: number },
): Promise<number> {
  const { family_id: id } = await db
    .insertInto('token_families')
    .values({
      principal_id: family.principalId,
      client_id: family.clientId,
      scope: family.scope,
      created_at: family.now,
      used_at: family.now,
      ended_at: null,
    })
    .returning('family_id')
    .executeTakeFirstOrThrow()
  return id
}

const FAMILY = ['family_id', 'principal_id', 'client_id', 'scope', 'used_at', 'ended_at'] as const

export async function familyById(db: Db, familyId: number): Promise<FamilyRow | null> {
  const row = await db.selectFrom('token_families').select(FAMILY).where('family_id', '=', familyId).executeTakeFirst()
  return row ?? null
}

/** The active families of a person that were used after `since`, last used first. */
export const familiesOf = (
  db: Db,
  principalId: number,
  since: number,
): Promise<(FamilyRow & { readonly created_at: number })[]> =>
  db
    .selectFrom('token_families')
    .select([...FAMILY, 'created_at'])
    .where('principal_id', '=', principalId)
    .where('ended_at', 'is', null)
    .where('used_at', '>', since)
    .orderBy('used_at', 'desc')
    .orderBy('family_id', 'desc')
    .execute()

export async function useFamily(db: Db, familyId: number, now: number): Promise<void> {
  await db.updateTable('token_families').set({ used_at: now }).where('family_id', '=', familyId).execute()
}

export async function endFamily(db: Db, familyId: number, now: number): Promise<void> {
  await db.updateTable('token_families').set({ ended_at: now }).where('family_id', '=', familyId).execute()
}

/** Deletes codes and families that were not used since `before`. The ledger keeps what happened with them. */
export async function forgetBefore(db: Db, before: number): Promise<void> {
  await db.deleteFrom('authorization_codes').where('created_at', '<', before).execute()
  await db.deleteFrom('token_families').where('used_at', '<', before).execute()
}

export async function insertRefreshToken(db: Db, tokenHash: string, familyId: number): Promise<void> {
  await db.insertInto('refresh_tokens').values({ token_hash: tokenHash, family_id: familyId, used_at: null }).execute()
}

export interface RefreshTokenRow {
  readonly family_id: number
  readonly used_at: number | null
}

export async function refreshTokenByHash(db: Db, tokenHash: string): Promise<RefreshTokenRow | null> {
  const row = await db
    .selectFrom('refresh_tokens')
    .select(['family_id', 'used_at'])
    .where('token_hash', '=', tokenHash)
    .executeTakeFirst()
  return row ?? null
}

export async function useRefreshToken(db: Db, tokenHash: string, now: number): Promise<void> {
  await db.updateTable('refresh_tokens').set({ used_at: now }).where('token_hash', '=', tokenHash).execute()
}
