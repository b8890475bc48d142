import { useQuery } from '@tanstack/react-query'
import * as contract from '../../../../../shared/cases/categories.contract.ts'
import { call } from '../../../../client/api.ts'
import { useIsMember, useSession } from '../../../../client/session.tsx'
import { visible } from '../text/visible.ts'

/** Categories change seldom; the other pages ask under the same key. */
const FRESH_MS = 60_000

/** Null while it is not known, and for guests, who may not read categories: an id says nothing to a person. */
export function useCategoryName(categoryId: string | null): string | null {
  const { tenant } = useSession()
  const member = useIsMember()
  const { data } = useQuery({
    queryKey: ['categories', tenant],
    staleTime: FRESH_MS,
    enabled: member && categoryId !== null,
    queryFn: ({ signal }) => call(contract.listCategories, { params: { tenantId: tenant }, signal }),
  })
  const found = data?.find((one) => one.CategoryId === categoryId)
  return found === undefined ? null : visible(found.Name)
}
