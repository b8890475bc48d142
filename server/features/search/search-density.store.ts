/** Positions and tracks of what the caller can view: what is counted on the map, and what is measured about a place. */
import { type CompiledQuery, sql } from 'kysely'
import { listOf, membersOf } from '../../kernel/database/expressions.ts'
import type { Box } from '../../../shared/search/cells.ts'
import {
  type Condition,
  conditions,
  type Db,
  type FacetFilter,
  facetConditions,
  found,
  KINDS,
  mayView,
  placeOf,
  says,
  type SearchFilter,
  type Seeker,
} from './search.store.ts'
import { inBox, isUnsure } from './search-where.store.ts'

const all = (parts: readonly Condition[]): Condition => sql.join(parts as Condition[], sql` AND `)

/** Lines and areas that have to be measured, the newest first. For a long read. */
export const unsureLines = (
  db: Db,
  tenant: string,
  seeker: Seeker,
  filter: SearchFilter,
  most: number,
): CompiledQuery<{ search_id: number }> => {
  const { all: match } = filter.match
  const parts = [
    ...says(match, filter),
    sql`s.west IS NOT NULL`,
    isUnsure(filter),
    ...conditions(tenant, seeker, filter),
    mayView(match, seeker),
  ]
  return sql<{
    search_id: number
  }>`SELECT s.search_id FROM ${found(match)} WHERE ${all(parts)} ORDER BY ${placeOf(match)} DESC LIMIT ${most}`.compile(
    db,
  )
}

export interface LineRow {
  readonly search_id: number
  readonly wkt: string | null
}

/** The geometries of rows that the caller can view: another query has judged it in the same request. For a long read. */
export const geometriesOf = (db: Db, ids: readonly number[]): CompiledQuery<LineRow> =>
  sql<LineRow>`SELECT s.search_id, CASE s.kind
      WHEN ${sql.lit(KINDS.indexOf('Case'))} THEN (SELECT c.location_wkt FROM cases c WHERE c.case_id = s.object_id)
      WHEN ${sql.lit(KINDS.indexOf('Evidence'))} THEN (SELECT e.location_wkt FROM evidence e WHERE e.evidence_id = s.object_id) END AS wkt
    FROM search_list s WHERE s.search_id IN ${membersOf(listOf(ids))}`.compile(db)

export interface PlacedRow {
  readonly search_id: number
  readonly west: number
  readonly south: number
  readonly east: number
  readonly north: number
}

/** What has a place, the newest first. For a long read. @param area the part of the map that is shown; null: all of it */
export const placedRows = (
  db: Db,
  tenant: string,
  seeker: Seeker,
  filter: SearchFilter,
  { facets, area }: { readonly facets: FacetFilter; readonly area: Box | null },
  most: number,
): CompiledQuery<PlacedRow> => {
  const { all: match } = filter.match
  const parts = [
    ...says(match, filter),
    sql`s.west IS NOT NULL`,
    ...(area === null ? [] : [inBox(area)]),
    ...facetConditions(facets),
    ...conditions(tenant, seeker, filter),
    mayView(match, seeker),
  ]
  return sql<PlacedRow>`SELECT s.search_id, s.west, s.south, s.east, s.north FROM ${found(match)}
    WHERE ${all(parts)} ORDER BY ${placeOf(match)} DESC LIMIT ${most}`.compile(db)
}
