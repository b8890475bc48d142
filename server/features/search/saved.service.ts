import type { z } from 'zod'
import { fault } from '../../../shared/kernel/errors.ts'
import { isOfList, MOST_SAVED, type SavedSearch } from '../../../shared/search/contract.ts'
import { nameKey } from '../../../shared/kernel/names.ts'
import type { Ledger } from '../../kernel/ledger/ledger.ts'
import type { Database, Tx } from '../../kernel/database/database.ts'
import { type Clock, isoMillis } from '../../platform/clock/clock.ts'
import type { HttpCall } from '../../http/handlers.ts'
import {
  deleteSaved,
  forgetKnown,
  insertSaved,
  type SavedRow,
  savedById,
  savedOf,
  subscribe,
  unsubscribe,
  updateSaved,
} from './saved.store.ts'

export type SavedOut = z.input<typeof SavedSearch>

export interface GivenSearch {
  readonly name: string | null
  /** The question as it was sent, validated. */
  readonly question: unknown
}

/** Saved searches, which only their owner sees. */
export interface SavedSearches {
  list(call: HttpCall): Promise<SavedOut[]>
  /** @throws Fault NameTaken; InvalidModel when there are too many */
  save(call: HttpCall, tenant: string, given: GivenSearch & { readonly name: string }): Promise<SavedOut>
  /** Null members stay unchanged. @throws Fault SavedSearchNotFound, NameTaken; InvalidModel for a subscription to a view of a list */
  change(call: HttpCall, id: number, given: GivenSearch & { readonly subscribed: boolean | null }): Promise<SavedOut>
  /** @returns the deleted search. @throws Fault SavedSearchNotFound */
  delete(call: HttpCall, id: number): Promise<SavedOut>
}

interface Deps {
  readonly db: Database
  readonly ledger: Ledger
  readonly clock: Clock
}

export function createSavedSearches({ db, ledger, clock }: Deps): SavedSearches {
  const owner = (call: HttpCall): number => Number(call.principal?.id ?? 0)
  const needed = async (from: Tx, call: HttpCall, id: number): Promise<SavedRow> => {
    const row = await savedById(from, owner(call), id)
    if (row === undefined) throw fault('SavedSearchNotFound', 'There is no such saved search.')
    return row
  }
  const refuseTaken = (rows: readonly SavedRow[], key: string, own: number | null): void => {
    if (rows.some((row) => row.name_key === key && row.saved_search_id !== own))
      throw fault('NameTaken', 'You have a saved search of this name already.', [{ Path: 'Name', Message: 'is taken' }])
  }
  return {
    list: async (call) => (await savedOf(db.read, owner(call))).map(model),

    save: (call, tenant, { name, question }) =>
      db.transaction(async (tx) => {
        const rows = await savedOf(tx, owner(call))
        refuseTaken(rows, nameKey(name), null)
        if (rows.length >= MOST_SAVED)
          throw fault('InvalidModel', 'There are as many saved searches as one may have.', [
            { Path: 'Name', Message: `would be one of more than ${MOST_SAVED}` },
          ])
        const now = isoMillis(clock.now())
        const row = await insertSaved(tx, {
          tenant_id: tenant,
          principal_id: owner(call),
          name,
          name_key: nameKey(name),
          question: JSON.stringify(question),
          created_utc: now,
          modified_utc: now,
        })
        await ledger.append(tx, call, { action: 'savedSearch.created', object: objectOf(row) })
        return call.rememberAnswer(tx, model(row))
      }),

    change: (call, id, { name, question, subscribed }) =>
      db.transaction(async (tx) => {
        const before = await needed(tx, call, id)
        if (name !== null) refuseTaken(await savedOf(tx, owner(call)), nameKey(name), id)
        await updateSaved(tx, id, {
          ...(name === null ? {} : { name, name_key: nameKey(name) }),
          ...(question === null ? {} : { question: JSON.stringify(question) }),
          modified_utc: isoMillis(clock.now()),
        })
        if (question !== null) await forgetKnown(tx, id)
        const row = await needed(tx, call, id)
        if (subscribed === true) {
          refuseView(row)
          await subscribe(tx, id)
        } else if (subscribed === false) await unsubscribe(tx, id)
        await ledger.append(tx, call, {
          action: 'savedSearch.changed',
          object: objectOf(row),
          detail: {
            before: before.name,
            replaced: question !== null,
            ...(subscribed === null ? {} : { subscribed }),
          },
        })
        return model(await needed(tx, call, id))
      }),

    delete: (call, id) =>
      db.transaction(async (tx) => {
        const row = await needed(tx, call, id)
        await deleteSaved(tx, id)
        await ledger.append(tx, call, { action: 'savedSearch.deleted', object: objectOf(row) })
        return model(row)
      }),
  }
}

/** A view is a way to look at a list, which everybody looks at anyway. @throws Fault InvalidModel */
function refuseView({ question }: SavedRow): void {
  if (isOfList(JSON.parse(question)))
    throw fault('InvalidModel', 'Only a search can tell of what is new, not a view of a list.', [
      { Path: 'Subscribed', Message: 'cannot be true for a view of a list' },
    ])
}

const model = (row: SavedRow): SavedOut => ({
  SavedSearchId: String(row.saved_search_id),
  Name: row.name,
  Question: JSON.parse(row.question) as unknown,
  ...(row.subscribed === 1 ? { Subscribed: true as const } : {}),
  CreatedUtcTime: row.created_utc,
  LastModifiedUtcTime: row.modified_utc,
})

const objectOf = (row: SavedRow) => ({ type: 'savedSearch', id: String(row.saved_search_id), name: row.name })
