import type { Kysely } from 'kysely'
import type { Tables } from '../../../kernel/database/tables.ts'

/** SQLite takes no OFFSET without a LIMIT. */
const NO_LIMIT = Number.MAX_SAFE_INTEGER

type Db = Kysely<Tables>

/** Failed sign-ins that are counted under one subject, see failure-book.ts. */
export interface FailuresRow {
  readonly failures: number
  readonly first_at: number
  readonly last_at: number
  readonly locked_until: number | null
}

export async function failuresOf(db: Db, subject: string): Promise<FailuresRow | null> {
  const row = await db
    .selectFrom('sign_in_failures')
    .select(['failures', 'first_at', 'last_at', 'locked_until'])
    .where('subject', '=', subject)
    .executeTakeFirst()
  return row ?? null
}

export async function keepFailures(db: Db, subject: string, row: FailuresRow): Promise<void> {
  await db
    .insertInto('sign_in_failures')
    .values({ subject, ...row })
    .onConflict((conflict) => conflict.column('subject').doUpdateSet({ ...row }))
    .execute()
}

export async function forgetFailuresOf(db: Db, subject: string): Promise<void> {
  await db.deleteFrom('sign_in_failures').where('subject', '=', subject).execute()
}

/** Failures from addresses that are not familiar for the account, since `since`. */
export async function unfamiliarFailures(db: Db, account: string, since: number): Promise<number> {
  const { failures } = await db
    .selectFrom('unfamiliar_failures')
    .select((is) => is.fn.countAll<number>().as('failures'))
    .where('account', '=', account)
    .where('failed_at', '>', since)
    .executeTakeFirstOrThrow()
  return Number(failures)
}

export async function addUnfamiliarFailure(db: Db, account: string, source: string, now: number): Promise<void> {
  await db.insertInto('unfamiliar_failures').values({ account, source, failed_at: now }).execute()
}

/** Deletes the failures of one source, or of all. */
export async function forgetUnfamiliarFailures(db: Db, account: string, source?: string): Promise<void> {
  const all = db.deleteFrom('unfamiliar_failures').where('account', '=', account)
  await (source === undefined ? all : all.where('source', '=', source)).execute()
}

export interface AccountLockRow {
  readonly principal_id: number | null
  readonly locked_until: number | null
  readonly lock_outs: number
  readonly last_at: number
}

export async function accountLockOf(db: Db, account: string): Promise<AccountLockRow | null> {
  const row = await db
    .selectFrom('account_locks')
    .select(['principal_id', 'locked_until', 'lock_outs', 'last_at'])
    .where('account', '=', account)
    .executeTakeFirst()
  return row ?? null
}

export async function keepAccountLock(db: Db, account: string, row: AccountLockRow): Promise<void> {
  await db
    .insertInto('account_locks')
    .values({ account, ...row })
    .onConflict((conflict) => conflict.column('account').doUpdateSet({ ...row }))
    .execute()
}

/** Keeps only the newest `most` locks of names without an account, so that outsiders cannot make the table grow without limit. */
export async function limitLocksWithoutAccount(db: Db, most: number): Promise<void> {
  const withoutAccount = db.selectFrom('account_locks').select('account').where('principal_id', 'is', null)
  await db
    .deleteFrom('account_locks')
    .where('account', 'in', withoutAccount.orderBy('last_at', 'desc').limit(NO_LIMIT).offset(most))
    .execute()
}

/** Deletes failures and locks that no longer count. */
export async function forgetOldFailures(
  db: Db,
  { now, counted, unfamiliar, lockOuts }: { now: number; counted: number; unfamiliar: number; lockOuts: number },
): Promise<void> {
  await db
    .deleteFrom('sign_in_failures')
    .where('last_at', '<', now - counted)
    .where((is) => is.or([is('locked_until', 'is', null), is('locked_until', '<=', now)]))
    .execute()
  await db
    .deleteFrom('unfamiliar_failures')
    .where('failed_at', '<=', now - unfamiliar)
    .execute()
  await db
    .deleteFrom('account_locks')
    .where('last_at', '<', now - lockOuts)
    .where((is) => is.or([is('locked_until', 'is', null), is('locked_until', '<=', now)]))
    .execute()
}

