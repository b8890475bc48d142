import { type ReactNode, useId } from 'react'
import styles from './account.module.css'

interface PartProps {
  readonly title: string
  /** In the address, for who is sent right here. */
  readonly id?: string
  readonly children: ReactNode
}

/** One thing about one's account, under its heading. */
export function Part({ title, id, children }: PartProps) {
  const name = useId()
  return (
    <section {...(id === undefined ? {} : { id })} className={styles['section']} aria-labelledby={name}>
      <h2 id={name} className={styles['heading']}>
        {title}
      </h2>
      {children}
    </section>
  )
}
