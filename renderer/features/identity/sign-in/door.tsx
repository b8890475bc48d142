import type { ReactNode } from 'react'
import { useTranslation } from '../../../client/translate.ts'
import { useSession } from '../../../client/session.tsx'
import { Brand, Choices } from '../../../client/outside.tsx'
import styles from './door.module.css'

/** Both halves of the page before the work: who one is, and what one should know first (shots/sign-in). */
export function Door({ children, beside }: { readonly children: ReactNode; readonly beside: ReactNode }) {
  return (
    <div className={styles['door']}>
      <main className={styles['self']}>
        <Brand />
        <div className={styles['middle']}>{children}</div>
        <Choices />
      </main>
      <aside className={styles['beside']}>{beside}</aside>
    </div>
  )
}

/** The notice that is acknowledged at sign-in: the station's own text where it has one, else the bundled one. */
export function Notice() {
  const { t } = useTranslation('signIn')
  const { session } = useSession()
  const { Notice: notice } = session
  const minutes = Math.round(session.IdleSeconds / 60)
  return (
    <div className={styles['notice']}>
      <h2 className={styles['noticeTitle']}>{notice?.Title ?? t('noticeTitle')}</h2>
      {notice === null ? (
        <>
          <p>{t('noticeLead')}</p>
          <ul className={styles['points']}>
            <li>{t('noticeRecorded')}</li>
            <li>{t('noticeOwnName', { minutes })}</li>
            <li>{t('noticeDisclosure')}</li>
          </ul>
        </>
      ) : (
        <>
          {notice.Paragraphs.map((paragraph) => (
            <p key={paragraph}>{paragraph}</p>
          ))}
          <p className="small muted">
            <span className="id">{t('noticeId', { id: notice.Id })}</span>
          </p>
        </>
      )}
    </div>
  )
}
