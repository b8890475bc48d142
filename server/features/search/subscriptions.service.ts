/** Tells people of what is new in their saved searches (decisions 7). */
import { SearchQuestion } from '../../../shared/search/contract.ts'
import { INTERNAL } from '../../../shared/kernel/principal.ts'
import type { HttpCall } from '../../http/handlers.ts'
import type { Database } from '../../kernel/database/database.ts'
import type { Notices } from '../../kernel/events/notices.ts'
import { type Clock, isoMillis } from '../../platform/clock/clock.ts'
import type { Log } from '../../platform/log/log.ts'
import { noteLooked, type SubscriptionRow, subscriptions } from './saved.store.ts'
import type { Search } from './search.service.ts'

interface Deps {
  readonly db: Database
  readonly clock: Clock
  readonly log: Log
  readonly notices: Notices
  readonly search: Pick<Search, 'search'>
  readonly mayWrite: () => boolean
}

/** Subscriptions in one run, and hits of each that are compared. */
const MOST_LOOKED_AT = 200
const NEWEST = 200

/** Looks at each subscription with the rights that its owner has now. */
export function createSubscriptions({ db, clock, log, notices, search, mayWrite }: Deps): {
  readonly look: () => Promise<void>
} {
  const one = async (row: SubscriptionRow): Promise<void> => {
    const question = { ...SearchQuestion.parse(JSON.parse(row.question)), Sort: 'newest' as const, Count: NEWEST }
    const { Hits } = await search.search(callOf(row), row.tenant_id, question)
    const found = Hits.map(({ Type, Id }) => `${Type} ${Id}`)
    const known = row.known === null ? null : (JSON.parse(row.known) as string[])
    const isNew = known !== null && newAmong(found, known).length > 0
    await db.transaction(async (tx) => {
      await noteLooked(tx, row.saved_search_id, JSON.stringify(found), isoMillis(clock.now()))
      if (!isNew) return
      const call = { actor: INTERNAL, source: 'station', correlationId: `saved-search-${row.saved_search_id}` }
      await notices.tell(tx, call, [row.principal_id], {
        tenant: row.tenant_id,
        kind: 'search.found',
        object: { type: 'savedSearch', id: String(row.saved_search_id) },
      })
    })
  }
  return {
    look: async () => {
      if (!mayWrite()) return
      for (const row of await subscriptions(db.read, MOST_LOOKED_AT))
        try {
          await one(row)
        } catch (error) {
          // One that a template or a deleted case made unanswerable must not stop the others.
          log.warn({ savedSearch: row.saved_search_id, error: String(error) }, 'a saved search could not be looked at')
        }
    },
  }
}

/**
 * Those of the newest hits that came since. Where more were found than are kept, hits that stand below all known ones are older: they only
 * moved up because others went.
 */
export function newAmong(found: readonly string[], known: readonly string[]): string[] {
  const before = new Set(known)
  const lastKnown = found.findLastIndex((hit) => before.has(hit))
  return found.filter((hit, at) => !before.has(hit) && (known.length < NEWEST || at < lastKnown))
}

/** The owner asks, through the station. */
function callOf({ principal_id: id, owner_name: name, owner_k_id: kId, tenant_id: tenant }: SubscriptionRow): HttpCall {
  const principal = { kind: 'user', id: String(id), name, kId } as const
  return {
    actor: principal,
    principal,
    source: 'station',
    correlationId: `subscriptions-${id}`,
    answerKey: null,
    tenant,
    rememberAnswer: async (_tx, answer) => answer,
    describeRead: () => {},
    reportDecision: () => {},
  }
}
