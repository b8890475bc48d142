/** What the search page asks of the station. */
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { z } from 'zod'
import * as categories from '../../../shared/cases/categories.contract.ts'
import { findMapPlaces } from '../../../shared/maps/contract.ts'
import type { Box } from '../../../shared/search/cells.ts'
import * as contract from '../../../shared/search/contract.ts'
import * as templates from '../../../shared/templates/contract.ts'
import type { FieldType } from '../../../shared/templates/custom-fields.ts'
import { type Answer, call, newKey } from '../../client/api.ts'
import { cursorIn, usePages, type Window, windowOf } from '../../client/pages.ts'
import { useIsMember, useSession } from '../../client/session.tsx'
import { isView, SAVED } from '../../client/views.ts'
import { type HitType, isBlank, questionOf, type SearchState, TYPES } from './search-state.ts'

export type Hit = z.output<typeof contract.SearchHit>
export type Facets = z.output<typeof contract.SearchFacets>
export type Density = Answer<typeof contract.density>
export type MapPlace = Answer<typeof findMapPlaces>['Places'][number]
export type Saved = z.output<typeof contract.SavedSearch>

const PAGE = 100

/** Groups lead somewhere only for whoever administers them. */
export function useFound(): readonly HitType[] {
  const { session } = useSession()
  const administers = session.User?.Administrator === true
  return useMemo(() => (administers ? TYPES : TYPES.filter((type) => type !== 'Group')), [administers])
}

export interface Results extends Window<Hit> {
  /** null before the first answer. */
  readonly count: number | null
  readonly atLeast: boolean
  readonly facets: Facets | null
  /** Of the oldest tracks about the place only the box around them was compared. */
  readonly placeIsRough: boolean
  readonly error: Error | null
  readonly retry: () => void
}

const PARTS = { rowsOf: ({ Hits }: Answer<typeof contract.search>) => Hits, cursorOf: cursorIn }

/** Page after page as it comes in sight. An older question that is still asked is given up. */
export function useResults(search: SearchState): Results {
  const { tenant } = useSession()
  const found = useFound()
  const question = useMemo(() => questionOf(search, found), [search, found])
  const answer = usePages(
    {
      queryKey: ['search', tenant, question],
      enabled: !isBlank(search),
      keepsPrevious: true,
      staleTime: 5_000,
      ask: (cursor, signal) =>
        call(contract.search, {
          params: { tenantId: tenant },
          body: { ...question, Count: PAGE, Facets: cursor === null, ...(cursor === null ? {} : { Cursor: cursor }) },
          signal,
        }),
    },
    PARTS,
  )
  const [first] = answer.pages ?? []
  return {
    ...windowOf(answer),
    count: first?.Total ?? null,
    atLeast: first?.TotalIsAtLeast ?? false,
    facets: first?.Facets ?? null,
    placeIsRough: first?.PlaceIsRough ?? false,
    busy: answer.isFetching,
    error: answer.error,
    retry: answer.retry,
  }
}

const SELDOM = 60_000

/** Where the evidence that is found was. @param shown the part of the map; null: all of it */
export function useDensity(search: SearchState, shown: { readonly area: Box; readonly level: number } | null) {
  const { tenant } = useSession()
  const found = useFound()
  const question = useMemo(() => {
    const { Sort: _sort, ...asked } = questionOf(search, found)
    return asked
  }, [search, found])
  return useQuery({
    queryKey: ['density', tenant, question, shown],
    staleTime: SELDOM,
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) =>
      call(contract.density, {
        params: { tenantId: tenant },
        body: { ...question, ...(shown === null ? {} : { Area: [...shown.area], Level: shown.level }) },
        signal,
      }),
  })
}

/** Places by their names on the maps of the station. @param typed at least two letters; else nothing is asked */
export function useMapPlaces(typed: string) {
  const { tenant } = useSession()
  return useQuery({
    queryKey: ['map-places', tenant, typed],
    staleTime: SELDOM,
    enabled: typed.length >= 2,
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => call(findMapPlaces, { params: { tenantId: tenant }, query: { name: typed }, signal }),
  })
}

export function useCategoryNames(): ReadonlyMap<string, string> {
  const { tenant } = useSession()
  const member = useIsMember()
  const { data } = useQuery({
    queryKey: ['categories', tenant],
    staleTime: SELDOM,
    enabled: member,
    queryFn: ({ signal }) => call(categories.listCategories, { params: { tenantId: tenant }, signal }),
  })
  return useMemo(() => new Map((data ?? []).map(({ CategoryId, Name }) => [CategoryId, Name])), [data])
}

export interface FieldKnown {
  readonly name: string
  readonly type: FieldType
  readonly choices: readonly string[]
}

/** Of cases and evidence; where both have one of a name, the first stands for both. */
export function useCustomFields(): readonly FieldKnown[] {
  const { tenant } = useSession()
  const member = useIsMember()
  const { data } = useQuery({
    queryKey: ['templates', tenant],
    staleTime: SELDOM,
    enabled: member,
    queryFn: ({ signal }) => call(templates.listTemplates, { params: { tenantName: tenant }, signal }),
  })
  return useMemo(() => {
    const fields = new Map<string, FieldKnown>()
    for (const { customFields } of data ?? [])
      for (const { name, type, choices } of customFields)
        if (!fields.has(name)) fields.set(name, { name, type, choices: choices ?? [] })
    return [...fields.values()]
  }, [data])
}

export function useSaved() {
  const { tenant } = useSession()
  const queries = useQueryClient()
  const params = { tenantId: tenant }
  const refresh = (): void => void queries.invalidateQueries({ queryKey: [SAVED, tenant] })
  const { data } = useQuery({
    queryKey: [SAVED, tenant],
    staleTime: SELDOM,
    queryFn: ({ signal }) => call(contract.listSavedSearches, { params, signal }),
  })
  const then = async <T>(work: Promise<T>): Promise<T> => {
    const done = await work
    refresh()
    return done
  }
  return {
    /** Null before the first answer. */
    known: data ?? null,
    list: (data ?? []).filter((one) => !isView(one)),
    subscribe: ({ SavedSearchId }: Saved, Subscribed: boolean) =>
      then(
        call(contract.changeSavedSearch, { params: { ...params, savedSearchId: SavedSearchId }, body: { Subscribed } }),
      ),
    save: (Name: string, Question: Record<string, unknown>) =>
      then(call(contract.saveSearch, { params, body: { Name, Question }, idempotencyKey: newKey() })),
    rename: ({ SavedSearchId }: Saved, Name: string) =>
      then(call(contract.changeSavedSearch, { params: { ...params, savedSearchId: SavedSearchId }, body: { Name } })),
    remove: ({ SavedSearchId }: Saved) =>
      then(call(contract.deleteSavedSearch, { params: { ...params, savedSearchId: SavedSearchId } })),
  }
}
