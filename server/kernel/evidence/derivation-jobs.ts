import {
  type DerivationKind,
  DERIVATIONS,
  INSPECT,
  isView,
  jobKindOf,
  kindOfJob,
} from '../../../shared/media/derivations.ts'
import { jobKind, type JobKind, type NewJob } from '../jobs/types.ts'

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

export type ResourcePayload = { readonly resourceId: string }

export const INSPECT_JOB = jobKind<ResourcePayload>(INSPECT, 'any node')
export const derivationJobKind = (kind: DerivationKind): JobKind<ResourcePayload> =>
  jobKind(jobKindOf(kind), 'any node')

/** One job of a kind for one resource; a second one like it is not made while it has not ended. */
const jobFor = ({ name, newJob }: JobKind<ResourcePayload>, resourceId: number): NewJob =>
  newJob(
    { resourceId: String(resourceId) },
    { subject: `resource:${resourceId}`, key: `${name}:${resourceId}`, order: orderOf(name, resourceId) },
  )

export const derivationJob = (kind: DerivationKind, resourceId: number): NewJob =>
  jobFor(derivationJobKind(kind), resourceId)
export const inspectJob = (resourceId: number): NewJob => jobFor(INSPECT_JOB, resourceId)
