import * as contract from '../../../shared/search/contract.ts'
import { type BoundRoute, json } from '../../http/handlers.ts'
import type { Notices } from '../../kernel/events/notices.ts'
import type { Feature, Kernel } from '../../kernel/kernel.ts'
import { createSearchCatchUp } from './index-catch-up.ts'
import { createSavedSearches, type SavedSearches } from './saved.service.ts'
import { createSubscriptions } from './subscriptions.service.ts'
import { ledgerDetail } from './search.question.ts'
import { createSearch, type Search } from './search.service.ts'

interface Needs {
  /** Fields of the templates of cases and evidence. */
  readonly customFields: Parameters<typeof createSearch>[0]['customFields']
  readonly notices: Notices
}

/** Search over cases, evidence, people and devices. */
export function searchFeature(kernel: Kernel, { customFields, notices }: Needs): Feature {
  const search = createSearch({ ...kernel, customFields })
  return {
    routes: searchRoutes({
      search,
      saved: createSavedSearches(kernel),
    }),
    tasks: [
      {
        name: 'what the search has still to read',
        runsOn: 'one node',
        everyMs: 1_000,
        run: createSearchCatchUp(kernel).run,
      },
      {
        name: 'what is new in saved searches',
        runsOn: 'one node',
        everyMs: 300_000,
        run: createSubscriptions({ ...kernel, notices, search, mayWrite: kernel.mode.mayWrite }).look,
      },
    ],
  }
}

interface Deps {
  readonly search: Search
  readonly saved: SavedSearches
}

function searchRoutes({ search, saved }: Deps): BoundRoute[] {
  return [
    json(contract.search, async ({ body, call, signal }) => {
      const out = await search.search(call, call.tenant, body, signal)
      call.describeRead({ detail: { ...ledgerDetail(body), returned: out.Hits.length, total: out.Total } })
      return out
    }),
    json(contract.density, async ({ body, call, signal }) => {
      const out = await search.density(call, call.tenant, body, signal)
      call.describeRead({ detail: { ...ledgerDetail(body), positions: out.Positions, tracks: out.Tracks } })
      return out
    }),
    json(contract.listSavedSearches, async ({ call }) => {
      const out = await saved.list(call)
      call.describeRead({ detail: { returned: out.length } })
      return out
    }),
    json(contract.saveSearch, async ({ body, call }) =>
      saved.save(call, call.tenant, { name: body.Name, question: body.Question }),
    ),
    json(contract.changeSavedSearch, async ({ params, body, call }) => {
      return saved.change(call, params.savedSearchId, {
        name: body.Name ?? null,
        question: body.Question ?? null,
        subscribed: body.Subscribed ?? null,
      })
    }),
    json(contract.deleteSavedSearch, async ({ params, call }) => {
      return saved.delete(call, params.savedSearchId)
    }),
  ]
}
