/**
 * The one vocabulary for how an evidence stands (guide, table of states): list, case, search, details and page use these shapes and words,
 * so that one item is never called by two of them. A further state is a line in each of the two tables.
 */
import { translate } from './translate.ts'
import type { EVIDENCE_STATUSES } from '../../shared/evidence/list.contract.ts'
import type { Format } from '../ui/format/use-format.tsx'
import type { State } from '../ui/state/state.tsx'

/**
 * `danger`: changed or missing, which lists do not tell apart; `deleted` is what lies in the recycle bin; `differs` is kept and does not fit
 * the hash in the camera's own list; `kept` is of a version of the past, of which nothing is measured any more.
 */
export type EvidenceStatus = (typeof EVIDENCE_STATUSES)[number] | 'deleted' | 'kept'

export const STATUS_STATES: Readonly<Record<EvidenceStatus, State>> = {
  danger: 'danger',
  differs: 'attention',
  attention: 'attention',
  deleted: 'attention',
  open: 'waiting',
  working: 'working',
  waiting: 'waiting',
  sealed: 'sealed',
  verified: 'ok',
  kept: 'ok',
}

const WORDS = {
  danger: 'evidenceDanger',
  differs: 'evidenceDiffers',
  attention: 'evidenceAttention',
  deleted: 'evidenceDeleted',
  open: 'evidenceOpen',
  working: 'evidenceWorking',
  waiting: 'evidenceWaiting',
  sealed: 'evidenceSealed',
  verified: 'evidenceVerified',
  kept: 'evidenceKept',
} as const satisfies Readonly<Record<EvidenceStatus, string>>

export const statusWord = (status: EvidenceStatus): string => translate('common', WORDS[status])

/** @param progress 0 to 1 of what is being made; null where no number is known */
export const statusWords = (
  status: EvidenceStatus,
  progress: number | null,
  format: Pick<Format, 'percent'>,
): string =>
  status === 'working' && progress !== null && progress > 0
    ? translate('common', 'evidenceWorkingPercent', { percent: format.percent(progress) })
    : statusWord(status)

interface Stored {
  readonly State: string
  readonly LifecycleState: string
  /** As the list of evidence has it; null of a version of the past. */
  readonly Status: (typeof EVIDENCE_STATUSES)[number] | null
}

/** Of what a case holds. */
export function statusInCase({ State, LifecycleState, Status }: Stored): EvidenceStatus {
  if (LifecycleState === 'Deleted') return 'deleted'
  if (Status !== null) return Status
  if (State === 'None') return 'open'
  return LifecycleState === 'Protected' ? 'sealed' : 'kept'
}
