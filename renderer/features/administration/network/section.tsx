import { type ReactNode, useId } from 'react'
import styles from './network.module.css'

interface Props {
  readonly title: string
  readonly lead: string
  readonly act?: ReactNode
  readonly children: ReactNode
}

/** One thing about the network, under its heading. */
export function Section({ title, lead, act, children }: Props) {
  const name = useId()
  return (
    <section className={styles['section']} aria-labelledby={name}>
      <div className={styles['sectionHead']}>
        <h2 id={name} className={styles['heading']}>
          {title}
        </h2>
        {act}
      </div>
      <p className={styles['words']}>{lead}</p>
      {children}
    </section>
  )
}
