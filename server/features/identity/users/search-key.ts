import { nameKey } from '../../../../shared/kernel/names.ts'

/** Without case and accents: what is typed on a keyboard that lacks them finds the name that has them. */
const folded = (text: string): string => nameKey(text).normalize('NFD').replaceAll(/\p{M}/gu, '')

/** What a principal is found by: names and badge, never the address. */
export const searchKey = (...parts: readonly string[]): string => parts.map(folded).join(' ').trim()

/** Each of them has to be found, in any order. */
export const searchWords = (text: string): string[] =>
  folded(text)
    .split(/\s+/)
    .filter((word) => word !== '')
