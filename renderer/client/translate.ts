/**
 * The words of the interface, by language and area, with the types of our catalogues. English is whole; a message that another language lacks
 * is shown in English (docs/decisions/0014).
 */
import { useMemo, useSyncExternalStore } from 'react'
import type { English, Language } from '../../shared/messages/index.ts'
import { type Catalogue, filled, textFor } from '../../shared/messages/wording.ts'

export type Area = keyof English
type Ending = 'zero' | 'one' | 'many' | 'other'
/** What a page asks for: keys that differ by number are one. */
export type MessageKey<In extends Area> = keyof {
  [Key in keyof English[In] & string as Key extends `${infer Base}_${Ending}` ? Base : Key]: true
}
type Said<In extends Area, Key extends string> = English[In][Extract<keyof English[In], Key | `${Key}_${Ending}`>]
type PartsOf<Text> = Text extends `${string}{{${infer Part}}}${infer Rest}` ? Part | PartsOf<Rest> : never
export type Fill<Text> = { readonly [Part in PartsOf<Text>]: unknown } & Readonly<Record<string, unknown>>
export type Translate<In extends Area> = <const Key extends MessageKey<In>>(
  key: Key,
  fill?: Fill<Said<In, Key & string>>,
) => string

const catalogues: Readonly<Record<Language, Map<Area, Catalogue>>> = { en: new Map(), fr: new Map() }
const plurals: Readonly<Record<Language, Intl.PluralRules>> = {
  en: new Intl.PluralRules('en'),
  fr: new Intl.PluralRules('fr'),
}
const listeners = new Set<() => void>()
let current: Language = 'en'

export const currentLanguage = (): Language => current
export const hasWords = (of: Language, area: Area): boolean => catalogues[of].has(area)
export const addWords = (of: Language, area: Area, words: Catalogue): void => void catalogues[of].set(area, words)
export function changeLanguage(to: Language): void {
  current = to
  for (const listener of listeners) listener()
}

function textOf(area: Area, key: string, count: unknown): string | undefined {
  for (const language of [current, 'en'] as const) {
    const words = catalogues[language].get(area)
    const text = words === undefined ? undefined : textFor(words, key, count, plurals[language])
    if (text !== undefined) return text
  }
  return undefined
}

/** A key that nobody has is shown itself. */
export const translate = <In extends Area, const Key extends MessageKey<In>>(
  area: In,
  key: Key,
  fill?: Fill<Said<In, Key & string>>,
): string => {
  const parts: Readonly<Record<string, unknown>> = fill ?? {}
  return filled(textOf(area, String(key), parts['count']) ?? String(key), (part) => parts[part])
}

export const hasMessage = (area: Area, key: string): boolean => textOf(area, key, undefined) !== undefined

const listen = (listener: () => void): (() => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** The words of an area, in the language of the moment; a component that asks is drawn anew when another one is chosen. */
export function useTranslation<In extends Area = 'common'>(area?: In): { t: Translate<In>; language: Language } {
  const now = useSyncExternalStore(listen, currentLanguage)
  return useMemo(() => {
    const of = area ?? ('common' as In)
    return { t: (key, fill) => translate(of, key, fill), language: now }
  }, [area, now])
}
