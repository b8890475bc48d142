/** Derives from messages which officers were sent to a call, by which unit, from when to when. Pure. */
import { nameKey } from '../../../shared/kernel/names.ts'
import { parseTime } from '../../../shared/kernel/time.ts'
import type { CallRow, OfficerRow } from './board.store.ts'

export interface Sent {
  /** Empty: the message names none. */
  readonly unit: string
  readonly from: number
  readonly to: number | null
}

interface Resource {
  readonly texts: readonly string[]
  readonly from: number | null
  readonly to: number | null
}

/** Longer than any call sign. */
const MOST_UNIT = 40

const textIn = (value: unknown): string[] => (typeof value === 'string' && value.trim() !== '' ? [value.trim()] : [])
const millisIn = (value: unknown): number | null => {
  const time = typeof value === 'string' ? parseTime(value, { utcMember: true }) : null
  return time === null ? null : Number(time.ticks / 10_000n)
}

/** What was stated was read before it was kept; a hand that wrote it otherwise is not trusted here either. */
export function resourcesIn(stated: string): Resource[] {
  const { involvedResources } = JSON.parse(stated) as { readonly involvedResources?: unknown }
  if (!Array.isArray(involvedResources)) return []
  return involvedResources.flatMap((one: unknown) => {
    if (typeof one !== 'object' || one === null) return []
    const { id, name, dispatchedUtc, clearedUtc } = one as Readonly<Record<string, unknown>>
    return [{ texts: [...textIn(id), ...textIn(name)], from: millisIn(dispatchedUtc), to: millisIn(clearedUtc) }]
  })
}

/**
 * An officer named by badge or user name was sent for as long as the resource says, else for as long as the call lasted. What else the
 * resource is called is the unit. Somebody whom only a person assigned was sent for the whole call.
 */
export function sentTo(
  call: Pick<CallRow, 'from_ms' | 'to_ms'>,
  resources: readonly Resource[],
  officer: Pick<OfficerRow, 'badge' | 'name_key'>,
): Sent {
  const means = (text: string): boolean =>
    (officer.badge !== '' && text === officer.badge) || nameKey(text) === officer.name_key
  const own = resources.filter(({ texts }) => texts.some(means))
  const unit = own.flatMap(({ texts }) => texts.filter((text) => !means(text)))[0] ?? ''
  const from = Math.min(...own.map((one) => one.from ?? call.from_ms), own.length === 0 ? call.from_ms : Infinity)
  const ends = own.length === 0 ? [call.to_ms] : own.map((one) => one.to ?? call.to_ms)
  const to = ends.some((end) => end === null) ? null : Math.max(...(ends as number[]))
  return { unit: [...unit].slice(0, MOST_UNIT).join(''), from, to: to === null || to < from ? null : to }
}
