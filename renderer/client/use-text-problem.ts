/** A text that is typed into a page, judged by the contract before it is sent. */
import type { z } from 'zod'
import { useTranslation } from './translate.ts'

/**
 * @param text as it is sent
 * @param missing what is said where nothing is typed; undefined: nothing
 * @returns why the station would refuse it; undefined where it would not
 */
export function useTextProblem(schema: z.ZodType, text: string, missing: string | undefined): string | undefined {
  const { t } = useTranslation('ui')
  if (text.trim() === '') return missing
  return schema.safeParse(text).success ? undefined : t('notStorable')
}
