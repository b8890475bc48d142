import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type Notice, type useNotices, useSeeNotices } from '../../client/notices.ts'
import { Button, IconButton } from '../../ui/button/button.tsx'
import { EmptyState } from '../../ui/empty/empty.tsx'
import { useFormat } from '../../ui/format/use-format.tsx'
import { Note } from '../../ui/note/note.tsx'
import { Skeleton } from '../../ui/skeleton/skeleton.tsx'
import styles from './notices.module.css'

interface PanelProps {
  readonly answer: ReturnType<typeof useNotices>
  readonly unseen: number
  readonly close: () => void
}

/** What the notices say, newest first. */
export default function NoticesPanel({ answer, unseen, close }: PanelProps) {
  const { t } = useTranslation('frame')
  const see = useSeeNotices()
  const [failed, setFailed] = useState<Error | null>(null)
  const { data, error, hasNextPage, isFetchingNextPage, fetchNextPage } = answer
  const notices = data?.pages.flatMap(({ Items }) => Items) ?? null
  const mark = (ids: readonly string[]): void => {
    setFailed(null)
    if (ids.length > 0) void see(ids).catch((reason: Error) => setFailed(reason))
  }
  const problem = failed ?? (notices === null ? error : null)
  return (
    <div className={styles['panel']}>
      <div className={styles['head']}>
        <h2 className={styles['title']}>{t('notices')}</h2>
        {unseen > 0 && notices !== null && (
          <Button
            size="small"
            kind="quiet"
            icon="check"
            onPress={() => mark(notices.filter(({ SeenUtc }) => SeenUtc === null).map(({ NoticeId }) => NoticeId))}
          >
            {t('noticesSeeAll')}
          </Button>
        )}
      </div>
      {problem !== null && (
        <Note state="attention" title={t('noticesFailed')}>
          {problem.message}
        </Note>
      )}
      {notices === null ? (
        error === null && <Skeleton lines={3} />
      ) : notices.length === 0 ? (
        <EmptyState title={t('noticesEmpty')}>{t('noticesEmptyBody')}</EmptyState>
      ) : (
        <div className={styles['list']} tabIndex={0} role="group" aria-label={t('notices')}>
          {notices.map((notice) => (
            <One key={notice.NoticeId} notice={notice} onSee={() => mark([notice.NoticeId])} close={close} />
          ))}
          {hasNextPage && (
            <div className={styles['foot']}>
              <Button size="small" busy={isFetchingNextPage} onPress={() => void fetchNextPage()}>
                {t('noticesOlder')}
              </Button>
            </div>
          )}
        </div>
      )}
    </div>
  )
}

interface OneProps {
  readonly notice: Notice
  readonly onSee: () => void
  readonly close: () => void
}

function One({ notice, onSee, close }: OneProps) {
  const { t } = useTranslation('frame')
  const format = useFormat()
  const unseen = notice.SeenUtc === null
  const { Object: about } = notice
  const by = notice.CreatedBy.Name ?? ''
  const said =
    notice.Kind === 'case.shared'
      ? t('noticeShared', { by })
      : notice.Kind === 'cad.withoutDepartment'
        ? t('noticeWithoutDepartment')
        : notice.Kind
  return (
    <div className={styles['notice']} {...(unseen ? { 'data-unseen': '' } : {})}>
      <span className={styles['what']}>
        {unseen && <span className="unseen">{t('noticeNew')} </span>}
        {said}{' '}
        {about.Type === 'case' && about.Name !== null ? (
          <Link
            to="/cases/$caseId"
            params={{ caseId: about.Id }}
            onClick={() => {
              if (unseen) onSee()
              close()
            }}
          >
            <bdi>{about.Name}</bdi>
          </Link>
        ) : (
          <span className="muted">{t('noticeGone')}</span>
        )}
      </span>
      {notice.Message !== '' && (
        <span className={styles['message']} dir="auto">
          {notice.Message}
        </span>
      )}
      <time
        className={styles['when']}
        dateTime={notice.CreatedUtc}
        title={format.instant(notice.CreatedUtc, { zone: true })}
      >
        {format.instant(notice.CreatedUtc, { precision: 'minute' })}
      </time>
      {unseen && (
        <span className={styles['seen']}>
          <IconButton icon="check" size="small" label={t('noticeSee', { name: about.Name ?? by })} onPress={onSee} />
        </span>
      )}
    </div>
  )
}
