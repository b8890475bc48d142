/** What the pages ask of the station. */
import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { z } from 'zod'
import { listCategories } from '../../../shared/cases/categories.contract.ts'
import * as contract from '../../../shared/forwarding/contract.ts'
import { call } from '../../client/api.ts'
import { from, type Pages, useItemPages } from '../../client/pages.ts'
import { useSession } from '../../client/session.tsx'
import type { Translate } from '../../client/translate.ts'

export type Headquarters = z.output<typeof contract.HeadquartersModel>
export type Rules = z.output<typeof contract.ForwardingRules>
export type Item = z.output<typeof contract.ForwardingItemModel>
export type Question = z.output<typeof contract.ForwardingQuestionModel>
export type Words = Translate<'forwarding'>

const FORWARDING = ['forwarding'] as const
/** Each look is an entry of the ledger. */
const SOON_MS = 5_000
const LATER_MS = 60_000

export function useHeadquarters() {
  const { tenant, session } = useSession()
  const { data, error, refetch } = useQuery({
    queryKey: [...FORWARDING, 'headquarters', tenant],
    enabled: session.User?.Administrator === true,
    queryFn: ({ signal }) => call(contract.getHeadquarters, { params: { tenantName: tenant }, signal }),
    refetchInterval: ({ state }) => ((state.data?.Backlog.Waiting ?? 0) > 0 ? SOON_MS : LATER_MS),
  })
  return { headquarters: data ?? null, error, retry: () => void refetch() }
}

export function useItems(state: Item['State'], enabled: boolean): Pages<Item> {
  const { tenant } = useSession()
  return useItemPages({
    queryKey: [...FORWARDING, 'items', tenant, state],
    enabled,
    refetchEvery: () => (state === 'waiting' ? SOON_MS : LATER_MS),
    ask: (cursor, signal) =>
      call(contract.listForwarding, {
        params: { tenantName: tenant },
        query: { state, ...from(cursor) },
        signal,
      }),
  })
}

export function useQuestions(enabled: boolean) {
  const { tenant } = useSession()
  return useQuery({
    queryKey: [...FORWARDING, 'questions', tenant],
    enabled,
    queryFn: ({ signal }) => call(contract.listForwardingQuestions, { params: { tenantName: tenant }, signal }),
  })
}

export function useCategories() {
  const { tenant } = useSession()
  return useQuery({
    queryKey: [...FORWARDING, 'categories', tenant],
    queryFn: ({ signal }) => call(listCategories, { params: { tenantId: tenant }, signal }),
  })
}

/** After an act everything of these pages is asked again, and what the frame shows of it. */
export function useRefreshed(): <T>(act: Promise<T>) => Promise<T> {
  const queries = useQueryClient()
  return async (act) => {
    try {
      return await act
    } finally {
      await queries.invalidateQueries({ queryKey: FORWARDING })
      await queries.invalidateQueries({ queryKey: ['station'] })
    }
  }
}
