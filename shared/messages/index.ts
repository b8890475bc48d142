/**
 * The catalogues. English gives the keys; every other language has them all, checked by its type. What the first screen says is here, the
 * words of every other page are in later.ts and fetched with the first of them.
 */
import { common } from '../window/common.messages.en.ts'
import { frame } from '../window/frame.messages.en.ts'
import { signIn } from '../identity/sign-in.messages.en.ts'
import { evidenceList } from '../evidence/list.messages.en.ts'
import { ui } from '../window/ui.messages.en.ts'
import { uploads } from '../uploads/messages.en.ts'
import type { later } from './later.ts'

export const first = {
  common,
  frame,
  signIn,
  ui,
  uploads,
  evidenceList,
} as const
export type English = typeof first & typeof later
export type Catalogue = { readonly [Area in keyof English]: Readonly<Record<string, string>> }
export type Language = 'en' | 'fr'

export const LANGUAGES: readonly { readonly code: Language; readonly name: string }[] = [
  { code: 'en', name: 'English' },
  { code: 'fr', name: 'Français' },
]
