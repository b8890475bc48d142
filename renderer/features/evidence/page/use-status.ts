/** The state of an evidence, or of some of its files, as the page shows it in more than one place. */
import { STATUS_STATES, statusWords } from '../../../client/evidence-status.ts'
import { type Job, useJobs } from '../../../client/jobs.ts'
import { useFormat } from '../../../ui/format/use-format.tsx'
import type { State } from '../../../ui/state/state.tsx'
import type { Evidence, Resource } from './queries.ts'
import { statusOf } from './status.ts'

export interface ShownStatus {
  readonly state: State
  readonly word: string
}

export function useStatus(evidence: Evidence, resources: readonly Resource[]): ShownStatus {
  const format = useFormat()
  const jobs = useJobs()
  const { status, progress } = statusOf(
    evidence,
    resources.map((one) => withProgress(one, jobs)),
  )
  return { state: STATUS_STATES[status], word: statusWords(status, progress, format) }
}

/** Records are asked for again when a state changes, not with each step of the way. */
function withProgress(resource: Resource, jobs: readonly Job[]): Resource {
  const subject = `resource:${resource.ResourceId}`
  const Processing = resource.Processing.map((work) => {
    const job = jobs.find(
      ({ Subject, Kind, State }) => Subject === subject && Kind === work.Kind && State === 'running',
    )
    return job === undefined || work.State !== 'running' ? work : { ...work, Progress: job.Progress }
  })
  return { ...resource, Processing }
}
