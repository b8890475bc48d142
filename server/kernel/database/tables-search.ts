/** Tables of the search (migrations/first-release/search.ts), all kept by triggers but `search_exif`, `search_pending` and `saved_searches`. */
import type { Generated } from 'kysely'

/** `kind` counts from 0: case, evidence, user, group, device. `media` is the `type` of evidence_list. The box is null without a position. */
export interface SearchListTable {
  search_id: Generated<number>
  tenant_id: string
  kind: number
  object_id: number
  state: string
  protected: number
  category_id: number | null
  media: number | null
  from_ticks: bigint | null
  to_ticks: bigint | null
  name_key: string
  device_id: string | null
  west: number | null
  south: number | null
  east: number | null
  north: number | null
}

/** The number of a device in `search_list`. */
export interface SearchDevicesTable {
  number: Generated<number>
  device_id: string
}

/** Texts that are found exactly, without regard to case: ordinals, record and incident numbers, ids at the source. */
export interface SearchNumbersTable {
  number_key: string
  search_id: number
}

/** Texts of a picture's Exif; `resource_id` is the resource with the Exif. */
export interface SearchExifTable {
  resource_id: number
  evidence_id: number
  words: string
}

/** Records from before the search index that are still to be read. */
export interface SearchPendingTable {
  what: 'case' | 'evidence' | 'exif'
  object_id: number
}

/** A letter and its sort key, in the order in which the triggers replace them. */
export interface FoldedLettersTable {
  step: Generated<number>
  letter: string
  base: string
}

export interface SavedSearchesTable {
  saved_search_id: Generated<number>
  tenant_id: string
  principal_id: number
  name: string
  name_key: string
  /** JSON of a SearchQuestion. */
  question: string
  created_utc: string
  modified_utc: string
}

/** A saved search whose owner wants to hear of what is new in it (migrations/0018-case-work.ts). */
export interface SearchSubscriptionsTable {
  saved_search_id: number
  /** JSON of the newest hits when it was looked last; null before the first look. */
  known: string | null
  looked_utc: string | null
}

export interface SearchTables {
  search_list: SearchListTable
  search_devices: SearchDevicesTable
  search_numbers: SearchNumbersTable
  search_exif: SearchExifTable
  search_pending: SearchPendingTable
  folded_letters: FoldedLettersTable
  saved_searches: SavedSearchesTable
  search_subscriptions: SearchSubscriptionsTable
}
