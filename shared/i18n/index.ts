/** The catalogues. English gives the keys; every other language has them all, checked by its type. */
import { account } from './en/account.ts'
import { administration } from './en/administration.ts'
import { cases } from './en/cases.ts'
import { common } from './en/common.ts'
import { frame } from './en/frame.ts'
import { keeping } from './en/keeping.ts'
import { signIn } from './en/sign-in.ts'
import { evidenceList } from './en/evidence-list.ts'
import { evidencePage } from './en/evidence-page.ts'
import { ui } from './en/ui.ts'
import { uploads } from './en/uploads.ts'

export const en = {
  common,
  frame,
  signIn,
  ui,
  uploads,
  evidenceList,
  evidencePage,
  cases,
  administration,
  account,
  keeping,
} as const
export type Catalogue = { readonly [Area in keyof typeof en]: Readonly<Record<string, string>> }
export type Language = 'en' | 'fr'

export const LANGUAGES: readonly { readonly code: Language; readonly name: string }[] = [
  { code: 'en', name: 'English' },
  { code: 'fr', name: 'Français' },
]
