import type { Pages } from '../../client/pages.ts'
import styles from './disposition.module.css'
import { Problem } from './problem.tsx'

export function Failed({ pages: { error, retry } }: { readonly pages: Pages<unknown> }) {
  if (error === null) return null
  return (
    <div className={styles['note']}>
      <Problem error={error} onRetry={retry} />
    </div>
  )
}
