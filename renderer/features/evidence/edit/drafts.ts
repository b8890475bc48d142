/** What is typed into the parts of one evidence and not saved yet, as it is kept in this tab. */
import { draftKept, keepDraft } from '../../../client/drafts.ts'
import { type Beside, type Part, tidied } from './parts.ts'

/** Where a part is open: in the header of the page, or in its details. */
export type Place = 'head' | 'details'

export interface Draft {
  readonly part: Part
  readonly place: Place
  /** As it was when the typing began. */
  readonly was: string
  readonly value: string
  readonly beside: Beside
  /** Typed before a reload, or before the sign-in ended. */
  readonly restored: boolean
}

export type Drafts = ReadonlyMap<Part, Draft>

export const isTyped = ({ part, was, value, beside }: Draft): boolean =>
  tidied(part, value) !== tidied(part, was) || (beside.reason ?? '').trim() !== ''

const keyOf = (evidenceId: string): string => `evidence-${evidenceId}`

function isDraft(value: unknown): value is Draft {
  if (typeof value !== 'object' || value === null) return false
  const { part, was, value: typed, beside, place } = value as Partial<Record<keyof Draft, unknown>>
  const texts = [part, was, typed].every((one) => typeof one === 'string')
  return texts && typeof beside === 'object' && beside !== null && (place === 'head' || place === 'details')
}

export function keptDrafts(evidenceId: string, owner: string): Drafts {
  const kept = draftKept(keyOf(evidenceId), owner)
  const drafts = Array.isArray(kept) ? kept.filter(isDraft) : []
  return new Map(drafts.map((draft) => [draft.part, { ...draft, restored: true }]))
}

export function keepDrafts(evidenceId: string, owner: string, drafts: Drafts): void {
  const typed = [...drafts.values()].filter(isTyped)
  keepDraft(keyOf(evidenceId), owner, typed.length === 0 ? undefined : typed)
}
