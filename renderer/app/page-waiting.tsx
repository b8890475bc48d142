import { Skeleton } from '../ui/skeleton/skeleton.tsx'
import styles from './page-problem.module.css'

/** Stands in the sheet while the part of a page that was gone to takes long: what is named above is never shown over another page. */
export function PageWaiting() {
  return (
    <div className={styles['page']}>
      <Skeleton lines={8} />
    </div>
  )
}
