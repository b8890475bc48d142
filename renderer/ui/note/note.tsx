import type { ReactNode } from 'react'
import { cx } from '../given.ts'
import { Icon, type IconName } from '../icon/icon.tsx'
import type { State } from '../state/state.tsx'
import styles from './note.module.css'

export interface NoteProps {
  /** Left out: something to know, on the plain ground. */
  readonly state?: State | undefined
  /** One sentence of fact. */
  readonly title: ReactNode
  /** One of what to do. */
  readonly children?: ReactNode
  readonly icon?: IconName | undefined
  readonly action?: ReactNode
}

/** Says something in its place, beside what it is about. Never a toast for an error. */
export function Note({ state, title, children, icon, action }: NoteProps) {
  return (
    <div className={cx(styles['note'], state !== undefined && styles[state])}>
      <Icon name={icon ?? state ?? 'info'} className={styles['shape']} />
      <div className={styles['words']}>
        <strong className={styles['title']}>{title}</strong> {children}
      </div>
      {action !== undefined && <div className={styles['action']}>{action}</div>}
    </div>
  )
}
