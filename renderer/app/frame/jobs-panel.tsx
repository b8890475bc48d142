import { Link } from '@tanstack/react-router'
import { useTranslation } from '../../client/translate.ts'
import * as packages from '../../../shared/packages/contract.ts'
import { call } from '../../client/api.ts'
import { cancelJob, isPackageJob, type Job, retryJob, useJobs } from '../../client/jobs.ts'
import { useJobReasons } from '../../client/job-reasons.ts'
import { useSession } from '../../client/session.tsx'
import { Button, IconButton } from '../../ui/button/button.tsx'
import { Drawer } from '../../ui/drawer/drawer.tsx'
import { EmptyState } from '../../ui/empty/empty.tsx'
import { visible } from '../../ui/format/visible.ts'
import { ProgressBar } from '../../ui/progress/progress.tsx'
import { type State, StateMark } from '../../ui/state/state.tsx'
import { toasts } from '../../ui/toast/toast.tsx'
import { jobWord } from './job-labels.ts'
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
  const { title, what } = useJobWords(job)
  const say = useJobReasons()
  const act = (work: () => Promise<unknown>): void => void work().catch(toasts.problem)
  const ofPackage = isPackageJob(job)
  const params = { tenantId: tenant, packageId: job.Subject.replace('package:', '') }
  const stop = () => (ofPackage ? call(packages.stopPackage, { params }) : cancelJob(tenant, job.JobId))
  const again = () => (ofPackage ? call(packages.resumePackage, { params }) : retryJob(tenant, job.JobId))
  const going = job.State === 'running' || job.State === 'queued' || job.State === 'waiting'
  const ended = job.State === 'failed' || job.State === 'cancelled'
  // Offered where it is not known that it would be refused.
  const may = job.Evidence?.MayChange ?? true
  return (
    <li className={styles['job']}>
      <div className={styles['line']}>
        <bdi className={styles['name']} title={title}>
          {title}
        </bdi>
        {going && may && (
          <IconButton icon="x" label={t('jobCancel', { name: title })} size="small" onPress={() => act(stop)} />
        )}
      </div>
      {what !== null && <p className={styles['what']}>{what}</p>}
      {job.State === 'running' && (
        <ProgressBar label={title} value={job.Progress === null ? null : job.Progress * 100} state="working" />
      )}
      <div className={styles['state']}>
        <StateMark state={STATES[job.State]}>{t(STATE_WORDS[job.State])}</StateMark>
      </div>
      {job.Message !== '' && job.State !== 'done' && <p className={styles['message']}>{visible(say(job.Message))}</p>}
      {job.State === 'failed' && job.Message === '' && (
        <p className={styles['message']}>{t('jobTries', { count: job.Attempts })}</p>
      )}
      {(job.Evidence !== null || ofPackage || ended) && job.State !== 'done' && (
        <div className={styles['acts']}>
          {ended && may && (
            <Button size="small" icon="retry" onPress={() => act(again)}>
              {t('jobRetry')}
            </Button>
          )}
          {job.Evidence !== null && (
            <Link
              to="/evidence/$evidenceId"
              params={{ evidenceId: job.Evidence.EvidenceId }}
              className={styles['open']}
            >
              {t('jobOpen')}
            </Link>
          )}
          {ofPackage && (
            <Link to="/packages" className={styles['open']}>
              {t('jobPackages')}
            </Link>
          )}
        </div>
      )}
    </li>
  )
}

/** The file first, for that is what somebody looks for; then what is done with it. */
function useJobWords({ Kind, Evidence }: Job): { readonly title: string; readonly what: string | null } {
  const { t } = useTranslation('frame')
  const word = jobWord(Kind)
  const what = word === null ? Kind : t(word)
  return Evidence === null ? { title: what, what: null } : { title: visible(Evidence.FileName ?? Evidence.Name), what }
}

const STATES: Readonly<Record<Job['State'], State>> = {
  running: 'working',
  queued: 'waiting',
  waiting: 'waiting',
  done: 'ok',
  failed: 'attention',
  cancelled: 'waiting',
}

const STATE_WORDS = {
  running: 'jobRunning',
  queued: 'jobQueued',
  waiting: 'jobWaiting',
  done: 'jobDone',
  failed: 'jobFailed',
  cancelled: 'jobCancelled',
} as const satisfies Readonly<Record<Job['State'], string>>