/** Subjects of one account are its own name followed by a space. */
const ofAccount = (account: string) => [`${account} `, `${account}!`] as const

/** Deletes all counts and locks of an account. @returns what they were; null when there were none. */
export async function releaseAccount(
  db: Db,
  account: string,
): Promise<{ failures: number; locked_until: number | null } | null> {
  const [from, to] = ofAccount(account)
  const counts = await db
    .deleteFrom('sign_in_failures')
    .where('subject', '>=', from)
    .where('subject', '<', to)
    .returning(['failures', 'locked_until'])
    .execute()
  const lock = await db
    .deleteFrom('account_locks')
    .where('account', '=', account)
    .returning('locked_until')
    .executeTakeFirst()
  await forgetUnfamiliarFailures(db, account)
  if (counts.length === 0 && lock === undefined) return null
  const until = Math.max(lock?.locked_until ?? 0, ...counts.map(({ locked_until: lockedUntil }) => lockedUntil ?? 0))
  return {
    failures: counts.reduce((sum, { failures }) => sum + failures, 0),
    locked_until: until === 0 ? null : until,
  }
}

/** The last moment until which any lock of these accounts holds, in milliseconds since 1970. */
export async function locksOf(db: Db, accounts: readonly string[]): Promise<Map<string, number>> {
  const found = new Map<string, number>()
  const add = (account: string, until: number | null): void => {
    if (until !== null) found.set(account, Math.max(until, found.get(account) ?? 0))
  }
  if (accounts.length === 0) return found
  const joint = await db
    .selectFrom('account_locks')
    .select(['account', 'locked_until'])
    .where('account', 'in', accounts)
    .execute()
  for (const row of joint) add(row.account, row.locked_until)
  const counts = await db
    .selectFrom('sign_in_failures')
    .select(['subject', 'locked_until'])
    .where('locked_until', 'is not', null)
    .where((is) =>
      is.or(
        accounts.map((account) => {
          const [from, to] = ofAccount(account)
          return is.and([is('subject', '>=', from), is('subject', '<', to)])
        }),
      ),
    )
    .execute()
  for (const { subject, locked_until: until } of counts) add(subject.split(' ', 2).join(' '), until)
  return found
}

export async function isFamiliarSource(
  db: Db,
  given: { principalId: number; source: string; since: number },
): Promise<boolean> {
  const row = await db
    .selectFrom('familiar_sources')
    .select('used_at')
    .where('principal_id', '=', given.principalId)
    .where('source', '=', given.source)
    .where('used_at', '>', given.since)
    .executeTakeFirst()
  return row !== undefined
}

/** Records a source, and keeps the newest `most` of a person that were used after `since`. */
export async function keepFamiliarSource(
  db: Db,
  {
    principalId,
    source,
    now,
    since,
    most,
  }: { principalId: number; source: string; now: number; since: number; most: number },
): Promise<void> {
  await db
    .insertInto('familiar_sources')
    .values({ principal_id: principalId, source, used_at: now })
    .onConflict((conflict) => conflict.columns(['principal_id', 'source']).doUpdateSet({ used_at: now }))
    .execute()
  const own = db.selectFrom('familiar_sources').select('source').where('principal_id', '=', principalId)
  await db
    .deleteFrom('familiar_sources')
    .where('principal_id', '=', principalId)
    .where((is) =>
      is.or([
        is('used_at', '<=', since),
        is('source', 'in', own.orderBy('used_at', 'desc').limit(NO_LIMIT).offset(most)),
      ]),
    )
    .execute()
}

/** Deletes the familiar sources of a person, except `but` if it is given. */
export async function forgetFamiliarSources(db: Db, principalId: number, but?: string): Promise<void> {
  const all = db.deleteFrom('familiar_sources').where('principal_id', '=', principalId)
  await (but === undefined ? all : all.where('source', '!=', but)).execute()
}
