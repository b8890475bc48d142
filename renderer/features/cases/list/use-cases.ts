/** A list of cases, page after page as it comes in sight. */
import * as lists from '../../../../shared/cases/case-list.contract.ts'
import { call } from '../../../client/api.ts'
import { from, type Pages, useItemPages } from '../../../client/pages.ts'
import { useSession } from '../../../client/session.tsx'
import type { CaseItem } from '../queries.ts'
import type { CaseQuery } from './search.ts'

const PAGE = '100'

export function useCases(query: CaseQuery): Pages<CaseItem> {
  const { tenant } = useSession()
  return useItemPages({
    queryKey: ['case-list', tenant, query],
    keepsPrevious: true,
    staleTime: 5_000,
    ask: (cursor, signal) =>
      call(lists.listCases, {
        params: { tenantId: tenant },
        query: { ...query, faces: 'true', count: PAGE, ...from(cursor) },
        signal,
      }),
  })
}
