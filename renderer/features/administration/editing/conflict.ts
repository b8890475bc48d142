/** When somebody saved first: what differs, and their state with your choices in it (guide, Conflict). Pure. */
import { type Choices, chosenIn, same, type Touched } from '../../../ui/conflict/choice.ts'

export interface Difference<Draft> extends Touched {
  readonly key: keyof Draft & string
}

/** The members in which their state and yours differ; what both changed alike is none. */
export const differences = <Draft extends object>(
  was: Draft,
  theirs: Draft,
  yours: Draft,
): readonly Difference<Draft>[] =>
  (Object.keys(theirs) as (keyof Draft & string)[])
    .filter((key) => !same(theirs[key], yours[key]))
    .map((key) => ({ key, mine: !same(was[key], yours[key]), others: !same(was[key], theirs[key]) }))

/** Their state with your choices in it. */
export const resolved = <Draft extends object>(
  theirs: Draft,
  yours: Draft,
  differing: readonly Difference<Draft>[],
  choices: Choices,
): Draft =>
  differing.reduce(
    (draft, one) => (chosenIn(choices, one) === 'yours' ? { ...draft, [one.key]: yours[one.key] } : draft),
    theirs,
  )
