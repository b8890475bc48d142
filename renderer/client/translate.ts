/**
 * What the interface says: the catalogues that are loaded, by language and area, and the words of a key with its number and its parts
 * filled in. English is whole; what another language lacks is said in English.
 */
import { useMemo, useSyncExternalStore } from 'react'
import type { English, Language } from '../../shared/messages/index.ts'

export type Area = keyof English
type Ending = 'zero' | 'one' | 'many' | 'other'
/** What a page asks for: keys that differ by number are one. */
export type MessageKey<In extends Area> = keyof {
  [Key in keyof English[In] & string as Key extends `${infer Base}_${Ending}` ? Base : Key]: true
}
type Said<In extends Area, Key extends string> = English[In][Extract<keyof English[In], Key | `${Key}_${Ending}`>]
type PartsOf<Text> = Text extends `${string}{{${infer Part}}}${infer Rest}` ? Part | PartsOf<Rest> : never
export type Fill<Text> = { readonly [Part in PartsOf<Text>]: unknown } & Readonly<Record<string, unknown>>
/** Keys whose words stand by themselves: without a number and without a part to fill in. */
export type PlainKey<In extends Area> = {
  [Key in MessageKey<In> & keyof English[In]]: PartsOf<English[In][Key]> extends never ? Key : never
}[MessageKey<In> & keyof English[In]]
export type Translate<In extends Area> = <const Key extends MessageKey<In>>(
  key: Key,
  fill?: Fill<Said<In, Key & string>>,
) => string

type Catalogue = Readonly<Record<string, string>>
const catalogues: Record<Language, Map<Area, Catalogue>> = { en: new Map(), fr: new Map() }
let language: Language = 'en'
const listeners = new Set<() => void>()

export const currentLanguage = (): Language => language
export const hasWords = (of: Language, area: Area): boolean => catalogues[of].has(area)
export function addWords(of: Language, area: Area, words: Catalogue): void {
  catalogues[of].set(area, words)
}
export function changeLanguage(to: Language): void {
  language = to
  for (const listener of listeners) listener()
}

const rules: Record<Language, Intl.PluralRules> = { en: new Intl.PluralRules('en'), fr: new Intl.PluralRules('fr') }

function find(of: Language, area: Area, key: string, count: unknown): string | undefined {
  const words = catalogues[of].get(area)
  if (typeof count !== 'number') return words?.[key]
  const zero = count === 0 ? words?.[`${key}_zero`] : undefined
  return zero ?? words?.[`${key}_${rules[of].select(count)}`] ?? words?.[`${key}_other`] ?? words?.[key]
}

export function translate<In extends Area, const Key extends MessageKey<In>>(
  area: In,
  key: Key,
  fill?: Fill<Said<In, Key & string>>,
): string {
  const parts: Readonly<Record<string, unknown>> = fill ?? {}
  const asked = String(key)
  const text = find(language, area, asked, parts['count']) ?? find('en', area, asked, parts['count']) ?? asked
  return text.replaceAll(/\{\{(\w+)\}\}/g, (_all, part: string) => String(parts[part] ?? ''))
}

export const hasMessage = (area: Area, key: string): boolean =>
  (find(language, area, key, undefined) ?? find('en', area, key, undefined)) !== undefined

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
