/** What a walk through folders finds. */

export interface FoundFile {
  readonly kind: 'file'
  /** Absolute, for people: bytes that are not UTF-8 are escaped. */
  readonly path: string
  /** The same as bytes: what to open. A name that is not UTF-8 is reachable in no other way. */
  readonly location: Buffer
  /** The last component of `path`. */
  readonly name: string
  /** Bytes, when looked at. */
  readonly length: number
  /** Bytes that lie on the disk: fewer than `length` in a file with holes. */
  readonly allocated: number
  readonly modifiedNs: bigint
  /** The volume it lies on. */
  readonly device: bigint
  /** Another name of its folder differs from this one in case or normal form only. */
  readonly twin: boolean
}

/** A folder that was entered, before what is in it. */
export interface FoundFolder {
  readonly kind: 'folder'
  readonly path: string
  readonly location: Buffer
}

/** `foreign`: by nature no file of this volume. `too-deep`, `too-many`: beyond the limits. `unreadable`: the system did not give it. */
export type SkipOutcome = 'foreign' | 'too-deep' | 'too-many' | 'unreadable'

/** Nothing is left out without one of these: what a receipt does not list would be believed copied. */
export interface Skipped {
  readonly kind: 'skipped'
  readonly path: string
  readonly location: Buffer
  readonly outcome: SkipOutcome
  /** For a person, in a sentence. */
  readonly reason: string
}

export type WalkEntry = FoundFile | Skipped
