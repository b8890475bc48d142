import type { Kysely } from 'kysely'
import type { Tables } from '../../../kernel/database/tables.ts'

type Db = Kysely<Tables>

export interface SecondStepRow {
  readonly principal_id: number
  readonly sealed: string
  readonly created_at: number
  readonly confirmed_at: number | null
  readonly last_step: number
}

export async function secondStepOf(db: Db, principalId: number): Promise<SecondStepRow | null> {
  const row = await db.selectFrom('second_steps').selectAll().where('principal_id', '=', principalId).executeTakeFirst()
  return row ?? null
}

/** Replaces one that was begun and never confirmed. */
export async function beginSecondStep(
  db: Db,
  { principalId, sealed, now }: { principalId: number; sealed: string; now: number },
): Promise<void> {
  const fresh = { sealed, created_at: now, confirmed_at: null, last_step: 0 }
  await db
    .insertInto('second_steps')
    .values({ principal_id: principalId, ...fresh })
    .onConflict((conflict) => conflict.column('principal_id').doUpdateSet(fresh))
    .execute()
}

export async function changeSecondStep(
  db: Db,
  principalId: number,
  change: { confirmed_at?: number; last_step?: number },
): Promise<void> {
  await db.updateTable('second_steps').set(change).where('principal_id', '=', principalId).execute()
}

/** Removes the second step with its recovery codes. @returns whether it was confirmed */
export async function removeSecondStep(db: Db, principalId: number): Promise<boolean> {
  const gone = await db
    .deleteFrom('second_steps')
    .where('principal_id', '=', principalId)
    .returning('confirmed_at')
    .executeTakeFirst()
  return (gone?.confirmed_at ?? null) !== null
}

export async function replaceRecoveryCodes(db: Db, principalId: number, hashes: readonly string[]): Promise<void> {
  await db.deleteFrom('recovery_codes').where('principal_id', '=', principalId).execute()
  await db
    .insertInto('recovery_codes')
    .values(hashes.map((code_hash) => ({ principal_id: principalId, code_hash, used_at: null })))
    .execute()
}

/** @returns false when there is no such code, or it was used before. */
export async function useRecoveryCode(db: Db, principalId: number, codeHash: string, now: number): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('recovery_codes')
    .set({ used_at: now })
    .where('principal_id', '=', principalId)
    .where('code_hash', '=', codeHash)
    .where('used_at', 'is', null)
    .executeTakeFirstOrThrow()
  return numUpdatedRows === 1n
}

export async function recoveryCodesLeft(db: Db, principalId: number): Promise<number> {
  const { left } = await db
    .selectFrom('recovery_codes')
    .select((is) => is.fn.countAll<number>().as('left'))
    .where('principal_id', '=', principalId)
    .where('used_at', 'is', null)
    .executeTakeFirstOrThrow()
  return Number(left)
}
