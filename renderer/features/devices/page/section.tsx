import type { ReactNode } from 'react'
import styles from '../devices.module.css'

interface SectionProps {
  readonly id: string
  readonly title: string
  readonly lead?: string | undefined
  /** Beside the title. */
  readonly act?: ReactNode
  readonly children: ReactNode
}

export function Section({ id, title, lead, act, children }: SectionProps) {
  return (
    <section className={styles['section']} aria-labelledby={id}>
      <div className={styles['sectionHead']}>
        <h2 id={id} className={styles['heading']}>
          {title}
        </h2>
        {act}
      </div>
      {lead !== undefined && <p className="second">{lead}</p>}
      {children}
    </section>
  )
}
