import * as contract from '../../../shared/search/contract.ts'
import { type BoundRoute, json } from '../../http/handlers.ts'
import type { SavedSearches } from './saved.service.ts'
import { ledgerDetail } from './search.question.ts'
import type { Search } from './search.service.ts'

interface Deps {
  readonly search: Search
  readonly saved: SavedSearches
  /** Gives the tenant's name as registered. @throws Fault TenantNotFound */
  readonly tenant: (name: string) => string
}

export function searchRoutes({ search, saved, tenant }: Deps): BoundRoute[] {
  return [
    json(contract.search, async ({ params, body, call, signal }) => {
      const out = await search.search(call, tenant(params.tenantId), body, signal)
      call.seen({ detail: { ...ledgerDetail(body), returned: out.Hits.length, total: out.Total } })
      return out
    }),
    json(contract.listSavedSearches, async ({ params, call }) => {
      tenant(params.tenantId)
      const out = await saved.list(call)
      call.seen({ detail: { returned: out.length } })
      return out
    }),
    json(contract.saveSearch, async ({ params, body, call }) =>
      saved.save(call, tenant(params.tenantId), { name: body.Name, question: body.Question }),
    ),
    json(contract.changeSavedSearch, async ({ params, body, call }) => {
      tenant(params.tenantId)
      return saved.change(call, params.savedSearchId, { name: body.Name ?? null, question: body.Question ?? null })
    }),
    json(contract.deleteSavedSearch, async ({ params, call }) => {
      tenant(params.tenantId)
      return saved.delete(call, params.savedSearchId)
    }),
  ]
}
