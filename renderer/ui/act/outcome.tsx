import type { ReactNode } from 'react'
import { Icon, type IconName } from '../icon/icon.tsx'
import styles from './act.module.css'

interface OutcomeProps {
  readonly icon: IconName
  readonly title: string
  /** List items. */
  readonly children: ReactNode
}

/** One of the things to know before a deletion: what goes, what stays, the way back (guide, Destruction). */
export function Outcome({ icon, title, children }: OutcomeProps) {
  return (
    <section className={styles['outcome']}>
      <h3 className={styles['name']}>
        <Icon name={icon} /> {title}
      </h3>
      <ul className={styles['lines']}>{children}</ul>
    </section>
  )
}
