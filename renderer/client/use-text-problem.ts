/** A text that is typed into a page, judged by the contract before it is sent. */
import type { z } from 'zod'
import { useTranslation } from './translate.ts'

/** What the contract says of a text, by a schema of its own. */
export const bySchema =
  (schema: z.ZodType) =>
  (text: string): boolean =>
    schema.safeParse(text).success

/**
 * @param fits what the contract says of a text
 * @param text as it is sent
 * @param missing what is said where nothing is typed; undefined: nothing
 * @returns why the station would refuse it; undefined where it would not
 */
export function useTextProblem(
  fits: (text: string) => boolean,
  text: string,
  missing: string | undefined,
): string | undefined {
  const { t } = useTranslation('ui')
  if (text.trim() === '') return missing
  return fits(text) ? undefined : t('notStorable')
}
