/** The fields of an evidence as headquarters gets them, and what is compared later. */
import { nameKey } from '../../../shared/kernel/names.ts'
import type { EvidenceRow } from '../../kernel/evidence/records.store.ts'
import type { RemoteEvidence } from './client.ts'
import type { FieldName, Fields } from './rules.ts'

export interface RemoteCategory {
  readonly id: string
  readonly name: string
  readonly enabled: boolean
}

const LONGEST_TAG = 64
const MOST_TAGS = 100

/** @param category its name here; null without one */
export function fieldsOf(row: EvidenceRow, tags: readonly string[], category: string | null): Fields {
  return {
    Name: row.name,
    Description: row.description,
    Tags: tags,
    Category: category,
    StartTimeUtc: row.start_utc,
    EndTimeUtc: row.end_utc,
    LocationText: row.location_text,
    LocationWKT: row.location_wkt,
    CustomFields: JSON.parse(row.custom_fields) as Record<string, string>,
  }
}

export const remoteFields = (remote: RemoteEvidence, categories: readonly RemoteCategory[]): Fields => ({
  Name: remote.Name,
  Description: remote.Description,
  Tags: remote.Tags,
  Category: categories.find(({ id }) => id === remote.CategoryId)?.name ?? null,
  StartTimeUtc: remote.StartTimeUtc,
  EndTimeUtc: remote.EndTimeUtc,
  LocationText: remote.LocationText,
  LocationWKT: remote.LocationWKT,
  CustomFields: remote.CustomFields,
})

/**
 * What headquarters can hold: a category that it does not have becomes a tag, as with dispatch (decisions 8). The result is what later
 * comparisons start from.
 */
export function fitFields(fields: Fields, categories: readonly RemoteCategory[]): Fields {
  const known = categoryIdOf(fields.Category, categories) !== null
  if (fields.Category === null || known) return fields
  const tag = fields.Category.slice(0, LONGEST_TAG).trim()
  const has = fields.Tags.some((one) => nameKey(one) === nameKey(tag))
  return {
    ...fields,
    Category: null,
    Tags: has || fields.Tags.length >= MOST_TAGS ? fields.Tags : [...fields.Tags, tag],
  }
}

export function categoryIdOf(name: string | null, categories: readonly RemoteCategory[]): string | null {
  if (name === null) return null
  return categories.find((one) => one.enabled && nameKey(one.name) === nameKey(name))?.id ?? null
}

/** Members of a body for these fields. An absent value is sent as the empty one, since null means unchanged. */
export function bodyOf(
  fields: Fields,
  names: readonly FieldName[],
  categories: readonly RemoteCategory[],
): Record<string, unknown> {
  return Object.fromEntries(
    names.map((name) => {
      if (name === 'Category') return ['CategoryId', categoryIdOf(fields.Category, categories)]
      const value = fields[name]
      return [name, (name === 'Description' || name === 'LocationText') && value === null ? '' : value]
    }),
  )
}
