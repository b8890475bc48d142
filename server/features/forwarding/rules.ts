/** What is forwarded, when, how fast it will be done, what may be cleared, and whose change of a field stands. Pure. Times are milliseconds since 1970. */
import type { z } from 'zod'
import type { ForwardingRules as RulesModel, ForwardingWindow } from '../../../shared/forwarding/contract.ts'
import { parseTime } from '../../../shared/kernel/time.ts'

export type Rules = z.output<typeof RulesModel>
export type Window = z.output<typeof ForwardingWindow>

const MINUTE = 60_000
const DAY = 86_400_000
const DAY_MINUTES = 1440

// What

export interface ItemFacts {
  readonly categoryId: string | null
  /** In a case, by a link that somebody made or confirmed. */
  readonly inCase: boolean
  readonly createdAt: number
}

export type Ground = 'everything' | 'category' | 'case' | 'age'

/** The first ground on which it is forwarded; null: it is not, unless somebody requests it. */
export function groundOf(rules: Rules, facts: ItemFacts, now: number): Ground | null {
  if (rules.Everything) return 'everything'
  if (facts.categoryId !== null && rules.CategoryIds.includes(facts.categoryId)) return 'category'
  if (rules.InCase && facts.inCase) return 'case'
  if (rules.AfterDays !== null && now - facts.createdAt >= rules.AfterDays * DAY) return 'age'
  return null
}

// When

const formats = new Map<string, Intl.DateTimeFormat>()
const DAY_NAMES = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat']

/** Day of the week and minute of the day that a clock in the zone shows. */
function wallOf(at: number, zone: string): { day: number; minute: number } {
  let format = formats.get(zone)
  if (format === undefined) {
    format = new Intl.DateTimeFormat('en-US', {
      timeZone: zone,
      hourCycle: 'h23',
      weekday: 'short',
      hour: 'numeric',
      minute: 'numeric',
    })
    formats.set(zone, format)
  }
  const parts = format.formatToParts(at)
  const part = (type: string): string => parts.find((one) => one.type === type)?.value ?? ''
  return { day: DAY_NAMES.indexOf(part('weekday')), minute: Number(part('hour')) * 60 + Number(part('minute')) }
}

const minuteOf = (clock: string): number => Number(clock.slice(0, 2)) * 60 + Number(clock.slice(3))

function isInWindow({ Days, From, To }: Window, day: number, minute: number): boolean {
  const from = minuteOf(From)
  const to = minuteOf(To)
  if (from < to) return Days.includes(day) && minute >= from && minute < to
  // It ends on the day after the one on which it began.
  return (Days.includes(day) && minute >= from) || (Days.includes((day + 6) % 7) && minute < to)
}

/** Whether forwarding may run now. */
export function isOpen(windows: readonly Window[], at: number, zone: string): boolean {
  if (windows.length === 0) return true
  const { day, minute } = wallOf(at, zone)
  return windows.some((window) => isInWindow(window, day, minute))
}

/** When the next window opens; null while one is open, and where none ever opens. Exact to the minute. */
export function nextOpening(windows: readonly Window[], now: number, zone: string): number | null {
  if (isOpen(windows, now, zone)) return null
  const first = Math.floor(now / MINUTE) * MINUTE + MINUTE
  // A week, and the hour by which a change of the clock may lengthen it.
  for (let at = first; at <= first + 7 * DAY + 2 * 60 * MINUTE; at += MINUTE) if (isOpen(windows, at, zone)) return at
  return null
}

/** Minutes of a week in which a window is open. Changes of the clock do not count. */
function openMinutesOfWeek(windows: readonly Window[]): number {
  let open = 0
  for (let day = 0; day < 7; day++)
    for (let minute = 0; minute < DAY_MINUTES; minute++)
      if (windows.some((window) => isInWindow(window, day, minute))) open++
  return open
}

/** When so much will be sent at this pace, inside the windows; null where the pace is not known, or no window ever opens. */
export function estimateEnd(
  bytes: number,
  bytesPerSecond: number | null,
  windows: readonly Window[],
  now: number,
  zone: string,
): number | null {
  if (bytes === 0) return now
  if (bytesPerSecond === null || bytesPerSecond <= 0) return null
  const needed = (bytes / bytesPerSecond) * 1000
  if (windows.length === 0) return now + needed
  const weekly = openMinutesOfWeek(windows) * MINUTE
  if (weekly === 0) return null
  const weeks = Math.floor(needed / weekly)
  let left = needed - weeks * weekly
  let at = now + weeks * 7 * DAY
  for (let steps = 0; steps < 9 * DAY_MINUTES; steps++) {
    const next = Math.floor(at / MINUTE) * MINUTE + MINUTE
    if (isOpen(windows, at, zone)) {
      if (left <= next - at) return at + left
      left -= next - at
    }
    at = next
  }
  return at
}

/** Bytes in a second at the pace of the rules; null: as fast as it goes. */
export const paceOf = ({ MegabitsPerSecond }: Pick<Rules, 'MegabitsPerSecond'>): number | null =>
  MegabitsPerSecond === null ? null : (MegabitsPerSecond * 1_000_000) / 8

/** Milliseconds until headquarters is tried again after so many failures: 5 s at first, a quarter of an hour at most. */
export const backoffMs = (failures: number): number =>
  Math.min(5_000 * 2 ** Math.min(Math.max(failures - 1, 0), 10), 15 * MINUTE)

/** The idempotency keys of headquarters are kept for 7 days (decisions 1). Before that ends, a creation gets a new key. */
export const KEY_LIFE_MS = 7 * DAY - 12 * 60 * MINUTE

// Names at headquarters

/**
 * A number of this station as headquarters knows it. The time of creation belongs to it: a station that was restored from a snapshot gives
 * out numbers again that it gave to something else before.
 */
