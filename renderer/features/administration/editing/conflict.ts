/** When somebody saved first: what differs, and whose is taken (guide, Conflict). Pure. */

export type Whose = 'theirs' | 'yours'

export interface Difference<Draft> {
  readonly key: keyof Draft & string
  /** Whether you touched it at all. */
  readonly mine: boolean
  /** Whether they did. */
  readonly others: boolean
}

/** Whether two states are the same to whoever reads them. */
export const same = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other)

/** The members in which their state and yours differ; what both changed alike is none. */
export const differences = <Draft extends object>(
  was: Draft,
  theirs: Draft,
  yours: Draft,
): readonly Difference<Draft>[] =>
  (Object.keys(theirs) as (keyof Draft & string)[])
    .filter((key) => !same(theirs[key], yours[key]))
    .map((key) => ({ key, mine: !same(was[key], yours[key]), others: !same(was[key], theirs[key]) }))

/** Theirs where you changed nothing, else yours. */
export const firstChoice = ({ mine }: { readonly mine: boolean }): Whose => (mine ? 'yours' : 'theirs')

/** Their state with your choices in it. */
export const resolved = <Draft extends object>(
  theirs: Draft,
  yours: Draft,
  differing: readonly Difference<Draft>[],
  choices: ReadonlyMap<string, Whose>,
): Draft =>
  differing.reduce(
    (draft, one) =>
      (choices.get(one.key) ?? firstChoice(one)) === 'yours' ? { ...draft, [one.key]: yours[one.key] } : draft,
    theirs,
  )
