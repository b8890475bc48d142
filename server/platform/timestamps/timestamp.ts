/** A timestamp (RFC 3161), without the parser: a station that asks for none does not load it. */

/** An answer that does not hold, or a refusal, with its reason. */
export class TimestampRefused extends Error {
  override readonly name = 'TimestampRefused'
}

export interface Timestamp {
  readonly timeUtc: string
  /** As its certificate names the authority. */
  readonly authority: string
  /** Hexadecimal. */
  readonly serial: string
}
