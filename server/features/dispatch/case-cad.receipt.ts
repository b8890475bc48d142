/** What a message of dispatch changed in its case, in texts that people can compare: kept with the message, beside the versions. */
import { MOST_IN_RECEIPT } from '../../../shared/dispatch/cad-messages.contract.ts'
import type { Tx } from '../../kernel/database/database.ts'
import type { CaseRow, PersonnelRow } from '../cases/cases.store.ts'
import { categoryById } from '../cases/categories.store.ts'

export interface Receipt {
  /** By the names of CaseModel. */
  readonly changes: readonly { readonly field: string; readonly before: string | null; readonly after: string | null }[]
  /** Fields of the message that were changed by hand. */
  readonly left: readonly string[]
}

type Texts = ReadonlyMap<string, string>

/** @param row null: there was no case yet */
export async function caseTexts(
  from: Tx,
  tenant: string,
  row: CaseRow | null,
  people: readonly PersonnelRow[],
): Promise<Texts> {
  const texts = new Map<string, string>()
  if (row === null) return texts
  const put = (field: string, text: string | null): void => {
    if (text !== null && text !== '') texts.set(field, text)
  }
  put('Title', row.title)
  put('Description', row.description)
  put('ExternalReferenceId1', row.external_reference_1)
  put('ExternalReferenceId2', row.external_reference_2)
  put('OccurredOn', row.occurred_on)
  put('EndedOn', row.ended_on)
  put('Location', placeText(row.location))
  put('LocationText', row.location_text)
  const category = row.category_id === null ? undefined : await categoryById(from, tenant, row.category_id)
  put('Category', category?.name ?? null)
  put('Tags', (JSON.parse(row.tags) as string[]).join(', '))
  for (const [name, text] of Object.entries(JSON.parse(row.custom_fields) as Record<string, string>))
    put(`CustomFields.${name}`, text)
  put('PersonnelRelations', people.map(({ name }) => name).join(', '))
  return texts
}

export function receiptOf(before: Texts, after: Texts, left: readonly string[]): Receipt {
  const changes = [...new Set([...before.keys(), ...after.keys()])]
    .filter((field) => before.get(field) !== after.get(field))
    .map((field) => ({ field, before: cut(before.get(field)), after: cut(after.get(field)) }))
  return { changes, left: [...new Set(left)] }
}

const cut = (text: string | undefined): string | null =>
  text === undefined
    ? null
    : text.length > MOST_IN_RECEIPT
      ? `${text.slice(0, MOST_IN_RECEIPT - 1).toWellFormed()}…`
      : text

function placeText(stored: string | null): string | null {
  if (stored === null) return null
  const { Latitude, Longitude, Address, Notes } = JSON.parse(stored) as Record<string, string | number | null>
  const point = typeof Latitude === 'number' && typeof Longitude === 'number' ? `${Latitude}, ${Longitude}` : null
  return [point, Address, Notes].filter((part) => part !== null && part !== undefined && part !== '').join(' · ')
}

const FIELDS: Readonly<Record<string, string>> = {
  title: 'Title',
  description: 'Description',
  reference1: 'ExternalReferenceId1',
  reference2: 'ExternalReferenceId2',
  occurred: 'OccurredOn',
  ended: 'EndedOn',
  place: 'Location',
  category: 'Category',
}

/** What people call a slot. */
export function fieldOf(slot: string): string {
  if (slot.startsWith('tag ')) return 'Tags'
  if (slot.startsWith('field ')) return `CustomFields.${slot.slice(6)}`
  return slot.startsWith('officer ') ? 'PersonnelRelations' : (FIELDS[slot] ?? slot)
}
