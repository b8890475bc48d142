/** Guards that no test can miss when they are out, and why. They count as survivors all the same (S19). */
export interface Survivor {
  readonly file: string
  /** The guard's text, with white space folded. */
  readonly text: string
  readonly why: string
}

export const SURVIVORS: readonly Survivor[] = [
  {
    file: 'server/interfaces/tokens/access-token.ts',
    text: "typeof header['typ'] !== 'string'",
    why: 'For the types only: what is no string does not look like at+jwt, which is asked next.',
  },
  {
    file: 'server/interfaces/tokens/assertion.ts',
    text: "typeof value === 'number'",
    why: 'For the types only: Number.isFinite is false for everything that is no number.',
  },
]
