import type { Pages } from './data.ts'
import styles from './disposition.module.css'
import { Problem } from './problem.tsx'

/** Rows that are known to come and are not here yet. */
const AHEAD = 10

export function windowOf<Row>({ rows, more, onMore }: Pages<Row>) {
  const length = rows?.length ?? 0
  return {
    total: rows === null ? null : length + (more ? AHEAD : 0),
    rowAt: (index: number): Row | undefined => rows?.[index],
    onWindow: (_first: number, last: number): void => {
      if (more && last >= length) onMore()
    },
    busy: rows === null,
  }
}

export function Failed({ pages: { error, retry } }: { readonly pages: Pages<unknown> }) {
  if (error === null) return null
  return (
    <div className={styles['note']}>
      <Problem error={error} onRetry={retry} />
    </div>
  )
}
