/** The tray's menu, as a plain template that can be tested without Electron. */
import type { MenuItemConstructorOptions as Item } from 'electron'
import type { StationState } from '../server-host.ts'
import type { Words } from './messages.ts'

export interface TrayActs {
  readonly open: () => void
  readonly quit: () => void
}

/** A line about updates. `click` is null for a line without an action. */
export interface ExtraLine {
  readonly label: string
  readonly click: (() => void) | null
}

export type Shown = StationState | 'starting' | 'stopping'

const STATES = {
  ready: 'stateReady',
  'read-only': 'stateReadOnly',
  'not-ready': 'stateTrouble',
  silent: 'stateSilent',
} as const

/** @returns the state as text: mode, problems, and running work */
export function stateLines(state: Shown, words: Words): string[] {
  if (state === 'starting') return [words('stateStarting')]
  if (state === 'stopping') return [words('stateStopping')]
  const work = state.work === 0 ? words('workNone') : words('work', { count: state.work })
  return [words(STATES[state.mode]), ...state.problems, work]
}

export function trayTemplate(state: Shown, extra: ExtraLine | null, words: Words, acts: TrayActs): Item[] {
  return [
    { label: words('open'), click: acts.open },
    { type: 'separator' },
    ...stateLines(state, words).map((label): Item => ({ label, enabled: false })),
    ...(extra === null
      ? []
      : [
          { type: 'separator' } as Item,
          extra.click === null ? { label: extra.label, enabled: false } : { label: extra.label, click: extra.click },
        ]),
    { type: 'separator' },
    { label: words('quit'), enabled: state !== 'stopping', click: acts.quit },
  ]
}
