import type { useTranslation } from 'react-i18next'
import { visible } from '../../ui/format/visible.ts'

export type Words = ReturnType<typeof useTranslation<'cases'>>['t']

/** A person, group or integration as models name it. */
export interface Who {
  readonly Name?: string | null
  readonly Username?: string | null
  readonly PrincipalId?: string | null
}

/** The station itself is called so. */
export function nameOf({ Name, Username, PrincipalId }: Who, t: Words): string {
  if (PrincipalId === '0') return t('theStation')
  const name = [Name, Username].find((one) => typeof one === 'string' && one.trim() !== '')
  return name === undefined || name === null ? t('somebody') : visible(name)
}

/** How long a category keeps what is in it: whole years as years. */
export function keptWords(days: number | null, t: Words): string {
  if (days === null) return t('keptAlways')
  return days % 365 === 0 ? t('keptYears', { count: days / 365 }) : t('keptDays', { count: days })
}

/** Two letters for the round mark. */
export function marksOf(name: string): string {
  const parts = name.split(/[\s.,_-]+/).filter((part) => part !== '')
  const letters = [parts[0], parts.length > 1 ? parts.at(-1) : undefined].map((part) => [...(part ?? '')][0] ?? '')
  return letters.join('').toLocaleUpperCase()
}
