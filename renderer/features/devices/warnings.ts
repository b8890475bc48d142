/** What of a device needs somebody, the worst first. Pure. */
import type { State } from '../../ui/state/state.tsx'
import type { DeviceItem } from './queries.ts'
import { daysSince, type Words } from './labels.ts'

/** An active camera that nobody brought for so long may hold what nobody has seen yet. */
export const DAYS_UNDOCKED = 14

export interface Warning {
  readonly id: 'pulled' | 'failed' | 'rejected' | 'unconfirmed' | 'undocked'
  readonly state: State
  /** How many, or days. */
  readonly count: number
}

type Looked = Pick<DeviceItem, 'State' | 'CreatedUtcTime' | 'Standing'>

export function warningsOf({ State, CreatedUtcTime, Standing }: Looked, now: number): readonly Warning[] {
  const { LastDock, Configuration, Unconfirmed } = Standing
  const days = daysSince(LastDock?.DetectedTimeUtc ?? CreatedUtcTime, now)
  const found: (Warning | false)[] = [
    LastDock?.State === 'pulled' && { id: 'pulled', state: 'danger', count: 1 },
    LastDock?.State === 'failed' && { id: 'failed', state: 'danger', count: 1 },
    Configuration === 'Rejected' && { id: 'rejected', state: 'attention', count: 1 },
    Unconfirmed > 0 && { id: 'unconfirmed', state: 'attention', count: Unconfirmed },
    State === 'Active' && days >= DAYS_UNDOCKED && { id: 'undocked', state: 'attention', count: days },
  ]
  return found.filter((one) => one !== false)
}

const WORDS = {
  pulled: ['warnPulled', 'warnPulledBody'],
  failed: ['warnFailed', 'warnFailedBody'],
  rejected: ['warnRejected', 'warnRejectedBody'],
  unconfirmed: ['warnUnconfirmed', 'warnUnconfirmedBody'],
  undocked: ['warnUndocked', 'warnUndockedBody'],
} as const

export const warningWords = ({ id, count }: Warning, t: Words): string => t(WORDS[id][0], { count })
export const warningBody = ({ id, count }: Warning, t: Words): string => t(WORDS[id][1], { count })
