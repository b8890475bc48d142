/**
 * Whether a recipient has to be told something since their last disclosure: new evidence in the case, a file that is another one now, a ground that fell
 * away, a restriction that was set. Derived from the records and from what the case has now, and never stored. Pure.
 */
import type { DueReason } from '../../../shared/disclosure/kinds.ts'

/** A record to the recipient that no other one replaced. */
export interface StandingRecord {
  readonly no: number
  readonly items: readonly {
    readonly evidenceId: number
    readonly resourceId: number
    readonly sha256: string
    readonly version: string
  }[]
  readonly withheld: readonly {
    readonly evidenceId: number
    readonly resourceId: number | null
    readonly restrictionId: number | null
    /** Somebody recorded that its ground no longer applies. */
    readonly ended: boolean
  }[]
  /** Evidence that the case had then, and that was neither given nor withheld. */
  readonly others: readonly number[]
}

export interface FileNow {
  readonly resourceId: number
  readonly original: boolean
}

export interface EvidenceState {
  readonly inCase: boolean
  readonly deleted: boolean
  readonly restricted: boolean
  /** Complete ones. */
  readonly files: readonly FileNow[]
}

export interface DueInput {
  readonly records: readonly StandingRecord[]
  readonly evidence: ReadonlyMap<number, EvidenceState>
  /** Whether a file is another one now than it was when it was given. */
  readonly isChanged: (item: StandingRecord['items'][number]) => boolean
  /** Whether the recipient is told of restricted evidence at all. */
  readonly seesSensitive: boolean
}

export interface DueChange {
  readonly reason: DueReason
  readonly evidenceId: number
  readonly resourceId: number | null
}

type Item = StandingRecord['items'][number]
type Said =
  | {
      readonly kind: 'given'
      readonly items: Map<number, Item>
      readonly withheld: Set<number>
      /** Files whose ground no longer applies. */
      readonly fell: Set<number>
    }
  | { readonly kind: 'withheld'; readonly restrictionId: number | null; readonly ended: boolean }
  | { readonly kind: 'other' }

/** By evidence, what the recipient was told last. */
function lastSaid(records: readonly StandingRecord[]): Map<number, Said> {
  const said = new Map<number, Said>()
  const given = (id: number): Extract<Said, { kind: 'given' }> => {
    const known = said.get(id)
    if (known?.kind === 'given') return known
    const made = {
      kind: 'given',
      items: new Map<number, Item>(),
      withheld: new Set<number>(),
      fell: new Set<number>(),
    } as const
    said.set(id, made)
    return made
  }
  for (const { items, withheld, others } of records.toSorted((a, b) => a.no - b.no)) {
    for (const item of items) {
      const { items: known, withheld: held, fell } = given(item.evidenceId)
      known.set(item.resourceId, item)
      held.delete(item.resourceId)
      fell.delete(item.resourceId)
    }
    for (const { evidenceId, resourceId, restrictionId, ended } of withheld)
      if (resourceId === null) said.set(evidenceId, { kind: 'withheld', restrictionId, ended })
      else {
        const { items: known, withheld: held, fell } = given(evidenceId)
        known.delete(resourceId)
        held.add(resourceId)
        if (ended) fell.add(resourceId)
        else fell.delete(resourceId)
      }
    for (const id of others) if (!said.has(id)) said.set(id, { kind: 'other' })
  }
  return said
}

/** In the order of the evidence. */
export function supplementaryDue({ records, evidence, isChanged, seesSensitive }: DueInput): DueChange[] {
  const said = lastSaid(records)
  return [...evidence].sort(([a], [b]) => a - b).flatMap(([id, now]) => changesOf(id, now))

  function changesOf(evidenceId: number, now: EvidenceState): DueChange[] {
    if (now.deleted) return []
    const change = (reason: DueReason, resourceId: number | null = null): DueChange => ({
      reason,
      evidenceId,
      resourceId,
    })
    const told = said.get(evidenceId)
    const originals = now.files.filter(({ original }) => original)
    if (told === undefined)
      return now.inCase && originals.length > 0 && (!now.restricted || seesSensitive) ? [change('new')] : []
    if (told.kind === 'other') return []
    if (told.kind === 'withheld')
      return (told.restrictionId !== null || told.ended) && !now.restricted ? [change('ground-fell')] : []
    if (now.restricted) return [change('restricted')]
    return [
      ...[...told.items.values()].filter(isChanged).map(({ resourceId }) => change('changed', resourceId)),
      ...originals
        .filter(({ resourceId }) => !told.items.has(resourceId) && !told.withheld.has(resourceId))
        .map(({ resourceId }) => change('new', resourceId)),
      ...now.files
        .filter(({ resourceId }) => told.fell.has(resourceId))
        .map(({ resourceId }) => change('ground-fell', resourceId)),
    ]
  }
}
