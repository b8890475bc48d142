/** Texts of the desktop program in the person's language, with its number formats and plural forms. */
import { desktop as english } from '../../shared/desktop/messages.en.ts'
import { desktop as french } from '../../shared/desktop/messages.fr.ts'

type Keys = keyof typeof english
type Plural = { [Key in Keys]: Key extends `${infer Base}_one` ? Base : never }[Keys]
export type WordKey = Exclude<Keys, `${Plural}_${string}`> | Plural

export interface Words {
  readonly language: 'en' | 'fr'
  /** Replaces `{{name}}` by a value. `count` selects the plural form and is formatted for the language. */
  (key: WordKey, values?: Readonly<Record<string, string | number>>): string
}

const CATALOGUES = { en: english, fr: french } as const

/** @param languages the system's preferred languages (`fr-CH`, `en-GB` …); English if none of them is supported */
export function wordsFor(languages: readonly string[]): Words {
  const language =
    languages.map((tag) => tag.slice(0, 2).toLowerCase()).find((tag) => tag in CATALOGUES) === 'fr' ? 'fr' : 'en'
  const catalogue: Readonly<Record<string, string>> = CATALOGUES[language]
  const plurals = new Intl.PluralRules(language)
  const numbers = new Intl.NumberFormat(language)
  const say = (key: WordKey, values: Readonly<Record<string, string | number>> = {}): string => {
    const count = values['count']
    const text =
      (typeof count === 'number'
        ? (catalogue[`${key}_${plurals.select(count)}`] ?? catalogue[`${key}_other`])
        : undefined) ??
      catalogue[key] ??
      key
    return text.replace(/\{\{(\w+)\}\}/g, (_all, name: string) => {
      const value = values[name]
      return typeof value === 'number' && name === 'count' ? numbers.format(value) : String(value ?? '')
    })
  }
  return Object.assign(say, { language } as const)
}
