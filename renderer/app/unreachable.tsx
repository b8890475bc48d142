import { useEffect, useState } from 'react'
import { useTranslation } from '../client/translate.ts'
import styles from './error-boundary.module.css'

const AGAIN_EVERY = 3_000

/** Before anything was loaded: the station does not answer, or answers that it is not ready. It is asked again by itself. */
export function StationUnreachable({ error, onRetry }: { readonly error: Error; readonly onRetry: () => void }) {
  const { t, language } = useTranslation()
  const [since] = useState(() => new Date())
  useEffect(() => {
    const timer = setInterval(onRetry, AGAIN_EVERY)
    return () => clearInterval(timer)
  }, [onRetry])
  return (
    <main className={styles['page']}>
      <h1 className={styles['title']}>{t('offlineTitle')}</h1>
      <p>{t('offlineBody', { since: since.toLocaleTimeString(language) })}</p>
      <button type="button" className={styles['button']} onClick={onRetry}>
        {t('tryAgain')}
      </button>
      <pre className={styles['detail']}>{error.message}</pre>
    </main>
  )
}
