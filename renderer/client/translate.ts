/**
 * The words of the interface, by language and area: i18next with the types of our catalogues. Areas are its namespaces. English is whole;
 * a message that another language lacks is shown in English.
 */
import i18next from 'i18next'
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
export type Translate<In extends Area> = <const Key extends MessageKey<In>>(
  key: Key,
  fill?: Fill<Said<In, Key & string>>,
) => string

type Catalogue = Readonly<Record<string, string>>

const i18n = i18next.createInstance()
void i18n.init({
  lng: 'en',
  fallbackLng: 'en',
  resources: {},
  initAsync: false,
  keySeparator: false,
  nsSeparator: false,
  // React escapes what it draws.
  interpolation: { escapeValue: false },
})

export const currentLanguage = (): Language => i18n.language as Language
export const hasWords = (of: Language, area: Area): boolean => i18n.hasResourceBundle(of, area)
export const addWords = (of: Language, area: Area, words: Catalogue): void =>
  void i18n.addResourceBundle(of, area, words)
export const changeLanguage = async (to: Language): Promise<void> => void (await i18n.changeLanguage(to))

export const translate = <In extends Area, const Key extends MessageKey<In>>(
  area: In,
  key: Key,
  fill?: Fill<Said<In, Key & string>>,
): string => i18n.t(String(key), { ns: area, ...fill })

export const hasMessage = (area: Area, key: string): boolean => i18n.exists(key, { ns: area })

const listen = (listener: () => void): (() => void) => {
  i18n.on('languageChanged', listener)
  return () => i18n.off('languageChanged', listener)
}

/** The words of an area, in the language of the moment; a component that asks is drawn anew when another one is chosen. */
export function useTranslation<In extends Area = 'common'>(area?: In): { t: Translate<In>; language: Language } {
  const now = useSyncExternalStore(listen, currentLanguage)
  return useMemo(() => {
    const of = area ?? ('common' as In)
    return { t: (key, fill) => translate(of, key, fill), language: now }
  }, [area, now])
}
