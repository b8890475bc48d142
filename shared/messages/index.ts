/**
 * The catalogues. English gives the keys; every other language has them all, checked by its type. What the first screen says is here, the
 * words of every other page are named in later.ts and fetched with it.
 */
import { common } from '../window/common.messages.en.ts'
import { frame } from '../window/frame.messages.en.ts'
import { ui } from '../window/ui.messages.en.ts'
import { uiLater } from '../window/ui-later.messages.en.ts'
import { uploads } from '../uploads/messages.en.ts'
import type { later } from './later.ts'

export const first = {
  common,
  frame,
  ui,
  uiLater,
  uploads,
} as const
export type FirstArea = keyof typeof first
export type English = typeof first & {
  readonly [Area in keyof typeof later]: Awaited<ReturnType<(typeof later)[Area]['en']>> extends Readonly<
    Record<Area, infer Words>
  >
    ? Words
    : never
}
export type Language = 'en' | 'fr'

export const LANGUAGES: readonly { readonly code: Language; readonly name: string }[] = [
  { code: 'en', name: 'English' },
  { code: 'fr', name: 'Français' },
]
