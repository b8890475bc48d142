/** When somebody saved first: whose is taken (guide, Conflict). Pure. */

export type Whose = 'theirs' | 'yours'

/** Which of two people touched a member. */
export interface Touched {
  readonly key: string
  /** Whether you touched it at all. */
  readonly mine: boolean
  /** Whether they did. */
  readonly others: boolean
}

/** Theirs where you changed nothing, else yours. */
export const firstChoice = ({ mine }: Pick<Touched, 'mine'>): Whose => (mine ? 'yours' : 'theirs')

export type Choices = ReadonlyMap<string, Whose>
export const chosenIn = (choices: Choices, one: Touched): Whose => choices.get(one.key) ?? firstChoice(one)

/** Whether two states are the same to whoever reads them. */
export const same = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other)
