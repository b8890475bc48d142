/** The one word for the whole evidence, by the rule of the list (migrations/0002-list.ts). Pure. */
import type { EvidenceStatus } from '../../../client/evidence-status.ts'
import type { Evidence, Resource } from './data.ts'
import { isOriginal } from './kinds.ts'

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
  if (results.includes('missing')) return found('missing')
  if (results.includes('changed')) return found('danger')
  const originals = resources.filter(isOriginal)
  const unfinished = originals.some(({ State }) => State === 'None')
  if (unfinished || (evidence.State === 'None' && originals.length === 0)) return found('open')
  if (originals.some(({ CameraSha256 }) => CameraSha256 !== null)) return found('differs')
  const work = resources.flatMap(({ Processing }) => Processing.filter(({ Kind }) => Kind.startsWith('derive.')))
  const running = work.filter(({ State }) => State === 'running' || State === 'queued')
  if (running.length > 0) {
    const known = running.flatMap(({ Progress }) => (Progress === null ? [] : [Progress]))
    return found('working', known.length === 0 ? null : Math.min(...known))
  }
  if (work.some(({ State }) => State === 'failed') || originals.some(({ State }) => State === 'Failed'))
    return found('attention')
  if (work.some(({ State }) => State === 'waiting')) return found('waiting')
  return found(evidence.LifecycleState === 'Protected' ? 'sealed' : 'verified')
}
