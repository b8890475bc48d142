import type { Kysely } from 'kysely'
import type { Tables } from '../../../kernel/database/tables.ts'

type Db = Kysely<Tables>

export interface PasskeyRow {
  readonly passkey_id: number
  readonly principal_id: number
  readonly rp_id: string
  readonly credential_id: string
  readonly user_handle: string
  readonly public_key: Uint8Array
  readonly counter: number
  readonly transports: string
  readonly synced: number
  readonly name: string
  readonly created_at: number
  readonly used_at: number | null
}

/** In order of creation. */
export const passkeysOf = (db: Db, principalId: number): Promise<PasskeyRow[]> =>
  db.selectFrom('passkeys').selectAll().where('principal_id', '=', principalId).orderBy('passkey_id').execute()

export async function passkeyByCredential(db: Db, credentialId: string): Promise<PasskeyRow | null> {
  const row = await db.selectFrom('passkeys').selectAll().where('credential_id', '=', credentialId).executeTakeFirst()
  return row ?? null
}

/** @returns its id. */
export async function insertPasskey(db: Db, row: Omit<PasskeyRow, 'passkey_id' | 'used_at'>): Promise<number> {
  const { passkey_id: id } = await db
    .insertInto('passkeys')
    .values({ ...row, used_at: null })
    .returning('passkey_id')
    .executeTakeFirstOrThrow()
  return id
}

export async function usePasskey(
  db: Db,
  passkeyId: number,
  change: { counter: number; synced: number; used_at: number },
): Promise<void> {
  await db.updateTable('passkeys').set(change).where('passkey_id', '=', passkeyId).execute()
}

/** Removes all passkeys of a person, or the given one. @returns the removed ones */
export async function removePasskeys(
  db: Db,
  principalId: number,
  passkeyId?: number,
): Promise<{ passkey_id: number; name: string }[]> {
  const all = db.deleteFrom('passkeys').where('principal_id', '=', principalId).returning(['passkey_id', 'name'])
  return (passkeyId === undefined ? all : all.where('passkey_id', '=', passkeyId)).execute()
}

/** @returns false when it was used before. Of any number of calls exactly one returns true. */
export async function useChallenge(db: Db, hash: string, expiresAt: number): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('used_challenges')
    .values({ challenge_hash: hash, expires_at: expiresAt })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirstOrThrow()
  return numInsertedOrUpdatedRows === 1n
}

/** Deletes used challenges that ended before this time, in milliseconds since 1970. */
export async function forgetChallenges(db: Db, before: number): Promise<void> {
  await db.deleteFrom('used_challenges').where('expires_at', '<', before).execute()
}
