/** When somebody saved first: what differs, and their state with your choices in it (guide, Conflict). Pure. */
import { type Choices, chosenIn, same, type Touched } from '../../../ui/conflict/choice.ts'
import { type Draft, type Part, partKey, partsOf, valueOf, withValue } from '../fields.ts'

export interface Difference extends Touched {
  readonly part: Part
  readonly was: string | readonly string[]
  readonly theirs: string | readonly string[]
  readonly yours: string | readonly string[]
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

/** Their state with your choices in it. */
export function resolved(theirs: Draft, differing: readonly Difference[], choices: Choices): Draft {
  return differing.reduce(
    (draft, one) => (chosenIn(choices, one) === 'yours' ? withValue(draft, one.part, one.yours) : draft),
    theirs,
  )
}
