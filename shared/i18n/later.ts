/** English words of the pages that are not the first. */
import { account } from './en/account.ts'
import { administration } from './en/administration.ts'
import { cases } from './en/cases.ts'
import { evidencePage } from './en/evidence-page.ts'
import { search } from './en/search.ts'

export const later = {
  evidencePage,
  cases,
  administration,
  account,
  search,
} as const
