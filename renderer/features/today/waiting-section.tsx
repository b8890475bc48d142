import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { personName } from '../../client/principals.ts'
import { useTranslation } from '../../client/translate.ts'
import { dayIn, noonOf } from '../../../shared/kernel/days.ts'
import { useFormat } from '../../ui/format/use-format.tsx'
import { visible } from '../../ui/format/visible.ts'
import { Icon, type IconName } from '../../ui/icon/icon.tsx'
import { type Today, useOpenRequests, useOwnTasks } from './queries.ts'
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
  const { Tasks, AccessRequests, Reviews, Approvals, Disclosures, Shares, FailedJobs, Notices } = waiting
  const moreShares = Shares.Count - Shares.Cases.length
  const isEmpty = [Tasks, AccessRequests, Reviews, Approvals, Disclosures, Shares, FailedJobs, Notices].every(
    ({ Count }) => Count === 0,
  )
  return (
    <Section title={t('waiting')}>
      {isEmpty ? (
        <Nothing title={t('waitingEmpty')}>{t(guest ? 'waitingEmptyGuest' : 'waitingEmptyBody')}</Nothing>
      ) : (
        <ul className={styles['lines']}>
          {Tasks.Count > 0 && <TaskLines count={Tasks.Count} />}
          {AccessRequests.Count > 0 && <RequestLines />}
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
          {Disclosures.Count > 0 && (
            <li>
              <Link to="/disclosure" search={{ show: 'proposed' }} className={styles['line']} data-line="disclosures">
                <Line icon="share" more={Disclosures.More}>
                  {t('disclosures', { count: Disclosures.Count })}
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

/** One's open tasks by the day they are due, each with the way to its case. */
function TaskLines({ count }: { readonly count: number }) {
  const { t } = useTranslation('today')
  const format = useFormat()
  const tasks = useOwnTasks() ?? []
  const shown = tasks.slice(0, SHOWN)
  const today = dayIn(format.zone, Date.now())
  const dueWords = (due: string | null): string => {
    if (due === null) return ''
    const day = format.day(noonOf(due, format.zone), due.slice(0, 4) !== today.slice(0, 4))
    return due === today ? t('taskDueToday') : t(due < today ? 'taskOverdue' : 'taskDue', { day })
  }
  return (
    <>
      {shown.map(({ TaskId, CaseId, Title, DueDate, Case }) => (
        <li key={TaskId}>
          <Link to="/cases/$caseId" params={{ caseId: CaseId }} className={styles['line']} data-line={`task-${TaskId}`}>
            <Line icon="check" under={[dueWords(DueDate), visible(Case.Title)].filter((one) => one !== '').join(' · ')}>
              {visible(Title)}
            </Line>
          </Link>
        </li>
      ))}
      {count > shown.length && shown.length > 0 && (
        <li className={styles['under']}>{t('tasksMore', { count: count - shown.length })}</li>
      )}
    </>
  )
}

/** Who asks for access to a case that the person manages. */
function RequestLines() {
  const { t } = useTranslation('today')
  const requests = useOpenRequests() ?? []
  return requests.slice(0, SHOWN).map(({ RequestId, CaseId, By, Case }) => (
    <li key={RequestId}>
      <Link to="/cases/$caseId" params={{ caseId: CaseId }} className={styles['line']} data-line={`ask-${RequestId}`}>
        <Line icon="key" under={visible(Case?.Title ?? '')}>
          {t('accessRequest', { name: visible(personName(By)) })}
        </Line>
      </Link>
    </li>
  ))
}

/** Of tasks and of requests each. */
const SHOWN = 5

interface LineProps {
  readonly icon: IconName
  /** There are more than were counted. */
  readonly more?: boolean
  /** Below the name. */
  readonly under?: string
  readonly children: ReactNode
}

function Line({ icon, more = false, under = '', children }: LineProps) {
  const { t } = useTranslation('today')
  return (
    <>
      <Icon name={icon} className={styles['icon']} />
      <span className={styles['main']}>
        <span className={styles['name']}>{children}</span>
        {under !== '' && <span className={styles['under']}>{under}</span>}
        {more && <span className={styles['under']}>{t('orMore')}</span>}
      </span>
      <Icon name="chevron-right" size="small" className={styles['icon']} />
    </>
  )
}
