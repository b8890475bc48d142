/** When somebody saved first: what differs, and whose is taken (guide, Conflict). Pure. */
import { type Draft, type Part, partKey, partsOf, same, valueOf, withValue } from './fields.ts'

export type Whose = 'theirs' | 'yours'

export interface Difference {
  readonly part: Part
  readonly key: string
  readonly was: string | readonly string[]
  readonly theirs: string | readonly string[]
  readonly yours: string | readonly string[]
  /** Whether you touched it at all. */
  readonly mine: boolean
  /** Whether they did. */
  readonly others: boolean
}

/** The parts in which their state and yours differ; what both changed alike is none. */
export function differences(was: Draft, theirs: Draft, yours: Draft): readonly Difference[] {
  return partsOf(was, theirs, yours).flatMap((part) => {
    const [before, their, your] = [was, theirs, yours].map((draft) => valueOf(draft, part)) as [
      string | readonly string[],
      string | readonly string[],
      string | readonly string[],
    ]
    if (same(their, your)) return []
    return [
      {
        part,
        key: partKey(part),
        was: before,
        theirs: their,
        yours: your,
        mine: !same(before, your),
        others: !same(before, their),
      },
    ]
  })
}

/** Theirs where you changed nothing, else yours. */
export const firstChoice = ({ mine }: Difference): Whose => (mine ? 'yours' : 'theirs')

/** Their state with your choices in it. */
export function resolved(theirs: Draft, differing: readonly Difference[], choices: ReadonlyMap<string, Whose>): Draft {
  return differing.reduce(
    (draft, one) =>
      (choices.get(one.key) ?? firstChoice(one)) === 'yours' ? withValue(draft, one.part, one.yours) : draft,
    theirs,
  )
}
