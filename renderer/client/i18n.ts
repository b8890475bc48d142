/** Languages of the interface: English is always there, another one is fetched when it is chosen. */
import i18next from 'i18next'
import { initReactI18next } from 'react-i18next'
import { type English, first, type Language, LANGUAGES } from '../../shared/messages/index.ts'
import { keep, kept } from './preferences.ts'

declare module 'i18next' {
  interface CustomTypeOptions {
    defaultNS: 'common'
    resources: English
    returnNull: false
  }
}

const known = (code: string | null | undefined): Language | null =>
  LANGUAGES.find((language) => language.code === code?.slice(0, 2).toLowerCase())?.code ?? null

/** What was chosen here, else the first of the browser's languages that there is. */
const preferred = (): Language =>
  known(kept('language')) ?? navigator.languages.map(known).find((code) => code !== null) ?? 'en'

/** The words of every page but the first; fetched once, with the page that needs them. */
async function laterWords(): Promise<void> {
  if (i18next.hasResourceBundle('en', 'cases')) return
  const { later } = await import('../../shared/messages/later.ts')
  for (const [area, words] of Object.entries(later)) i18next.addResourceBundle('en', area, words)
}

/** A page with its words. */
export async function withWords<Page>(page: Promise<Page>): Promise<Page> {
  const [loaded] = await Promise.all([page, laterWords()])
  return loaded
}

async function load(language: Language): Promise<void> {
  if (language === 'en' || i18next.hasResourceBundle(language, 'common')) return
  const { fr } = await import('../../shared/messages/french.ts')
  for (const [area, words] of Object.entries(fr)) i18next.addResourceBundle(language, area, words)
}

export async function startLanguages(): Promise<void> {
  const language = preferred()
  await i18next.use(initReactI18next).init({
    resources: { en: first },
    lng: 'en',
    fallbackLng: 'en',
    ns: Object.keys(first),
    defaultNS: 'common',
    interpolation: { escapeValue: false },
    returnNull: false,
  })
  await setLanguage(language, false)
}

export async function setLanguage(language: Language, remember = true): Promise<void> {
  await load(language)
  await i18next.changeLanguage(language)
  document.documentElement.lang = language
  if (remember) keep('language', language)
}
