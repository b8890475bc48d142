import type { useTranslation } from 'react-i18next'
import { visible } from '../../ui/format/visible.ts'

export type Words = ReturnType<typeof useTranslation<'administration'>>['t']

/** A person, group or integration as models name it. */
export interface Who {
  readonly Name?: string | null
  readonly Username?: string | null
  readonly PrincipalId?: string | null
}

/** The station itself has the id 0. */
export function nameOf({ Name, Username, PrincipalId }: Who, t: Words): string {
  if (PrincipalId === '0') return t('theStation')
  const name = [Name, Username].find((one) => typeof one === 'string' && one.trim() !== '')
  return name === undefined || name === null ? t('somebody') : visible(name)
}

export const kindOf = (type: string | null, t: Words): string =>
  t(type === 'group' ? 'kindGroup' : type === 'service' ? 'kindService' : 'kindUser')

/** How long a category keeps what is in it: whole years as years. */
export function keptWords(days: number | null, t: Words): string {
  if (days === null) return t('keptAlways')
  return days % 365 === 0 ? t('keptYears', { count: days / 365 }) : t('keptDays', { count: days })
}
