import type { ReactNode } from 'react'
import styles from './empty.module.css'

export interface EmptyStateProps {
  /** What is not there: *No evidence in this case yet*. */
  readonly title: string
  /** What will stand here, and how it comes. */
  readonly children?: ReactNode
  /** The one way to begin, and at most one more. */
  readonly action?: ReactNode
}

/** Where a list or a panel has nothing to show. No picture. */
export function EmptyState({ title, children, action }: EmptyStateProps) {
  return (
    <div className={styles['empty']}>
      <p className={styles['title']}>{title}</p>
      {children !== undefined && <div className={styles['words']}>{children}</div>}
      {action !== undefined && <div className={styles['action']}>{action}</div>}
    </div>
  )
}
