/** The one word for the whole evidence, by the rule of the list (migrations/first-release/evidence-list.ts). Pure. */
import type { EvidenceStatus } from '../../../client/evidence-status.ts'
import type { Evidence, Resource } from './queries.ts'
import { isOriginal, originalOf, type Processing } from './kinds.ts'

export type Status = Exclude<EvidenceStatus, 'kept'>

export interface StatusFound {
  readonly status: Status
  /** 0 to 1 of what is being made; null where no number is known. */
  readonly progress: number | null
}

export function statusOf(
  evidence: Pick<Evidence, 'State' | 'LifecycleState'>,
  resources: readonly Resource[],
): StatusFound {
  const found = (status: Status, progress: number | null = null): StatusFound => ({ status, progress })
  if (evidence.LifecycleState === 'Deleted') return found('deleted')
  const results = resources.map(({ LastCheck }) => LastCheck?.Result)
  if (results.includes('missing') || results.includes('changed')) return found('danger')
  const originals = resources.filter(isOriginal)
  const unfinished = originals.some(({ State }) => State === 'None')
  if (unfinished || (evidence.State === 'None' && originals.length === 0)) return found('open')
  if (originals.some(({ CameraSha256 }) => CameraSha256 !== null)) return found('differs')
  const work = resources.flatMap(({ Processing }) => Processing.filter(({ Kind }) => Kind.startsWith('derive.')))
  if (work.some((one) => one.State === 'running' || isNext(one))) {
    const known = work.flatMap(({ State, Progress }) => (State === 'running' && Progress !== null ? [Progress] : []))
    return found('working', known.length === 0 ? null : Math.min(...known))
  }
  if (work.some(({ State }) => State === 'failed') || originals.some(({ State }) => State === 'Failed'))
    return found('attention')
  if (work.some(({ State }) => State === 'waiting' || State === 'queued')) return found('waiting')
  return found(evidence.LifecycleState === 'Protected' ? 'sealed' : 'verified')
}

/** What failed and is tried again waits for its time, and says so; anything else that is queued begins as soon as there is room. */
const isNext = ({ State, Message }: Processing): boolean => State === 'queued' && Message === ''

/** A file with all that was made from it: its own state follows from these by the same rule. */
export function withWhatWasMade(file: Resource, resources: readonly Resource[]): readonly Resource[] {
  const { ResourceId } = originalOf(file, resources)
  return resources.filter((one) => originalOf(one, resources).ResourceId === ResourceId)
}
