/** Views: the list of evidence with its filters, order and columns under a name of one's own. They are kept beside the saved searches. */
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { z } from 'zod'
import * as contract from '../../shared/search/contract.ts'
import { call, newKey } from './api.ts'
import { useSession } from './session.tsx'

export const SAVED = 'saved-searches'

type Saved = z.output<typeof contract.SavedSearch>
export type ViewQuestion = z.output<typeof contract.EvidenceView>

export interface View {
  readonly id: string
  readonly name: string
  readonly question: ViewQuestion
}

/** Null: a search, and no view. */
function viewOf({ SavedSearchId, Name, Question }: Saved): View | null {
  // The station judged it as it was saved.
  return contract.isOfList(Question) ? { id: SavedSearchId, name: Name, question: Question as ViewQuestion } : null
}

export const isView = (saved: Saved): boolean => viewOf(saved) !== null

const FRESH_MS = 60_000

/** One's own, in one's own order. */
export function useViews() {
  const { tenant } = useSession()
  const queries = useQueryClient()
  const params = { tenantId: tenant }
  const { data } = useQuery({
    queryKey: [SAVED, tenant],
    staleTime: FRESH_MS,
    queryFn: ({ signal }) => call(contract.listSavedSearches, { params, signal }),
  })
  const views = useMemo(
    () =>
      (data ?? [])
        .flatMap((saved) => viewOf(saved) ?? [])
        .toSorted((one, other) => one.question.Position - other.question.Position || (one.name < other.name ? -1 : 1)),
    [data],
  )
  const then = async <T>(work: Promise<T>): Promise<T> => {
    try {
      return await work
    } finally {
      await queries.invalidateQueries({ queryKey: [SAVED, tenant] })
    }
  }
  const change = (id: string, body: { readonly Name?: string; readonly Question?: ViewQuestion }) =>
    call(contract.changeSavedSearch, { params: { ...params, savedSearchId: id }, body })
  return {
    views,
    save: (Name: string, question: Omit<ViewQuestion, 'Position'>) => {
      const Position = Math.max(-1, ...views.map((view) => view.question.Position)) + 1
      return then(
        call(contract.saveSearch, {
          params,
          body: { Name, Question: { ...question, Position } },
          idempotencyKey: newKey(),
        }),
      )
    },
    rename: ({ id }: View, Name: string) => then(change(id, { Name })),
    replace: ({ id, question }: View, what: Partial<ViewQuestion>) =>
      then(change(id, { Question: { ...question, ...what } })),
    /** One place up or down; all are numbered anew, so that equal numbers of before are told apart. */
    move: (view: View, by: -1 | 1) => {
      const order = views.filter(({ id }) => id !== view.id)
      order.splice(Math.max(0, views.indexOf(view) + by), 0, view)
      const moved = order.flatMap(({ id, question }, Position) =>
        question.Position === Position ? [] : [change(id, { Question: { ...question, Position } })],
      )
      return then(Promise.all(moved))
    },
    remove: async ({ id, name, question }: View) => {
      await then(call(contract.deleteSavedSearch, { params: { ...params, savedSearchId: id } }))
      return () =>
        then(call(contract.saveSearch, { params, body: { Name: name, Question: question }, idempotencyKey: newKey() }))
    },
  }
}
