/** What the station says of itself in English, in the language of the window. Whoever asks is fetched with the words of the areas that it names. */
import { useCallback } from 'react'
import type { ReadSentence } from '../../shared/messages/sentences.ts'
import { useFormat } from '../ui/format/use-format.tsx'
import { hasMessage, translate, useTranslation } from './translate.ts'

interface Known {
  readonly area:
    | 'jobReasons'
    | 'alarmReasons'
    | 'packageProblems'
    | 'dockReasons'
    | 'quarantineReasons'
    | 'cadReasons'
    | 'witnessProblems'
    | 'validationReasons'
    | 'connectionReasons'
  /** @returns null for a text that is none of its sentences */
  readonly read: (text: string) => ReadSentence | null
}

/** @returns says a text of the station, with its times as people write them; one of which the words are not known stays as the station wrote it */
export function useSentences(known: readonly Known[]): (text: string) => string {
  const { language } = useTranslation()
  const format = useFormat()
  // Another language is another way to say it.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the words of the moment are read when it is called
  return useCallback(
    (text: string) => said(known, text, (utc) => format.instant(utc, { precision: 'minute' })),
    [known, language, format],
  )
}

/** For the attribute `lang`: what no catalogue has stays in English. */
export const langOf = (said: string, text: string): 'en' | undefined => (said === text ? 'en' : undefined)

/** Of several findings in one text each is a sentence. */
function said(known: readonly Known[], text: string, instant: (utc: string) => string): string {
  const whole = saidWhole(known, text, instant)
  if (whole !== null) return whole
  const each = text.split(/(?<=\.) (?=\p{Lu})/u).map((one) => saidWhole(known, one, instant))
  return each.length > 1 && each.every((one) => one !== null) ? each.join(' ') : text
}

/** @returns null for a text that is no sentence of a catalogue */
function saidWhole(known: readonly Known[], text: string, instant: (utc: string) => string): string | null {
  for (const { area, read } of known) {
    const found = read(text)
    if (found === null || !hasMessage(area, found.name)) continue
    // A part may be a sentence of its own.
    const fill = Object.entries(found.fill).map(
      ([part, words]) => [part, part === 'time' ? instant(words) || words : said(known, words, instant)] as const,
    )
    // A last part that is nothing leaves the space before it.
    return translate(area, found.name as never, Object.fromEntries(fill) as never).trimEnd()
  }
  return null
}
