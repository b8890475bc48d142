import {
  type DerivationKind,
  DERIVATIONS,
  INSPECT,
  isView,
  jobKindOf,
  kindOfJob,
} from '../../../shared/media/derivations.ts'
import type { NewJob } from '../jobs/types.ts'

/** More than resources there can be, so that a stage never reaches into the next. */
const STAGE_SIZE = 2 ** 40

/**
 * What people look for first is made first, for all evidence: what a file is and a picture of it; then what plays; then views. Within a stage
 * the newest evidence comes first.
 */
export const orderOf = (jobKind: string, resourceId: number): number => stageOf(jobKind) * STAGE_SIZE - resourceId

function stageOf(jobKind: string): number {
  const kind = kindOfJob(jobKind)
  if (kind === null) return 1
  return isView(kind) ? 3 : DERIVATIONS[kind].shown === 'player' ? 2 : 1
}

/** One job of a kind for one resource; a second one like it is not made while it has not ended. */
const jobFor = (kind: string, resourceId: number): NewJob => ({
  kind,
  payload: { resourceId: String(resourceId) },
  subject: `resource:${resourceId}`,
  key: `${kind}:${resourceId}`,
  order: orderOf(kind, resourceId),
})

export const derivationJob = (kind: DerivationKind, resourceId: number): NewJob => jobFor(jobKindOf(kind), resourceId)
export const inspectJob = (resourceId: number): NewJob => jobFor(INSPECT, resourceId)
