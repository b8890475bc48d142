/** Languages of the interface: English is always there, another one is fetched when it is chosen. */
import { first, type Language, LANGUAGES } from '../../shared/messages/index.ts'
import { later, type LaterArea } from '../../shared/messages/later.ts'
import { keep, kept } from './preferences.ts'
import { addWords, type Area, changeLanguage, currentLanguage, hasWords } from './translate.ts'

const known = (code: string | null | undefined): Language | null =>
  LANGUAGES.find((language) => language.code === code?.slice(0, 2).toLowerCase())?.code ?? null

/** What was chosen here, else the first of the browser's languages that there is. */
const preferred = (): Language =>
  known(kept('language')) ?? navigator.languages.map(known).find((code) => code !== null) ?? 'en'

/** Areas that pages asked for so far: another language is fetched for all of them. */
const wanted = new Set<LaterArea>()
/** What was chosen last; the words of the language before may still be shown. */
let chosen: Language = 'en'

async function fetchWords(language: Language, area: LaterArea): Promise<void> {
  if (hasWords(language, area)) return
  const found: Readonly<Partial<Record<LaterArea, Readonly<Record<string, string>>>>> = await later[area][language]()
  addWords(language, area, found[area] ?? {})
}

/** A page or part with the words that it says, beside those of the first screen. */
export async function withWords<Part>(part: Promise<Part>, ...areas: readonly LaterArea[]): Promise<Part> {
  for (const area of areas) wanted.add(area)
  const languages = new Set([chosen, currentLanguage()])
  const [loaded] = await Promise.all([
    part,
    ...[...languages].flatMap((language) => areas.map((area) => fetchWords(language, area))),
  ])
  return loaded
}

const addAll = (language: Language, areas: Readonly<Record<string, Readonly<Record<string, string>>>>): void => {
  for (const [area, words] of Object.entries(areas)) addWords(language, area as Area, words)
}

async function load(language: Language): Promise<void> {
  if (language === 'fr' && !hasWords('fr', 'common')) {
    const { first: french } = await import('../../shared/messages/first.fr.ts')
    addAll('fr', french)
  }
  await Promise.all([...wanted].map((area) => fetchWords(language, area)))
}

export async function startLanguages(): Promise<void> {
  addAll('en', first)
  await setLanguage(preferred(), false)
}

export async function setLanguage(language: Language, remember = true): Promise<void> {
  chosen = language
  await load(language)
  changeLanguage(language)
  document.documentElement.lang = language
  if (remember) keep('language', language)
}
