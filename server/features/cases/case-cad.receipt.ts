/** What a message of dispatch changed in its case, in texts that people can compare: kept with the message, beside the versions. */
import {
  CASE_FIELD_NAMES,
  type CaseFieldName,
  DISPATCHED_NAMES,
  fieldOf,
  valueColumnOf,
} from '../../../shared/cases/fields.ts'
import { MOST_IN_RECEIPT } from '../../../shared/dispatch/cad-messages.contract.ts'
import type { Tx } from '../../kernel/database/database.ts'
import type { CaseRow, PersonnelRow } from './cases.store.ts'
import { categoryById } from './categories.store.ts'
import type { Receipt } from '../../kernel/cases/cad-case.ts'

type Texts = ReadonlyMap<string, string>

/** The fields that are a text as they are stored. */
const TEXT_NAMES = CASE_FIELD_NAMES.filter((name) => !/^(?:id|department|tags)$/.test(fieldOf(name).kind))

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
  for (const name of TEXT_NAMES) put(name, row[valueColumnOf(name) as keyof CaseRow] as string | null)
  put('Location', placeText(row.location))
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

/** A category goes by its name in receipts, not by its id. */
const receiptName = (name: CaseFieldName): string => (name === 'CategoryId' ? 'Category' : name)

/** What a slot is called in a receipt. */
export function fieldOfSlot(slot: string): string {
  if (slot.startsWith('tag ')) return 'Tags'
  if (slot.startsWith('field ')) return `CustomFields.${slot.slice(6)}`
  if (slot.startsWith('officer ')) return 'PersonnelRelations'
  if (slot === 'place') return 'Location'
  const name = DISPATCHED_NAMES.find((one) => fieldOf(one).dispatch?.slot === slot)
  return name === undefined ? slot : receiptName(name)
}
