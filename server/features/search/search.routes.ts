import * as contract from '../../../shared/search/contract.ts'
import { type BoundRoute, json } from '../../http/handlers.ts'
import type { SavedSearches } from './saved.service.ts'
import { ledgerDetail } from './search.question.ts'
import type { Search } from './search.service.ts'

interface Deps {
  readonly search: Search
  readonly saved: SavedSearches
}

export function searchRoutes({ search, saved }: Deps): BoundRoute[] {
  return [
    json(contract.search, async ({ body, call, signal }) => {
      const out = await search.search(call, call.tenant, body, signal)
      call.describeRead({ detail: { ...ledgerDetail(body), returned: out.Hits.length, total: out.Total } })
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
      return saved.change(call, params.savedSearchId, { name: body.Name ?? null, question: body.Question ?? null })
    }),
    json(contract.deleteSavedSearch, async ({ params, call }) => {
      return saved.delete(call, params.savedSearchId)
    }),
  ]
}
