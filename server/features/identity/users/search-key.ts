import { nameKey } from '../../../../shared/kernel/names.ts'

/** Without case and accents, so that names are found from keyboards without those letters. */
const foldText = (text: string): string => nameKey(text).normalize('NFD').replaceAll(/\p{M}/gu, '')

/** The text in which a principal is searched: names and badge, never the e-mail address. */
export const searchKey = (...parts: readonly string[]): string => parts.map(foldText).join(' ').trim()

/** Words of which each must match, in any order. */
export const searchWords = (text: string): string[] =>
  foldText(text)
    .split(/\s+/)
    .filter((word) => word !== '')
