/** What the station is making of an original, in words. */
import type { Translate } from '../../../../client/translate.ts'
import { INSPECT, jobsForShowing, kindOfJob, labelOf } from '../../../../../shared/media/derivations.ts'
import type { Job } from '../../../../client/jobs.ts'
import { BUSY, type Processing } from '../kinds.ts'
import type { Resource } from '../queries.ts'

export type Words = Translate<'evidencePage'>

const OTHER_JOBS = { [INSPECT]: 'makingInspect', 'fixity.check': 'makingCheck', 'media.clip': 'makingClip' } as const

export function makingWords(job: string, t: Words): string {
  const kind = kindOfJob(job)
  if (kind !== null) return t('making', { what: t(labelOf(kind)) })
  return Object.hasOwn(OTHER_JOBS, job) ? t(OTHER_JOBS[job as keyof typeof OTHER_JOBS]) : job
}

export interface Work {
  readonly kind: string
  readonly state: string
  /** 0 to 1; null where no number is known. */
  readonly progress: number | null
  /** The station's own words. */
  readonly message: string
  readonly jobId: string | null
}

/** Jobs as they go are newer than the record that was asked for some time ago. */
export function workOf({ ResourceId, Processing }: Resource, jobs: readonly Job[]): readonly Work[] {
  const subject = `resource:${ResourceId}`
  const live = jobs.filter(({ Subject }) => Subject === subject)
  const kinds = new Set([...Processing.map(({ Kind }) => Kind), ...live.map(({ Kind }) => Kind)])
  return [...kinds].map((kind) => {
    const job = live.find(({ Kind }) => Kind === kind)
    const said = Processing.find(({ Kind }) => Kind === kind) as Processing
    return job === undefined
      ? { kind, state: said.State, progress: said.Progress, message: said.Message, jobId: null }
      : { kind, state: job.State, progress: job.Progress, message: job.Message, jobId: job.JobId }
  })
}

/** What has to be there before anything can be shown, in the order in which it is made. */
const SHOWING = jobsForShowing('player', 'picture')

export const workForShowing = (work: readonly Work[]): Work | null =>
  SHOWING.flatMap((kind) => work.filter((one) => one.kind === kind && BUSY.has(one.state)))[0] ?? null

export const failureOfShowing = (work: readonly Work[]): Work | null =>
  work.find(({ kind, state }) => SHOWING.includes(kind) && state === 'failed') ?? null
