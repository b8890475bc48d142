/** Custom fields to which a template gives a type (interfaces.md 2.7, decisions 7), and which texts fit them. Pure. */
import { parseTime } from '../kernel/time.ts'

export const FIELD_TYPES = ['Text', 'Number', 'Date', 'Boolean', 'Choice'] as const
export type FieldType = (typeof FIELD_TYPES)[number]

export interface CustomField {
  readonly name: string
  readonly type: FieldType
  /** Of a Choice; none elsewhere. */
  readonly choices?: readonly string[] | undefined
}

const NUMBER = /^[+-]?(?:\d+(?:\.\d+)?|\.\d+)(?:[eE][+-]?\d+)?$/
const DAY = /^\d{4}-\d{2}-\d{2}$/

/** Why the text does not fit, or null when it does. An empty text is a value that was not filled in, and fits every type. */
export function misfit({ type, choices = [] }: Omit<CustomField, 'name'>, text: string): string | null {
  if (text === '') return null
  switch (type) {
    case 'Text':
      return null
    case 'Number':
      return NUMBER.test(text) && Number.isFinite(Number(text)) ? null : 'must be a number such as 12.5'
    case 'Date':
      return isDate(text) ? null : 'must be a date such as 2026-11-20, or a time such as 2026-11-20T02:47:31Z'
    case 'Boolean':
      return text === 'true' || text === 'false' ? null : 'must be true or false'
    case 'Choice':
      return choices.includes(text) ? null : 'must be one of the choices that the template gives'
  }
}

/** A day of the calendar, or a time that says its offset (decisions 1). */
const isDate = (text: string): boolean =>
  parseTime(DAY.test(text) ? `${text}T00:00:00Z` : text, { utcMember: false }) !== null

type TextsByName = Readonly<Record<string, string>>

/**
 * Of the values that are new or changed those that do not fit their field (decisions 6): what stays as it was is not judged, whatever
 * the template has become since. Names that the template does not hold are free text.
 */
export function misfits(
  fields: readonly CustomField[],
  before: TextsByName,
  after: TextsByName,
): { readonly Path: string; readonly Message: string }[] {
  const known = new Map(fields.map((field) => [field.name, field]))
  return Object.entries(after).flatMap(([name, text]) => {
    const field = known.get(name)
    if (field === undefined || before[name] === text) return []
    const why = misfit(field, text)
    return why === null ? [] : [{ Path: `CustomFields.${name}`, Message: why }]
  })
}
