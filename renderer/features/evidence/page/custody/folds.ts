/** Looks of one person one after the other are one line until somebody wants them all. Pure. */
import type { Entry } from '../queries.ts'

export interface Fold {
  readonly entries: readonly Entry[]
}

const LOOKS: ReadonlySet<string> = new Set([
  'evidence.read',
  'evidence.duplicates',
  'evidence.relations',
  'resource.read',
  'resource.listed',
  'resource.previewed',
  'resource.thumbnail',
  'ledger.read',
  'list.read',
  'job.read',
])
/** Fewer are shown as they are. */
const LEAST = 3

const isLook = ({ Action, Outcome }: Entry): boolean => Outcome === 'ok' && LOOKS.has(Action)

/** In order; a fold of one entry is that entry. @param sameDay whether two instants stand on one day of the station's zone */
export function folded(entries: readonly Entry[], sameDay: (one: string, other: string) => boolean): readonly Fold[] {
  const folds: Entry[][] = []
  for (const entry of entries) {
    const last = folds.at(-1)
    const [first] = last ?? []
    const joins =
      last !== undefined &&
      first !== undefined &&
      isLook(entry) &&
      isLook(first) &&
      entry.Actor.Id === first.Actor.Id &&
      entry.Actor.Kind === first.Actor.Kind &&
      sameDay(entry.TimeUtc, first.TimeUtc)
    if (joins) last.push(entry)
    else folds.push([entry])
  }
  return folds.flatMap((fold) =>
    fold.length < LEAST ? fold.map((entry) => ({ entries: [entry] })) : [{ entries: fold }],
  )
}
