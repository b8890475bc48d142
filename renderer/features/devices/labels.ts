import type { Translate } from '../../client/translate.ts'
import { nameIn, type Who } from '../../client/principals.ts'
import { visible } from '../../ui/format/visible.ts'
import type { State } from '../../ui/state/state.tsx'
import type { Device, DeviceItem, Negotiated } from './queries.ts'

export type Words = Translate<'devices'>

export function nameOf(who: Who, t: Words): string {
  const name = nameIn(who, t('theStation'))
  return name === null ? t('somebody') : visible(name)
}

/** What people call it; else its serial number. */
export const titleOf = ({ DeviceIdentification: of }: Pick<DeviceItem, 'DeviceIdentification'>): string =>
  visible(of.CommonName || of.SerialNumber)

/** What it is recognised by, and what it is. */
export const secondOf = ({ DeviceIdentification: of }: Pick<DeviceItem, 'DeviceIdentification'>): string =>
  [of.CommonName ? of.SerialNumber : '', of.Manufacturer, of.Model ?? '']
    .filter((text) => text !== '')
    .map(visible)
    .join(' · ')

const TYPES = { None: 'typeNone', BodyWornCamera: 'typeBodyWorn' } as const

/** The types of the interface in words; any other as the device says it. */
export const typeWords = (type: string, t: Words): string =>
  Object.hasOwn(TYPES, type) ? t(TYPES[type as keyof typeof TYPES]) : visible(type)

export const CONFIGURATION = {
  Agreed: ['ok', 'configurationAgreed'],
  Pending: ['waiting', 'configurationPending'],
  Rejected: ['attention', 'configurationRejected'],
  None: ['waiting', 'configurationNone'],
} as const satisfies Readonly<Record<Device['Standing']['Configuration'], readonly [State, string]>>

export const TRANSACTION = {
  Open: ['working', 'transactionOpen'],
  Committed: ['ok', 'transactionCommitted'],
  Rejected: ['attention', 'transactionRejected'],
  Superseded: ['waiting', 'transactionSuperseded'],
  Expired: ['waiting', 'transactionExpired'],
} as const satisfies Readonly<Record<Negotiated['State'], readonly [State, string]>>

/** As the device said it; empty where it said nothing. */
export const reasonOf = ({ ReasonCode, ReasonMessage }: Pick<Negotiated, 'ReasonCode' | 'ReasonMessage'>): string =>
  [ReasonCode, ReasonMessage]
    .filter((one): one is string => one !== null && one !== '')
    .map(visible)
    .join(': ')

export const DAY = 86_400_000
export const daysSince = (at: string, now: number): number => Math.max(0, Math.floor((now - Date.parse(at)) / DAY))

export function agoWords(at: string | null, now: number, t: Words): string {
  if (at === null) return t('never')
  const days = daysSince(at, now)
  return days === 0 ? t('withinADay') : t('daysAgo', { count: days })
}
