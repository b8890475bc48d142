/** What a suggestion says to a person, and what stands in the ledger once it is accepted. */
import { useMemo } from 'react'
import type { z } from 'zod'
import { LONGEST_NAMED } from '../../../../shared/evidence/suggestions.contract.ts'
import type { SuggestionModel } from '../../../../shared/evidence/suggestions.contract.ts'
import { positionText } from '../../../client/position.ts'
import { useTranslation } from '../../../client/translate.ts'
import { useFormat } from '../../../ui/format/use-format.tsx'
import { visible } from '../page/text/visible.ts'

export type Suggestion = z.output<typeof SuggestionModel>

export interface SuggestionWords {
  /** A time as exactly as its source says it. */
  readonly time: (suggestion: Suggestion, at?: string) => string
  readonly source: (suggestion: Suggestion) => string
  readonly line: (suggestion: Suggestion) => string
  /** Why it is suggested although there is a value, and what it may be wrong by; null where nothing is to be said. */
  readonly note: (suggestion: Suggestion) => string | null
  /** For the ledger: the source by its name. */
  readonly reason: (suggestion: Suggestion) => string
}

/** Whether the same source says two values, as a name whose day and month could be each other: a person has to choose. */
export const isOneOfTwo = (one: Suggestion, all: readonly Suggestion[]): boolean =>
  all.filter(
    ({ Field, CustomField, Source }) => Field === one.Field && CustomField === one.CustomField && Source === one.Source,
  ).length > 1

const BECAUSE = { localAsUtc: 'becauseLocalAsUtc', future: 'becauseFuture', neverSet: 'becauseNeverSet' } as const
const HOUR = 3600

export function useSuggestionWords(): SuggestionWords {
  const { t } = useTranslation('evidenceSuggestions')
  const format = useFormat()
  return useMemo(() => {
    const from = ({ From, Source }: Suggestion): string =>
      Source === 'fileDate' ? format.instant(From ?? '', { zone: true }) : cut(visible(From ?? ''))
    const time: SuggestionWords['time'] = ({ Value, PrecisionSeconds }, at = Value) =>
      format.instant(at, { precision: PrecisionSeconds === 1 ? 'second' : 'minute' })
    const source: SuggestionWords['source'] = (suggestion) => {
      const words = { from: from(suggestion) }
      switch (suggestion.Source) {
        case 'fileName':
          return t('fromFileName', words)
        case 'name':
          return t('fromName', words)
        case 'localTime':
          return t('fromLocalTime')
        case 'fileDate':
          return suggestion.PrecisionSeconds === null ? t('fromFileDateAlone') : t('fromFileDate', words)
        case 'device':
          return suggestion.From === null ? t('fromDevice') : t('fromDeviceNamed', words)
        case 'track':
          return t('fromTrack')
        case 'lastNumber':
          return t('fromLastNumber', words)
      }
    }
    return {
      time,
      source,
      line: (suggestion) => {
        const words = { value: visible(suggestion.Value), source: source(suggestion) }
        switch (suggestion.Field) {
          case 'StartTimeUtc':
            return t('suggestedTime', { ...words, time: time(suggestion) })
          case 'LocationWKT':
            return t('suggestedPlace', { ...words, value: positionText(suggestion.Value) })
          case 'CustomFields':
            return t(suggestion.Source === 'device' ? 'suggestedOfficer' : 'suggestedNumber', words)
        }
      },
      note: ({ Because, PrecisionSeconds }) => {
        const notes = [
          ...(Because === 'empty' || Because === 'zoneUnknown' ? [] : [t(BECAUSE[Because])]),
          ...(PrecisionSeconds === HOUR ? [t('doubtful')] : []),
        ]
        return notes.length === 0 ? null : notes.join(' ')
      },
      reason: (suggestion) => {
        const words = { from: from(suggestion), zone: format.zone }
        switch (suggestion.Source) {
          case 'fileName':
            return t('reasonFileName', words)
          case 'name':
            return t('reasonName', words)
          case 'localTime':
            return t('reasonLocalTime', words)
          case 'fileDate':
            return t(suggestion.PrecisionSeconds === null ? 'reasonFileDateAlone' : 'reasonFileDate', words)
          case 'device':
            return suggestion.From === null ? t('reasonDevice') : t('reasonDeviceNamed', words)
          case 'track':
            return t('reasonTrack')
          case 'lastNumber':
            return t('reasonLastNumber', words)
        }
      },
    }
  }, [t, format])
}

/** A name of some hundred characters would be no reason any more. */
const cut = (text: string): string =>
  text.length <= LONGEST_NAMED ? text : `${[...text].slice(0, LONGEST_NAMED - 1).join('')}…`
