import { type ReactNode, useId } from 'react'
import styles from './account.module.css'

/** One thing about one's account, under its heading. */
export function Part({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  const name = useId()
  return (
    <section className={styles['section']} aria-labelledby={name}>
      <h2 id={name} className={styles['heading']}>
        {title}
      </h2>
      {children}
    </section>
  )
}
