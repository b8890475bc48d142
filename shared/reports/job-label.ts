/** The name of a job in the catalogue of the page of an evidence; null for a kind that has none. Pure. */
import { INSPECT, kindOfJob, labelOf } from '../media/derivations.ts'

export function jobLabelKey(job: string): string | null {
  if (job === INSPECT) return 'actResourceInspected'
  const kind = kindOfJob(job)
  return kind === null ? null : labelOf(kind)
}
