/** The categories of the station: they change seldom, and every page asks under the same key. */
import { useQuery } from '@tanstack/react-query'
import type { z } from 'zod'
import * as contract from '../../shared/cases/categories.contract.ts'
import { call } from './api.ts'
import { useIsMember, useSession } from './session.tsx'

export type Category = z.output<typeof contract.CategoryModel>

const FRESH_MS = 60_000

/** Guests may not read them. */
export function useCategories() {
  const { tenant } = useSession()
  const member = useIsMember()
  return useQuery({
    queryKey: ['categories', tenant],
    staleTime: FRESH_MS,
    enabled: member,
    queryFn: ({ signal }): Promise<readonly Category[]> =>
      call(contract.listCategories, { params: { tenantId: tenant }, signal }),
  })
}

type KeptWords = (key: 'keptAlways' | 'keptDays' | 'keptYears', given?: { readonly count: number }) => string

/** For how long a category keeps what is in it, in whole years where it can be said so. @param days null: until somebody decides */
export function keptFor(days: number | null, t: KeptWords): string {
  if (days === null) return t('keptAlways')
  return days > 0 && days % 365 === 0 ? t('keptYears', { count: days / 365 }) : t('keptDays', { count: days })
}
