import { useEffect } from 'react'
import { useTranslation } from '../../client/translate.ts'
import { EmptyState } from '../../ui/empty/empty.tsx'
import styles from './devices.module.css'

/** For whoever came by the address. */
export function Barred() {
  const { t } = useTranslation('devices')
  return (
    <div className={styles['alone']}>
      <EmptyState title={t('barredTitle')}>{t('barredBody')}</EmptyState>
    </div>
  )
}

export function usePageTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} · Sallyport`
  }, [title])
}
