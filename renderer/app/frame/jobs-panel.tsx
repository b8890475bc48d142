import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { cancelJob, type Job, retryJob, useJobs } from '../../client/jobs.ts'
import { useSession } from '../../client/session.tsx'
import { Button, IconButton } from '../../ui/button/button.tsx'
import { Drawer } from '../../ui/drawer/drawer.tsx'
import { EmptyState } from '../../ui/empty/empty.tsx'
import { ProgressBar } from '../../ui/progress/progress.tsx'
import { type State, StateMark } from '../../ui/state/state.tsx'
import { toasts } from '../../ui/toast/toast.tsx'
import { jobWord } from './job-words.ts'
import styles from './jobs-panel.module.css'

const GROUPS = [
  { label: 'jobsFailed', states: ['failed'] },
  { label: 'jobsRunning', states: ['running', 'queued'] },
  { label: 'jobsWaiting', states: ['waiting'] },
  { label: 'jobsDone', states: ['done', 'cancelled'] },
] as const

const MOST_DONE = 20

export default function JobsPanel({ onClose }: { readonly onClose: () => void }) {
  const { t } = useTranslation('frame')
  const jobs = useJobs()
  return (
    <Drawer title={t('jobsTitle')} onClose={onClose}>
      {jobs.length === 0 && <EmptyState title={t('jobsEmpty')}>{t('jobsEmptyBody')}</EmptyState>}
      {GROUPS.map(({ label, states }) => {
        const found = jobs.filter(({ State }) => (states as readonly string[]).includes(State))
        if (found.length === 0) return null
        return (
          <section key={label} aria-label={t(label)}>
            <h3 className={styles['head']}>
              {t(label)} <span className="muted">{found.length}</span>
            </h3>
            <ul>
              {found.slice(0, label === 'jobsDone' ? MOST_DONE : undefined).map((job) => (
                <JobRow key={job.JobId} job={job} />
              ))}
            </ul>
          </section>
        )
      })}
    </Drawer>
  )
}

function JobRow({ job }: { readonly job: Job }) {
  const { t } = useTranslation('frame')
  const { tenant } = useSession()
  const word = jobWord(job.Kind)
  const name = word === null ? job.Kind : t(word)
  const act = (work: (tenant: string, id: string) => Promise<Job>): void => {
    work(tenant, job.JobId).catch((error: unknown) => toasts.problem(error))
  }
  if (job.State === 'done')
    return (
      <li className={styles['job']}>
        <div className={styles['line']}>
          <span className={styles['name']}>{name}</span>
          <StateMark state="ok">{t('jobDone')}</StateMark>
        </div>
      </li>
    )
  const subject = /^(?:evidence|resource):(\d+)/.exec(job.Subject)
  return (
    <li className={styles['job']}>
      <div className={styles['line']}>
        <span className={styles['name']}>{name}</span>
        {(job.State === 'running' || job.State === 'queued' || job.State === 'waiting') && (
          <IconButton icon="x" label={t('jobCancel', { name })} size="small" onPress={() => act(cancelJob)} />
        )}
        {(job.State === 'failed' || job.State === 'cancelled') && (
          <Button size="small" icon="retry" onPress={() => act(retryJob)}>
            {t('jobRetry')}
          </Button>
        )}
      </div>
      {job.State === 'running' && (
        <ProgressBar label={name} value={job.Progress === null ? null : job.Progress * 100} state="working" />
      )}
      <div className={styles['line']}>
        <StateMark state={STATES[job.State]}>{wordsOf(job, t)}</StateMark>
        {subject !== null && job.Subject.startsWith('evidence:') && (
          <Link to="/evidence/$evidenceId" params={{ evidenceId: subject[1] ?? '' }} className="small">
            {t('jobOpen')}
          </Link>
        )}
      </div>
    </li>
  )
}

const STATES: Readonly<Record<Job['State'], State>> = {
  running: 'working',
  queued: 'waiting',
  waiting: 'waiting',
  done: 'ok',
  failed: 'attention',
  cancelled: 'waiting',
}

function wordsOf(job: Job, t: ReturnType<typeof useTranslation<'frame'>>['t']): string {
  switch (job.State) {
    case 'running':
      return job.Message === '' ? t('jobRunning') : job.Message
    case 'queued':
      return t('jobQueued')
    case 'waiting':
      return t('jobWaiting', { message: job.Message })
    case 'failed':
      return job.Message === '' ? t('jobFailed', { count: job.Attempts }) : job.Message
    case 'cancelled':
      return t('jobCancelled')
    case 'done':
      return t('jobDone')
  }
}
