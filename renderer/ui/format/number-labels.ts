/** The few words that stand inside numbers and times, by language; everything else comes from Intl. */
export interface NumberWords {
  /** Bytes and decimal multiples. */
  readonly units: readonly [string, string, string, string, string, string]
  readonly bytes: (count: string, one: boolean) => string
  readonly perSecond: string
  readonly day: string
  readonly hour: string
  readonly about: (length: string) => string
  readonly now: string
}

const en: NumberWords = {
  units: ['B', 'kB', 'MB', 'GB', 'TB', 'PB'],
  bytes: (count, one) => `${count} ${one ? 'byte' : 'bytes'}`,
  perSecond: '/s',
  day: 'd',
  hour: 'h',
  about: (length) => `about ${length}`,
  now: 'just now',
}

const fr: NumberWords = {
  units: ['o', 'ko', 'Mo', 'Go', 'To', 'Po'],
  bytes: (count, one) => `${count} ${one ? 'octet' : 'octets'}`,
  perSecond: '/s',
  day: 'j',
  hour: 'h',
  about: (length) => `environ ${length}`,
  now: 'à l’instant',
}

export const wordsOf = (locale: string): NumberWords => (locale.startsWith('fr') ? fr : en)

/** Numbers and dates are written as in Britain and in France: day before month, 24 hours. */
export const tagOf = (locale: string): string => (locale === 'en' ? 'en-GB' : locale === 'fr' ? 'fr-FR' : locale)

/** Between a number and its unit, and between the parts of one length: never a line break. */
export const NBSP = '\u00a0'

const made = new Map<string, Intl.NumberFormat>()

/** Making a formatter costs more than using it a hundred times. */
export function numberFormat(locale: string, options: Intl.NumberFormatOptions): Intl.NumberFormat {
  const key = `${locale} ${JSON.stringify(options)}`
  const found = made.get(key) ?? new Intl.NumberFormat(tagOf(locale), options)
  made.set(key, found)
  return found
}
