import { type ReactNode, useId } from 'react'
import { EmptyState, type EmptyStateProps } from '../../ui/empty/empty.tsx'
import styles from './today.module.css'

interface SectionProps {
  readonly title: string
  /** Beside the heading. */
  readonly second?: ReactNode
  readonly act?: ReactNode
  readonly children: ReactNode
}

/** One matter of the start page. Its lines carry `data-line`: J and K go from one to the next through all sections. */
export function Section({ title, second, act, children }: SectionProps) {
  const id = useId()
  return (
    <section className={styles['section']} aria-labelledby={id} data-region>
      <div className={styles['sectionHead']}>
        <h2 id={id} className={styles['heading']}>
          {title}
        </h2>
        {second !== undefined && <span className={styles['second']}>{second}</span>}
        {act !== undefined && <span className={styles['act']}>{act}</span>}
      </div>
      {children}
    </section>
  )
}

/** What will stand in a section, and the one way to begin. */
export function Nothing(props: EmptyStateProps) {
  return (
    <div className={styles['empty']}>
      <EmptyState {...props} />
    </div>
  )
}
