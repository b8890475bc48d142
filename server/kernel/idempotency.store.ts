import type { Kysely } from 'kysely'
import type { Tx } from './database/database.ts'
import type { Tables } from './database/tables.ts'

/** The scope of an Idempotency-Key (decisions 1). */
export interface Scope {
  readonly principal: string
  readonly operation: string
  readonly key: string
}

export interface StoredAnswer {
  readonly bodyHash: string
  readonly status: number
  /** JSON. */
  readonly answer: string
}

/** Answers are kept for 7 days; in milliseconds. */
export const KEPT_FOR = 7 * 24 * 3600 * 1000

export async function findAnswer(db: Kysely<Tables>, scope: Scope, now: number): Promise<StoredAnswer | null> {
  const row = await db
    .selectFrom('idempotency')
    .select(['body_hash', 'status', 'answer'])
    .where('principal', '=', scope.principal)
    .where('operation', '=', scope.operation)
    .where('idempotency_key', '=', scope.key)
    .where('created_at', '>', now - KEPT_FOR)
    .executeTakeFirst()
  return row === undefined ? null : { bodyHash: row.body_hash, status: row.status, answer: row.answer }
}

/** Replaces an expired row. A row of the same key that is not expired makes the insert fail, which rolls the caller back. */
export async function rememberAnswer(tx: Tx, scope: Scope, remembered: StoredAnswer, now: number): Promise<void> {
  await tx
    .deleteFrom('idempotency')
    .where('principal', '=', scope.principal)
    .where('operation', '=', scope.operation)
    .where('idempotency_key', '=', scope.key)
    .where('created_at', '<=', now - KEPT_FOR)
    .execute()
  await tx
    .insertInto('idempotency')
    .values({
      principal: scope.principal,
      operation: scope.operation,
      idempotency_key: scope.key,
      body_hash: remembered.bodyHash,
      status: remembered.status,
      answer: remembered.answer,
      created_at: now,
    })
    .execute()
}

/** Deletes expired answers; for the housekeeping task. @returns their number */
export async function forgetAnswers(tx: Tx, now: number): Promise<number> {
  const result = await tx
    .deleteFrom('idempotency')
    .where('created_at', '<=', now - KEPT_FOR)
    .executeTakeFirst()
  return Number(result.numDeletedRows)
}
