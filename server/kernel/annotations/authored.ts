/** What bookmarks and notes have in common: an author, versions, and who may change them. */
import { Fault, fault } from '../../../shared/kernel/errors.ts'
import type { Principal } from '../../../shared/kernel/principal.ts'
import type { Version, VersionedEntity, Versions } from '../versions/versions.ts'
import type { PrincipalThen } from '../evidence/model.ts'
import { principalThen } from '../evidence/objects.ts'

export interface AuthoredRow {
  readonly author_id: number
  readonly created_utc: string
  readonly created_by: string
  readonly modified_utc: string
  readonly modified_by: string
  readonly edits: number
  readonly concurrency_id: string
}

/** Of a new one; the concurrency id is a hash over the row with its id and follows in the same transaction. */
export const newAuthored = (who: Principal, nowUtc: string): AuthoredRow & { readonly deleted_utc: null } => {
  const then = JSON.stringify(principalThen(who))
  return {
    author_id: Number(who.id),
    created_utc: nowUtc,
    created_by: then,
    modified_utc: nowUtc,
    modified_by: then,
    edits: 0,
    concurrency_id: '',
    deleted_utc: null,
  }
}

export const changedBy = (row: AuthoredRow, who: Principal, nowUtc: string) => ({
  modified_utc: nowUtc,
  modified_by: JSON.stringify(principalThen(who)),
  edits: row.edits + 1,
})

export const authoredModel = (row: AuthoredRow) => ({
  Author: JSON.parse(row.created_by) as PrincipalThen,
  CreatedUtc: row.created_utc,
  ModifiedUtc: row.modified_utc,
  ModifiedBy: JSON.parse(row.modified_by) as PrincipalThen,
  Edits: row.edits,
  ConcurrencyId: row.concurrency_id,
})

export interface Changing {
  /** Of the call. */
  readonly actor: Principal
  /** Holds Manage on what it is written on. */
  readonly manages: boolean
  /** Null: the last writer wins. */
  readonly concurrencyId: string | null
  /** What the ledger is told of who is neither the author nor manages. */
  readonly reason: string
}

/** @throws Fault Forbidden, ConcurrentWritingError */
export function refuseChange(row: AuthoredRow, { actor, manages, concurrencyId, reason }: Changing): void {
  if (!manages && String(row.author_id) !== actor.id)
    throw new Fault('Forbidden', 'Others wrote this: to change it needs Manage.', { reason })
  if (concurrencyId !== null && concurrencyId !== row.concurrency_id)
    throw fault('ConcurrentWritingError', 'Somebody changed this since you read it. Read it again.', [
      { Path: 'ConcurrencyId', Message: 'is not the current one' },
    ])
}

/** More than anybody reads; what is older is in the database. */
const MOST_VERSIONS = 100

/** Newest first. `members` picks what a version tells of the state it keeps. */
export async function versionsOf<T>(
  versions: Pick<Versions, 'history'>,
  entity: VersionedEntity,
  id: number,
  members: (state: Version['state']) => T,
) {
  const found = (await versions.history(entity, id, { count: MOST_VERSIONS })) ?? []
  return found.map(({ state, concurrencyId, action, author, dateUtc }) => ({
    ...members(state),
    ConcurrencyId: concurrencyId,
    Action: action,
    Author: principalThen(author),
    DateUtc: dateUtc,
    Deleted: state['Deleted'] === true,
  }))
}
