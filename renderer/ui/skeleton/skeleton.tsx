import { useTranslation } from '../../client/translate.ts'
import styles from './skeleton.module.css'

const WIDTHS = [62, 88, 44, 75, 55]

/** The final shape in grey while something loads for more than 0.3 s. It says that it loads, once. */
export function Skeleton({ lines = 3, label }: { readonly lines?: number; readonly label?: string | undefined }) {
  const { t } = useTranslation('ui')
  return (
    <div className={styles['skeleton']} role="status">
      <span className={styles['unseen']}>{label ?? t('loading')}</span>
      {Array.from({ length: lines }, (_, line) => (
        <SkeletonLine key={line} width={WIDTHS[line % WIDTHS.length] ?? 60} />
      ))}
    </div>
  )
}

/** One grey line, as wide as a share of its place in percent; silent. */
export function SkeletonLine({ width }: { readonly width: number }) {
  return <span className={styles['line']} style={{ inlineSize: `${width}%` }} aria-hidden="true" />
}
