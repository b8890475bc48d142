import type { z } from 'zod'
import type { SearchFacets } from '../../../shared/search/contract.ts'
import { SEARCHED_MEDIA } from '../../../shared/search/search-values.ts'
import { type CubeCell, type FacetFilter, KINDS } from './search.store.ts'

/** Computes facets from one count of all combinations. Each facet ignores its own filter. */

type Facets = z.input<typeof SearchFacets>
type Dimension = keyof FacetFilter

const TESTS: Readonly<Record<Dimension, (filter: FacetFilter, cell: Cell) => boolean>> = {
  types: ({ types }, { kind }) => types === null || types.includes(KINDS[kind] as (typeof KINDS)[number]),
  categories: ({ categories }, { category_id: id }) => categories === null || (id !== null && categories.includes(id)),
  states: ({ states }, cell) => states === null || statesOf(cell).some((state) => states.includes(state)),
  media: ({ media }, cell) => media === null || (cell.media !== null && media.includes(cell.media)),
}
const DIMENSIONS = Object.keys(TESTS) as Dimension[]
type Cell = Omit<CubeCell, 'n'>

/** A protected object also counts as open, closed or complete. */
const statesOf = ({ state, protected: kept }: Cell): string[] => (kept === 1 ? [state, 'Protected'] : [state])

const passes = (filter: FacetFilter, cell: Cell, without?: Dimension): boolean =>
  DIMENSIONS.every((dimension) => dimension === without || TESTS[dimension](filter, cell))

/** Whether the cell passes all filters of facets. */
export const passesAll = (filter: FacetFilter, cell: Cell): boolean => passes(filter, cell)

export const countOf = (cube: readonly CubeCell[]): number => cube.reduce((sum, { n }) => sum + n, 0)

export const countPassing = (cube: readonly CubeCell[], filter: FacetFilter): number =>
  countOf(cube.filter((cell) => passes(filter, cell)))

export function facetsOf(cube: readonly CubeCell[], filter: FacetFilter, areAtLeast: boolean): Facets {
  const of = (dimension: Dimension, valuesOf: (cell: CubeCell) => readonly string[]): Facets['Types'] => {
    const counts = new Map<string, number>()
    for (const cell of cube)
      if (passes(filter, cell, dimension))
        for (const value of valuesOf(cell)) counts.set(value, (counts.get(value) ?? 0) + cell.n)
    return [...counts]
      .map(([Value, Count]) => ({ Value, Count }))
      .sort((one, other) => other.Count - one.Count || (one.Value < other.Value ? -1 : 1))
  }
  return {
    Types: of('types', ({ kind }) => [KINDS[kind] as string]),
    Categories: of('categories', ({ category_id: id }) => (id === null ? [] : [String(id)])),
    States: of('states', statesOf),
    MediaTypes: of('media', ({ media }) => (media === null ? [] : [SEARCHED_MEDIA[media] ?? 'none'])),
    AreAtLeast: areAtLeast,
  }
}