const numberAt = (id: number, createdUtc: string, between: string): string => `${id}${between}${Date.parse(createdUtc)}`

/** The name of an evidence of this station at other servers. */
export const sourceIdOf = (origin: string, id: number, createdUtc: string): string =>
  `${origin}/evidence/${numberAt(id, createdUtc, '/')}`

/** The longest tag of a case. */
const LONGEST_TAG = 64

/** The tag by which a case of this station is found at headquarters. A long origin is cut at its beginning, the numbers never. */
export function caseTagOf(origin: string, id: number, createdUtc: string): string {
  const end = ` case ${numberAt(id, createdUtc, ' ')}`
  return `${origin.slice(-(LONGEST_TAG - end.length))}${end}`
}

// Clearing

export interface ClearFacts {
  readonly sha256: string
  /** Every original with these bytes, whatever its evidence. */
  readonly originals: readonly OriginalFacts[]
  /** The same bytes are also something that is no original and no shared copy of one, such as a thumbnail. */
  readonly otherUses: number
}

export interface OriginalFacts {
  readonly receipt: { readonly sha256: string; readonly confirmedAt: number; readonly keptUntil: number } | null
  readonly lifecycle: string
  /** Codes of shared/retention/retention.ts. */
  readonly holds: readonly string[]
  /** In the disposition queue or the recycle bin. */
  readonly inDisposition: boolean
  /** A question about its fields is open. */
  readonly openQuestion: boolean
  /** Jobs that still read it. */
  readonly jobs: number
}

export type ClearRefusal =
  | 'Off'
  | 'NoReceipt'
  | 'OtherHash'
  | 'TooEarly'
  | 'Held'
  | 'RetentionQuestion'
  | 'OpenQuestion'
  | 'InWork'
  | 'OtherUse'
  | 'Deleted'

/** Why the local copy of a blob has to stay; null: it may be cleared. One original that has to keep it is enough. */
export function clearRefusal(
  rules: Pick<Rules, 'ClearAfterDays'>,
  { sha256, originals, otherUses }: ClearFacts,
  now: number,
): ClearRefusal | null {
  if (rules.ClearAfterDays === null) return 'Off'
  if (originals.length === 0 || originals.some(({ receipt }) => receipt === null)) return 'NoReceipt'
  for (const { receipt, lifecycle, holds, inDisposition, openQuestion, jobs } of originals) {
    if (receipt === null) return 'NoReceipt'
    if (receipt.sha256 !== sha256) return 'OtherHash'
    if (now < Math.max(receipt.confirmedAt + rules.ClearAfterDays * DAY, receipt.keptUntil)) return 'TooEarly'
    if (holds.length > 0) return 'Held'
    if (inDisposition) return 'RetentionQuestion'
    if (lifecycle !== 'None') return 'Deleted'
    if (openQuestion) return 'OpenQuestion'
    if (jobs > 0) return 'InWork'
  }
  return otherUses > 0 ? 'OtherUse' : null
}

// Fields

/** The fields that are compared with headquarters. Categories are named, since ids differ between servers. */
export interface Fields {
  readonly Name: string
  readonly Description: string | null
  readonly Tags: readonly string[]
  readonly Category: string | null
  readonly StartTimeUtc: string | null
  readonly EndTimeUtc: string | null
  readonly LocationText: string | null
  readonly LocationWKT: string | null
  readonly CustomFields: Readonly<Record<string, string>>
}

export type FieldName = keyof Fields
export const FIELD_NAMES: readonly FieldName[] = [
  'Name',
  'Description',
  'Tags',
  'Category',
  'StartTimeUtc',
  'EndTimeUtc',
  'LocationText',
  'LocationWKT',
  'CustomFields',
]

/** A value as text, so that two that mean the same are equal. */
export function textOf(fields: Fields, name: FieldName): string | null {
  const value = fields[name]
  if (value === null || value === '') return null
  if (name === 'StartTimeUtc' || name === 'EndTimeUtc') {
    const time = parseTime(value as string, { utcMember: true })
    return time === null ? String(value) : new Date(Number(time.ticks / 10_000n)).toISOString()
  }
  if (name === 'Tags')
    return (value as readonly string[]).length === 0 ? null : [...(value as readonly string[])].sort().join(', ')
  if (name === 'CustomFields') {
    const entries = Object.entries(value as Record<string, string>).sort(([a], [b]) => (a < b ? -1 : 1))
    return entries.length === 0 ? null : entries.map(([key, text]) => `${key}: ${text}`).join('\n')
  }
  return String(value)
}

export interface Merge {
  /** Changed here alone: sent to headquarters. */
  readonly send: readonly FieldName[]
  /** Changed on both sides, to other values: a person decides. */
  readonly conflicts: readonly FieldName[]
}

/** What headquarters last got from here. A field that is not in it is unknown: the station was restored, and forgot what it sent. */
export type Base = Partial<Fields>

/** Whether a field here is as headquarters last got it from here. */
export const isAsSent = (base: Base, ours: Fields, name: FieldName): boolean =>
  name in base && textOf(base as Fields, name) === textOf(ours, name)

/** A field with an unknown base that differs is in question: nobody knows which side changed it. */
export function mergeFields(base: Base, ours: Fields, theirs: Fields): Merge {
  const send: FieldName[] = []
  const conflicts: FieldName[] = []
  for (const name of FIELD_NAMES) {
    const [here, there] = [ours, theirs].map((fields) => textOf(fields, name))
    const was = name in base ? textOf(base as Fields, name) : undefined
    if (here === was || here === there) continue
    if (there === was) send.push(name)
    else conflicts.push(name)
  }
  return { send, conflicts }
}
