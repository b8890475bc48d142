import { lazy, Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { useNotices } from '../../client/notices.ts'
import { IconButton } from '../../ui/button/button.tsx'
import { Popover } from '../../ui/popover/popover.tsx'
import { Skeleton } from '../../ui/skeleton/skeleton.tsx'
import styles from './notices.module.css'

const Panel = lazy(() => import('./notices-panel.tsx'))

/** The bell: how many notices nobody looked at yet, and what they say. */
export function Notices() {
  const { t } = useTranslation('frame')
  const answer = useNotices()
  const unseen = answer.data?.pages[0]?.Unseen ?? 0
  return (
    <span className={styles['bell']}>
      <Popover
        label={t('notices')}
        placement="bottom end"
        trigger={
          <IconButton
            icon="bell"
            label={unseen === 0 ? t('noticesNone') : t('noticesUnseen', { count: unseen })}
            tooltip={false}
          />
        }
      >
        {(close: () => void) => (
          <Suspense
            fallback={
              <div className={styles['panel']}>
                <Skeleton lines={3} />
              </div>
            }
          >
            <Panel answer={answer} unseen={unseen} close={close} />
          </Suspense>
        )}
      </Popover>
      {unseen > 0 && (
        <span className={styles['unseen']} aria-hidden="true">
          {unseen > 99 ? '99+' : unseen}
        </span>
      )}
    </span>
  )
}
