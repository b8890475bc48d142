/** The words of a receipt on paper, and amounts and times as the page writes them. Pure. */
import { dockReceipt as en } from '../../../../shared/docking/receipt.messages.en.ts'
import { dockReceipt as fr } from '../../../../shared/docking/receipt.messages.fr.ts'
import type { ReceiptWords } from '../../../../shared/docking/receipt-text.ts'

export type Language = 'en' | 'fr'
const UNITS = { en: ['B', 'kB', 'MB', 'GB', 'TB'], fr: ['o', 'ko', 'Mo', 'Go', 'To'] } as const
const NBSP = '\u00a0'

/** @param zone IANA name: every time is written in it, with its letters */
export function receiptWords(language: Language, zone: string): ReceiptWords {
  const words: Readonly<Record<string, string>> = language === 'fr' ? fr : en
  const tag = language === 'fr' ? 'fr-FR' : 'en-GB'
  const plural = new Intl.PluralRules(tag)
  const number = (value: number, digits: number): string =>
    new Intl.NumberFormat(tag, { minimumFractionDigits: digits, maximumFractionDigits: digits }).format(value)
  const time = new Intl.DateTimeFormat(language === 'fr' ? 'fr-FR' : 'en-US', {
    timeZone: zone,
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    hourCycle: 'h23',
  })
  /** In British English zones have letters, where they have any. */
  const letters = new Intl.DateTimeFormat('en-GB', { timeZone: zone, timeZoneName: 'short' })
  const say: ReceiptWords['say'] = (word, values = {}) => {
    const count = values['count']
    const key = typeof count === 'number' ? `${word}_${plural.select(count)}` : word
    const text = words[key] ?? words[`${word}_other`] ?? words[word] ?? word
    const given: Readonly<Record<string, string | number>> =
      typeof count === 'number' ? { ...values, shown: number(count, 0) } : values
    return text.replaceAll(/\{\{(\w+)\}\}/g, (_all, name: string) => String(given[name] ?? ''))
  }
  return {
    language,
    say,
    count: (value) => number(value, 0),
    bytes: (exact) => {
      let [value, unit] = [exact, 0]
      while (unit < 4 && value >= 999.5) [value, unit] = [value / 1000, unit + 1]
      const digits = unit < 2 ? 0 : value < 9.995 ? 2 : value < 99.95 ? 1 : 0
      return `${number(value, digits)}${NBSP}${UNITS[language][unit] ?? ''}`
    },
    time: (utc) => {
      if (utc === null) return '–'
      const at = new Date(utc)
      const part = Object.fromEntries(time.formatToParts(at).map(({ type, value }) => [type, value]))
      const name = letters.formatToParts(at).find(({ type }) => type === 'timeZoneName')?.value ?? zone
      return `${part['day']} ${part['month']} ${part['year']} ${part['hour']}:${part['minute']}:${part['second']} ${name}`
    },
    length: (millis) => {
      const seconds = Math.abs(millis) / 1000
      if (seconds < 60) return `${number(seconds, seconds < 10 ? 1 : 0)}${NBSP}s`
      const whole = Math.round(seconds)
      const [hours, minutes] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60]
      const rest = `${minutes}${NBSP}min ${whole % 60}${NBSP}s`
      return hours === 0 ? rest : `${number(hours, 0)}${NBSP}h ${rest}`
    },
  }
}
