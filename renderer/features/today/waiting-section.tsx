import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from '../../client/translate.ts'
import { visible } from '../../ui/format/visible.ts'
import { Icon, type IconName } from '../../ui/icon/icon.tsx'
import type { Today } from './queries.ts'
import { Nothing, Section } from './section.tsx'
import styles from './today.module.css'

interface Props {
  readonly waiting: Today['Waiting']
  readonly guest: boolean
  readonly onJobs: () => void
  readonly onNotices: () => void
}

/** What waits for this person alone, each with the way to where it is settled. */
export function WaitingSection({ waiting, guest, onJobs, onNotices }: Props) {
  const { t } = useTranslation('today')
  const { Reviews, Approvals, Shares, FailedJobs, Notices } = waiting
  const moreShares = Shares.Count - Shares.Cases.length
  const isEmpty = [Reviews, Approvals, Shares, FailedJobs, Notices].every(({ Count }) => Count === 0)
  return (
    <Section title={t('waiting')}>
      {isEmpty ? (
        <Nothing title={t('waitingEmpty')}>{t(guest ? 'waitingEmptyGuest' : 'waitingEmptyBody')}</Nothing>
      ) : (
        <ul className={styles['lines']}>
          {Reviews.Count > 0 && (
            <li>
              <Link to="/review" className={styles['line']} data-line="reviews">
                <Line icon="help" more={Reviews.More}>
                  {t('reviews', { count: Reviews.Count })}
                </Line>
              </Link>
            </li>
          )}
          {Approvals.Count > 0 && (
            <li>
              <Link to="/disposition" className={styles['line']} data-line="approvals">
                <Line icon="disposition" more={Approvals.More}>
                  {t('approvals', { count: Approvals.Count })}
                </Line>
              </Link>
            </li>
          )}
          {FailedJobs.Count > 0 && (
            <li>
              <button type="button" className={styles['line']} data-line="jobs" onClick={onJobs}>
                <Line icon="jobs" more={FailedJobs.More}>
                  {t('failedJobs', { count: FailedJobs.Count })}
                </Line>
              </button>
            </li>
          )}
          {Shares.Cases.map(({ CaseId, Title }) => (
            <li key={CaseId}>
              <Link to="/cases/$caseId" params={{ caseId: CaseId }} className={styles['line']} data-line={CaseId}>
                <Line icon="share">{t('share', { title: visible(Title) })}</Line>
              </Link>
            </li>
          ))}
          {moreShares > 0 && (
            <li>
              <button type="button" className={styles['line']} data-line="shares" onClick={onNotices}>
                <Line icon="share" more={Shares.More}>
                  {t('sharesMore', { count: moreShares })}
                </Line>
              </button>
            </li>
          )}
          {Notices.Count > 0 && (
            <li>
              <button type="button" className={styles['line']} data-line="notices" onClick={onNotices}>
                <Line icon="bell" more={Notices.More}>
                  {t('notices', { count: Notices.Count })}
                </Line>
              </button>
            </li>
          )}
        </ul>
      )}
    </Section>
  )
}

interface LineProps {
  readonly icon: IconName
  /** There are more than were counted. */
  readonly more?: boolean
  readonly children: ReactNode
}

function Line({ icon, more = false, children }: LineProps) {
  const { t } = useTranslation('today')
  return (
    <>
      <Icon name={icon} className={styles['icon']} />
      <span className={styles['main']}>
        <span className={styles['name']}>{children}</span>
        {more && <span className={styles['under']}>{t('orMore')}</span>}
      </span>
      <Icon name="chevron-right" size="small" className={styles['icon']} />
    </>
  )
}
