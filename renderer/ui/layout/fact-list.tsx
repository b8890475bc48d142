import type { ReactNode } from 'react'
import { cx } from '../given.ts'
import styles from './fact-list.module.css'

interface FactListProps {
  readonly className?: string | undefined
  /** Pairs of `dt` and `dd`. */
  readonly children: ReactNode
}

/** What is known of one thing: names in one column, what they are in the other. */
export function FactList({ className, children }: FactListProps) {
  return <dl className={cx(styles['list'], className)}>{children}</dl>
}
