import type { Kysely } from 'kysely'
import type { Tables } from '../../../kernel/database/tables.ts'

type Db = Kysely<Tables>

/** The columns of a person that sign-in needs. */
export interface PersonRow {
  readonly principal_id: number
  readonly tenant_id: string
  readonly name: string
  readonly name_key: string
  readonly k_id: string
  readonly first_name: string
  readonly last_name: string
  readonly badge: string
  readonly guest: number
  readonly enabled: number
  readonly password_hash: string | null
  readonly password_due: number
}

/** A session that has not ended, with its person. Times are milliseconds since 1970. */
export interface SessionRow extends PersonRow {
  readonly session_id: number
  readonly created_at: number
  readonly active_at: number
  readonly locked_at: number | null
}

const PERSON = [
  'principals.principal_id',
  'principals.tenant_id',
  'principals.name',
  'principals.name_key',
  'principals.k_id',
  'principals.first_name',
  'principals.last_name',
  'principals.badge',
  'principals.guest',
  'principals.enabled',
  'principals.password_hash',
  'principals.password_due',
] as const

export async function personByName(db: Db, tenantId: string, nameKey: string): Promise<PersonRow | null> {
  const row = await db
    .selectFrom('principals')
    .select(PERSON)
    .where('tenant_id', '=', tenantId)
    .where('kind', '=', 'user')
    .where('name_key', '=', nameKey)
    .executeTakeFirst()
  return row ?? null
}

export async function personById(db: Db, principalId: number): Promise<PersonRow | null> {
  const row = await db
    .selectFrom('principals')
    .select(PERSON)
    .where('principal_id', '=', principalId)
    .where('kind', '=', 'user')
    .executeTakeFirst()
  return row ?? null
}

const openSessions = (db: Db) =>
  db
    .selectFrom('sessions')
    .innerJoin('principals', 'principals.principal_id', 'sessions.principal_id')
    .select(PERSON)
    .select(['sessions.session_id', 'sessions.created_at', 'sessions.active_at', 'sessions.locked_at'])
    .where('sessions.ended_at', 'is', null)

/** @param tokenHash SHA-256 of the cookie in lower-case hexadecimal; the cookie itself is not stored. */
export async function sessionByToken(db: Db, tokenHash: string): Promise<SessionRow | null> {
  return (await openSessions(db).where('sessions.token_hash', '=', tokenHash).executeTakeFirst()) ?? null
}

export async function sessionById(db: Db, sessionId: number): Promise<SessionRow | null> {
  return (await openSessions(db).where('sessions.session_id', '=', sessionId).executeTakeFirst()) ?? null
}

/** Sessions of a person, latest first, including expired ones that have not been read since. */
export const sessionsOf = (db: Db, principalId: number): Promise<(SessionRow & { readonly source: string })[]> =>
  openSessions(db)
    .select('sessions.source')
    .where('sessions.principal_id', '=', principalId)
    .orderBy('sessions.session_id', 'desc')
    .execute()

/** Sets a password that its owner chose, so no change is due. */
export async function setOwnPassword(db: Db, principalId: number, passwordHash: string): Promise<void> {
  await db
    .updateTable('principals')
    .set({ password_hash: passwordHash, password_due: 0 })
    .where('principal_id', '=', principalId)
    .execute()
}

/** @returns the session's id. */
export async function insertSession(
  db: Db,
  session: { tokenHash: string; principalId: number; source: string; notice: string; now: number },
): Promise<number> {
  const { session_id: id } = await db
    .insertInto('sessions')
    .values({
      token_hash: session.tokenHash,
      principal_id: session.principalId,
      source: session.source,
      notice: session.notice,
      created_at: session.now,
      active_at: session.now,
      locked_at: null,
      ended_at: null,
    })
    .returning('session_id')
    .executeTakeFirstOrThrow()
  return id
}

export async function changeSession(
  db: Db,
  sessionId: number,
  change: { token_hash?: string; active_at?: number; locked_at?: number | null; ended_at?: number },
): Promise<void> {
  await db.updateTable('sessions').set(change).where('session_id', '=', sessionId).execute()
}

/** Deletes rows of sessions that began before `before`. The ledger keeps what happened in them. */
export async function forgetSessions(db: Db, before: number): Promise<void> {
  await db.deleteFrom('sessions').where('created_at', '<', before).execute()
}
