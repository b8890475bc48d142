/** The shell's own words in the person's language, with numbers and plural forms as that language has them. */
import { desktop as english } from '../../shared/desktop/messages.en.ts'
import { desktop as french } from '../../shared/desktop/messages.fr.ts'

type Keys = keyof typeof english
type Plural = { [Key in Keys]: Key extends `${infer Base}_one` ? Base : never }[Keys]
export type WordKey = Exclude<Keys, `${Plural}_${string}`> | Plural

export interface Words {
  readonly language: 'en' | 'fr'
  /** `{{name}}` is replaced by a value; with `count` the plural form is chosen and the number written as the language writes it. */
  (key: WordKey, values?: Readonly<Record<string, string | number>>): string
}

const CATALOGUES = { en: english, fr: french } as const

/** @param languages as the system prefers them (`fr-CH`, `en-GB` …); English where none of them is ours. */
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
