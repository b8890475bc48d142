import type { ReactNode } from 'react'
import styles from './parts.module.css'

export function Section({
  title,
  note,
  children,
}: {
  readonly title: string
  readonly note?: string
  readonly children: ReactNode
}) {
  return (
    <section className={styles['section']} aria-label={title}>
      <h2 className={styles['heading']}>
        {title} {note !== undefined && <span className={styles['note']}>{note}</span>}
      </h2>
      {children}
    </section>
  )
}

export function Line({ children }: { readonly children: ReactNode }) {
  return <div className={styles['line']}>{children}</div>
}
