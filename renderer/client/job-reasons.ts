/** What jobs say of themselves, in the language of the window. Whoever asks is fetched with the words of the area `jobReasons`. */
import { useCallback } from 'react'
import { readJobReason } from '../../shared/messages/job-reasons.ts'
import { hasMessage, translate, useTranslation } from './translate.ts'

/** @returns says the message of a job; one of which the words are not known stays as the station wrote it */
export function useJobReasons(): (message: string) => string {
  const { language } = useTranslation('jobReasons')
  return useCallback((message: string) => (language === 'en' ? message : said(message)), [language])
}

function said(message: string): string {
  const read = readJobReason(message)
  if (read === null || !hasMessage('jobReasons', read.reason)) return message
  // A part may be a sentence of its own.
  const fill = Object.entries(read.fill).map(([part, text]) => [part, said(text)] as const)
  return translate('jobReasons', read.reason, Object.fromEntries(fill) as never)
}
