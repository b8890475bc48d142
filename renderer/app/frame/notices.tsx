import { useNavigate } from '@tanstack/react-router'
import { Suspense, useEffect, useRef, useState } from 'react'
import { useTranslation } from '../../client/translate.ts'
import { withWords } from '../../client/i18n.ts'
import { type Notice, useNotices } from '../../client/notices.ts'
import { IconButton } from '../../ui/button/button.tsx'
import { Popover } from '../../ui/popover/popover.tsx'
import { Skeleton } from '../../ui/skeleton/skeleton.tsx'
import { placeOf } from './notice-place.ts'
import { openNotices, useNoticesOpen } from './panel.ts'
import styles from './notices.module.css'
import { lazyPart } from '../../client/load-chunk.ts'

const Panel = lazyPart(() => withWords(import('./notices-panel.tsx'), 'notices'))

/** The bell: how many notices nobody looked at yet, and what they say. */
export function Notices() {
  const { t } = useTranslation('frame')
  const answer = useNotices()
  const [newest] = answer.pages ?? []
  const unseen = newest?.Unseen ?? 0
  const label = unseen === 0 ? t('noticesNone') : t('noticesUnseen', { count: unseen })
  const came = useCame(newest?.Items)
  const shown = useNoticesOpen()
  useBadge(unseen)
  return (
    <span className={styles['bell']}>
      <Popover
        label={t('notices')}
        placement="bottom end"
        trigger={<IconButton icon="bell" label={label} tooltip={false} />}
        open={shown}
        onOpenChange={(open) => {
          openNotices(open)
          // What only counts on is not told by the stream.
          if (open) answer.retry()
        }}
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
      <span className="unseen" role="status">
        {came > 0 && unseen > 0 ? label : ''}
      </span>
    </span>
  )
}

/** @returns the newest of those that came while somebody was here; 0 before the first */
function useCame(items: readonly Notice[] | undefined): number {
  const navigate = useNavigate()
  const known = useRef<number | null>(null)
  const [came, setCame] = useState(0)
  useEffect(() => {
    if (items === undefined) return
    const before = known.current
    known.current = items.reduce((most, { NoticeId }) => Math.max(most, Number(NoticeId)), before ?? 0)
    if (before === null) return
    const fresh = items.filter(({ NoticeId, SeenUtc }) => Number(NoticeId) > before && SeenUtc === null)
    if (fresh.length === 0) return
    setCame(known.current)
    const go = (notice: Notice): void => {
      const place = placeOf(notice)
      if (place !== null) void navigate(place)
    }
    void withWords(import('./notice-alerts.ts'), 'notices').then(({ alertOf }) => alertOf(fresh, go))
  }, [items, navigate])
  return came
}

/** On the program's icon, where there is one. */
function useBadge(unseen: number): void {
  useEffect(() => {
    void window.sallyport?.badge(Math.min(unseen, 9999)).catch(() => {})
  }, [unseen])
  useEffect(() => () => void window.sallyport?.badge(0).catch(() => {}), [])
}
