/** What the station says of the dock, in words for people. Pure. */
import type { Translate } from '../../../client/translate.ts'
import { type DockState, type FileOutcome, WATCHED_PROFILE } from '../../../../shared/docking/docking.ts'
import { visible } from '../../../ui/format/visible.ts'
import type { State } from '../../../ui/state/state.tsx'
import type { Session } from './session.ts'

export type Words = Translate<'dockSessions'>

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

/** A folder that is watched stands in no bay, and nobody takes it home. */
export const isFolder = ({ Profile }: Pick<Session, 'Profile'>): boolean => Profile === WATCHED_PROFILE

const OF_FOLDERS: Readonly<Partial<Record<DockState, 'stateTakenIn' | 'stateAway'>>> = {
  cleared: 'stateTakenIn',
  released: 'stateTakenIn',
  pulled: 'stateAway',
}

/** A camera that may go although something of it was not taken needs somebody. */
export function stateOf(session: Pick<Session, 'State' | 'Problems' | 'Differs' | 'Profile'>, t: Words) {
  const { State: at, Problems, Differs } = session
  if (Problems > 0 && (at === 'released' || at === 'cleared'))
    return { state: 'attention' as const, words: t(Problems > Differs ? 'stateReleasedPart' : 'stateDiffers') }
  const [state, words] = STATES[at]
  return { state, words: t((isFolder(session) ? OF_FOLDERS[at] : undefined) ?? words) }
}

/** What happened, and what to do; null where nothing has to be said. */
export function whatHappened(session: Session, t: Words): string | null {
  const { State: at, Before, Reason } = session
  const reason = Reason === null ? '' : ` ${visible(Reason)}`
  if (at === 'failed') return `${t('whatFailed', { at: t(WHILE[Before ?? 'detected']) })}${reason}`
  if (at === 'pulled') return t(isFolder(session) ? 'whatAway' : 'whatPulled', { at: t(WHILE[Before ?? 'detected']) })
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

export function cameraOf(session: Pick<Session, 'Device' | 'Profile'>, t: Words): string {
  const { Device } = session
  const name = [Device?.Manufacturer, Device?.Model].filter(
    (part) => part !== null && part !== undefined && part !== '',
  )
  if (name.length === 0 && isFolder(session)) return t('folder')
  return name.length === 0 ? t('cameraUnknown') : visible(name.join(' '))
}

export const serialOf = ({ Device }: Pick<Session, 'Device'>): string | null => Device?.SerialNumber ?? null
