import type { ReactNode } from 'react'
import { cx } from '../given.ts'
import { useFormat } from '../format/use-format.tsx'
import { Icon } from '../icon/icon.tsx'
import type { State } from '../state/state.tsx'
import styles from './progress.module.css'

export interface ProgressBarProps {
  /** What is going on, for whoever hears it; the words beside it are the caller's. */
  readonly label: string
  /** 0 to 100; null while no number exists. */
  readonly value: number | null
  readonly state?: State | undefined
  readonly className?: string | undefined
}

/** A bar that moves with data. Without a number it says so by a run of light, and stands still under reduced motion. */
export function ProgressBar({ label, value, state = 'working', className }: ProgressBarProps) {
  const format = useFormat()
  const share = value === null ? null : Math.min(100, Math.max(0, value))
  return (
    <div
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      {...(share === null ? {} : { 'aria-valuenow': Math.floor(share), 'aria-valuetext': format.percent(share / 100) })}
      className={cx(styles['bar'], styles[state], share === null && styles['unknown'], className)}
    >
      <div className={styles['fill']} {...(share === null ? {} : { style: { inlineSize: `${share}%` } })} />
    </div>
  )
}

/** A turning ring where no number exists; the words beside it are part of it, or the caller's own. */
export function Spinner({ children }: { readonly children?: ReactNode }) {
  return (
    <span className={styles['spinner']}>
      <Icon name="working" className={styles['ring']} />
      {children}
    </span>
  )
}
