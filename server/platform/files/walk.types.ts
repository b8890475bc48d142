/** Entries of a walk through folders. */

export interface FoundFile {
  readonly kind: 'file'
  /** Absolute path for people; bytes that are not UTF-8 are escaped. */
  readonly path: string
  /** The same path as bytes, for opening. A file whose name is not UTF-8 can be opened only with it. */
  readonly location: Buffer
  /** The last component of `path`. */
  readonly name: string
  /** Length in bytes at the time of the walk. */
  readonly length: number
  /** Bytes on the disk; fewer than `length` for a sparse file. */
  readonly allocated: number
  readonly modifiedNs: bigint
  /** Device number of its volume. */
  readonly device: bigint
  /** Another name of its folder differs from this one in case or normal form only. */
  readonly twin: boolean
}

/** An entered folder; it precedes its entries. */
export interface FoundFolder {
  readonly kind: 'folder'
  readonly path: string
  readonly location: Buffer
}

/** `foreign`: not a regular file of this volume. `too-deep`, `too-many`: beyond the limits. `unreadable`: the system reported an error. */
export type SkipOutcome = 'foreign' | 'too-deep' | 'too-many' | 'unreadable'

/** A skipped entry. Every entry that is left out has one, since an entry missing from a receipt would be taken for copied. */
export interface Skipped {
  readonly kind: 'skipped'
  readonly path: string
  readonly location: Buffer
  readonly outcome: SkipOutcome
  /** A sentence for people. */
  readonly reason: string
}

export type WalkEntry = FoundFile | Skipped
