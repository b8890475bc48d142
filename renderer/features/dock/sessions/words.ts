/** What the station says of the dock, in words for people. Pure. */
import type { useTranslation } from 'react-i18next'
import type { DockState, FileOutcome } from '../../../../shared/domain/dock.ts'
import { visible } from '../../../ui/format/visible.ts'
import type { State } from '../../../ui/state/state.tsx'
import type { Session } from './data.ts'

export type Words = ReturnType<typeof useTranslation<'dockSessions'>>['t']

const STATES = {
  detected: ['working', 'stateDetected'],
  identified: ['working', 'stateIdentified'],
  negotiated: ['working', 'stateNegotiated'],
  listed: ['working', 'stateListed'],
  copying: ['working', 'stateCopying'],
  verifying: ['working', 'stateVerifying'],
  committed: ['working', 'stateCommitted'],
  cleared: ['ok', 'stateCleared'],
  released: ['ok', 'stateReleased'],
  failed: ['danger', 'stateFailed'],
  pulled: ['danger', 'statePulled'],
  resumed: ['working', 'stateResumed'],
  refused: ['waiting', 'stateRefused'],
} as const satisfies Readonly<Record<DockState, readonly [State, string]>>

/** Nothing more happens to it. */
export const isOver = (state: DockState): boolean => state === 'released' || state === 'refused'

export const stateWords = (state: DockState, t: Words): string => t(STATES[state][1])

/** A camera that may go although something of it was not taken needs somebody. */
export function stateOf({ State: at, Problems }: Pick<Session, 'State' | 'Problems'>, t: Words) {
  if (Problems > 0 && (at === 'released' || at === 'cleared'))
    return { state: 'attention' as const, words: t('stateReleasedPart') }
  const [state, words] = STATES[at]
  return { state, words: t(words) }
}

/** What happened, and what to do; null where nothing has to be said. */
export function whatHappened({ State: at, Before, Reason }: Session, t: Words): string | null {
  const reason = Reason === null ? '' : ` ${visible(Reason)}`
  if (at === 'failed') return `${t('whatFailed', { at: t(WHILE[Before ?? 'detected']) })}${reason}`
  if (at === 'pulled') return t('whatPulled', { at: t(WHILE[Before ?? 'detected']) })
  if (at === 'refused') return `${t('whatRefused')}${reason}`
  return null
}

const WHILE = {
  detected: 'atLooking',
  identified: 'atLooking',
  negotiated: 'atLooking',
  listed: 'atLooking',
  resumed: 'atLooking',
  failed: 'atLooking',
  pulled: 'atLooking',
  refused: 'atLooking',
  copying: 'atCopying',
  verifying: 'atVerifying',
  committed: 'atClearing',
  cleared: 'atClearing',
  released: 'atClearing',
} as const satisfies Readonly<Record<DockState, string>>

export const OUTCOMES = {
  taken: ['ok', 'outcomeTaken'],
  here: ['ok', 'outcomeHere'],
  foreign: [null, 'outcomeForeign'],
  failed: ['attention', 'outcomeFailed'],
  gone: ['attention', 'outcomeGone'],
  listed: ['waiting', 'outcomeListed'],
} as const satisfies Readonly<Record<FileOutcome, readonly [State | null, string]>>

export function cameraOf({ Device }: Pick<Session, 'Device'>, t: Words): string {
  const name = [Device?.Manufacturer, Device?.Model].filter(
    (part) => part !== null && part !== undefined && part !== '',
  )
  return name.length === 0 ? t('cameraUnknown') : visible(name.join(' '))
}

export const serialOf = ({ Device }: Pick<Session, 'Device'>): string | null => Device?.SerialNumber ?? null
