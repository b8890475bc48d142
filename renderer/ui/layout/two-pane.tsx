import type { KeyboardEvent, ReactNode } from 'react'
import { cx } from '../given.ts'
import styles from './two-pane.module.css'

interface TwoPaneProps {
  /** Sets `--side`, how wide the second pane is. */
  readonly className: string | undefined
  readonly children: ReactNode
}

/** Work, and beside it what is known of what is chosen there; below each other where there is little room. */
export function TwoPane({ className, children }: TwoPaneProps) {
  return <div className={cx(styles['panes'], styles['two'], className)}>{children}</div>
}

interface PaneProps {
  readonly label: string
  readonly children: ReactNode
}

/** @param label left out where what is in it has names of its own */
export function WorkPane({ label, children }: Partial<Pick<PaneProps, 'label'>> & Pick<PaneProps, 'children'>) {
  const className = cx(styles['pane'], styles['work'])
  if (label === undefined) return <div className={className}>{children}</div>
  return (
    <section className={className} aria-label={label} data-region>
      {children}
    </section>
  )
}

interface SidePaneProps extends PaneProps {
  /** As a whole; left out, a part of it does. */
  readonly scrolls?: boolean
  readonly onKeyDown?: (event: KeyboardEvent) => void
}

export function SidePane({ label, scrolls = false, onKeyDown, children }: SidePaneProps) {
  return (
    <aside
      className={cx(styles['pane'], styles['side'], scrolls && styles['scrolls'])}
      aria-label={label}
      data-region
      onKeyDown={onKeyDown}
      {...(scrolls ? { tabIndex: 0 } : {})}
    >
      {children}
    </aside>
  )
}
