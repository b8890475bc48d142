/** Why signed data does not hold, or cannot be made, in words that follow a colon. Without the parser: a station that signs nothing does not load it. */
export class SignatureProblem extends Error {
  override readonly name = 'SignatureProblem'
}
