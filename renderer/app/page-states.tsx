/** What stands in place of a page: it failed, it is being fetched, or there is none at the address. */
import { type ErrorComponentProps, Link, useRouter } from '@tanstack/react-router'
import { useEffect } from 'react'
import { onReach } from '../client/api.ts'
import { isMissing, reloadedLately } from '../client/load-chunk.ts'
import { useTranslation } from '../client/translate.ts'
import { Button } from '../ui/button/button.tsx'
import { EmptyState } from '../ui/empty/empty.tsx'
import { Note } from '../ui/note/note.tsx'
import { Skeleton } from '../ui/skeleton/skeleton.tsx'
import styles from './page-problem.module.css'

/** A page that could not be shown says so in the sheet. It is tried again by itself once the station answers after it did not. */
export function PageProblem({ error, reset }: ErrorComponentProps) {
  const { t } = useTranslation()
  const router = useRouter()
  const again = (): void => {
    reset()
    void router.invalidate()
  }
  useEffect(() => {
    if (isMissing(error) && !reloadedLately()) window.location.reload()
  }, [error])
  useEffect(
    () =>
      onReach((since) => {
        if (since !== null) return
        reset()
        void router.invalidate()
      }),
    [reset, router],
  )
  return (
    <div className={styles['page']}>
      <h1 className={styles['title']}>{t('pageCrashedTitle')}</h1>
      <Note
        state="attention"
        title={t('pageCrashedBody')}
        action={
          <Button icon="retry" onPress={again}>
            {t('tryAgain')}
          </Button>
        }
      >
        {t('pageCrashedQuote', { message: error instanceof Error ? error.message : String(error) })}
      </Note>
    </div>
  )
}

/** Stands in the sheet while the part of a page that was gone to takes long: what is named above is never shown over another page. */
export function PageWaiting() {
  return (
    <div className={styles['page']}>
      <Skeleton lines={8} />
    </div>
  )
}

export function NotFound() {
  const { t } = useTranslation('frame')
  return (
    <>
      <h1 className="unseen">{t('notFoundTitle')}</h1>
      <EmptyState title={t('notFoundTitle')} action={<Link to="/evidence">{t('notFoundShow')}</Link>}>
        {t('notFoundBody')}
      </EmptyState>
    </>
  )
}
