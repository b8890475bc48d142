/** The number that the next exhibit of a case would have. Pure. */
import { isExhibitField } from '../../../../shared/templates/exhibit-field.ts'
import type { CustomField } from '../../../../shared/templates/custom-fields.ts'

/** No other field of a form is numbered on. */
export const isNumbered = ({ name, type }: CustomField): boolean => type === 'Text' && isExhibitField(name)

/** A number beyond this is that of something else. */
const NUMBERED = /^(.{0,64}?)(\d{1,9})$/u

/**
 * The free number after the highest one, in the form of the last: `KB/3` is followed by `KB/4`, `KB/009` by `KB/010`.
 * @param values of the field in other evidence of the case, the last one first
 */
export function nextNumber(values: readonly string[]): { readonly value: string; readonly last: string } | null {
  const numbered = values.flatMap((value) => {
    const [, before, digits] = NUMBERED.exec(value.trim()) ?? []
    return before === undefined || digits === undefined ? [] : [{ before, digits }]
  })
  const [form] = numbered
  if (form === undefined) return null
  const key = form.before.toLowerCase()
  const same = numbered.filter(({ before }) => before.toLowerCase() === key)
  const highest = same.reduce((one, other) => (Number(other.digits) > Number(one.digits) ? other : one))
  const next = String(Number(highest.digits) + 1).padStart(form.digits.length, '0')
  return { value: `${form.before}${next}`, last: `${highest.before}${highest.digits}` }
}
