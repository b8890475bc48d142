import { INSPECT, kindOfJob, labelOf } from '../../../shared/media/derivations.ts'

const OTHER_JOBS = {
  [INSPECT]: 'jobKindInspect',
  'fixity.check': 'jobKindCheck',
  'media.clip': 'jobKindClip',
  'package.make': 'jobKindPackage',
} as const

/** The key of what a job does, in words. A kind without one is shown as it is called. */
export function jobWord(job: string) {
  const kind = kindOfJob(job)
  if (kind !== null) return labelOf(kind)
  return Object.hasOwn(OTHER_JOBS, job) ? OTHER_JOBS[job as keyof typeof OTHER_JOBS] : null
}
