import type { ReactNode } from 'react'
import { cx, given } from '../given.ts'
import { Icon } from '../icon/icon.tsx'
import styles from './state.module.css'

/** What the colours of the station mean (guide, "Colour carries meaning, never alone"). */
export type State = 'ok' | 'working' | 'waiting' | 'attention' | 'danger' | 'sealed'

interface Marked {
  readonly state: State
  /** The word: never left out, colour and shape only say it faster. */
  readonly children: ReactNode
  readonly small?: boolean
  /** Long words go on in a second line instead of being cut off. */
  readonly wraps?: boolean
}

export function StateMark({ state, children, small = false, wraps = false }: Marked) {
  return (
    <span className={cx(styles['mark'], styles[state], small && styles['small'], wraps && styles['wraps'])}>
      <Icon name={state} className={styles['shape']} />
      <span className={styles['word']}>{children}</span>
    </span>
  )
}

/** The mark on its own ground: only in a page title or on an evidence card. */
export function StatePill({ state, children }: Omit<Marked, 'small' | 'wraps'>) {
  return (
    <span className={cx(styles['mark'], styles['pill'], styles[state])}>
      <Icon name={state} className={styles['shape']} />
      <span className={styles['word']}>{children}</span>
    </span>
  )
}

/** The shape alone, for the tiles of a grid; the word is its accessible name, unless it stands beside it anyway. */
export function StateShape({ state, label }: { readonly state: State; readonly label?: string | undefined }) {
  return (
    <span className={cx(styles['mark'], styles[state])} title={label}>
      <Icon name={state} className={styles['shape']} {...given({ label })} />
    </span>
  )
}
