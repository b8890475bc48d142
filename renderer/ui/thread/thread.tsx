import type { ReactNode } from 'react'
import { Icon, type IconName } from '../icon/icon.tsx'
import styles from './thread.module.css'

export interface ThreadEntry {
  readonly id: string
  readonly icon: IconName
  /** What was done. */
  readonly act: ReactNode
  /** Actor and figure. */
  readonly detail?: ReactNode
  /** As written: *04:00*. */
  readonly time: string
  /** The exact instant in ISO 8601, for machines and the hover. */
  readonly at: string
  readonly exact?: string | undefined
  /** A day's head above this entry, where the day changes. */
  readonly day?: string | undefined
}

/** Custody, history and receipts: one dot and line each, newest first. */
export function Thread({ label, entries }: { readonly label: string; readonly entries: readonly ThreadEntry[] }) {
  return (
    <ol className={styles['thread']} aria-label={label}>
      {entries.map((entry) => (
        <li key={entry.id} className={styles['entry']} {...(entry.day === undefined ? {} : { 'data-day': '' })}>
          {entry.day !== undefined && <span className={styles['day']}>{entry.day}</span>}
          <span className={styles['node']}>
            <Icon name={entry.icon} />
          </span>
          <span className={styles['act']}>{entry.act}</span>
          <time className={styles['time']} dateTime={entry.at} title={entry.exact ?? entry.at}>
            {entry.time}
          </time>
          {entry.detail !== undefined && <span className={styles['detail']}>{entry.detail}</span>}
        </li>
      ))}
    </ol>
  )
}
