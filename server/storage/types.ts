import type { Readable } from 'node:stream'
import type { ReadThrough } from '../platform/files/aligned.ts'
import type { StorageFault } from './faults.ts'
import type { Pace } from './workers/messages.ts'

/** Copied in one go, or in several. */
export interface ResumedBlob extends StagedBlob {
  /** The byte at which an earlier attempt was resumed; 0 where there was none. */
  readonly resumedFrom: number
}

/** Durable (synced) and read back, still under a temporary name. */
export interface StagedBlob {
  readonly path: string
  readonly sha256: string
  readonly length: number
  /** `cache`: the filesystem does not let the page cache be passed; a receipt says so, and no camera is cleared on it. */
  readonly readBack: ReadThrough
}

/** In its place, where a power cut leaves it. No row names it before the caller's transaction. */
export interface PlacedBlob {
  readonly sha256: string
  readonly length: number
  readonly readBack: ReadThrough
  /** The same bytes were there; they were read and compared before the second copy went. */
  readonly existed: boolean
  /** A damaged blob lay in the place and is now in quarantine. The caller reports it. */
  readonly replaced?: Quarantined
}

/** Bytes put aside, with a `.json` beside them that says the same. Emptied only by disposition (decisions 6). */
export interface Quarantined {
  readonly path: string
  /** Null where they were not read. */
  readonly sha256: string | null
  readonly length: number
  readonly reason: string
  readonly timeUtc: string
}

/** A stretch of a file as it was acknowledged; every sum given is compared. See `pieceDigest` for which to give. */
export interface PieceDigest {
  readonly offset: number
  readonly length: number
  readonly sha256?: string
  readonly crc32?: number
}

/** A piece that lies at `offset` of the file at `path`. */
export interface Piece extends PieceDigest {
  readonly path: string
}

export interface WorkOptions {
  readonly signal?: AbortSignal
  /** Bytes done of all; reading back counts, so a copy's total is twice its length. `total` is 0 while it is not known. */
  readonly onProgress?: (done: number, total: number) => void
}

export interface CopyOptions extends WorkOptions {
  /** What the caller expects of the source. A source that differs is refused. */
  readonly expect?: { readonly length?: number; readonly sha256?: string }
}

export interface OpenBlob {
  readonly size: number
  /** Both ends inclusive; all without. Its descriptor is closed when it ends, fails or is destroyed. @throws RangeError */
  stream(start?: number, endInclusive?: number): Readable
  /** Destroys the streams that still run. Not needed otherwise: nothing is open without a stream. */
  close(): void
}

export interface Verified {
  readonly result: 'ok' | 'changed' | 'missing'
  /** What the bytes hash to now; null when missing or unreadable. */
  readonly found: string | null
  readonly length: number | null
  readonly readBack: ReadThrough
  /** Why they could not be read. */
  readonly problem: string | null
}

export interface Difference {
  readonly kind: 'changed' | 'missing' | 'untracked'
  /** Null for a file that is not named by a SHA-256. */
  readonly sha256: string | null
  readonly path: string
  readonly found: string | null
  readonly problem: string | null
}

export interface CompareOptions {
  /** All that should be there, in ascending order of `sha256`. @throws when they are not */
  readonly rows: AsyncIterable<{ readonly sha256: string; readonly length: number }>
  /** Asked again before something is called untracked: its row may have been committed after `rows` had passed it. */
  readonly isKnown: (sha256: string) => Promise<boolean>
  /** False: names and lengths only. */
  readonly read?: boolean
  /** Most bytes a second to read; no limit without. */
  readonly bytesPerSecond?: number
  /** Files read at the same time. */
  readonly lanes?: number
  readonly signal?: AbortSignal
  /** Rows and bytes done. */
  readonly onProgress?: (rows: number, bytes: number) => void
}

export interface RecoveryReport {
  readonly temporariesRemoved: number
  readonly uploadsKept: number
  /** Intents of an earlier run whose blob a row knows. */
  readonly intentsSettled: number
  readonly quarantined: readonly Quarantined[]
  /** A row knows it and it is not there: an alarm. */
  readonly missing: readonly string[]
}

export interface BlobStore {
  readonly root: string
  /** Whether this volume can be read past the page cache. */
  readonly readBack: ReadThrough
  /** A sentence where the folders of the store are gone, or lie on another volume than when it was opened; null: they are there. */
  whyAway(): Promise<string | null>
  /** @throws on anything but 64 lower-case hexadecimal digits */
  pathOf(sha256: string): string
  /** A private folder (0700) in staging for tools to write in. */
  temporary(label: string): Promise<{ readonly dir: string; dispose(): Promise<void> }>
  /**
   * Copies a file of anybody's (its name as bytes where it is not UTF-8): one pass that writes and hashes, fsync, read back from the disk.
   * The source's links are not followed; one that changes meanwhile is refused, never cut short.
   * @throws StorageFault: SourceMissing, SourceNotRegular, SourceUnreadable, SourceChanged, NotAsExpected, NoSpace, ReadBackMismatch …
   */
  copyIn(source: string | Uint8Array, options?: CopyOptions): Promise<StagedBlob>
  /**
   * The same for a source that may go away and come back. A partial copy is kept, across starts too, until `discardPartialCopies`. Before it
   * is resumed it is hashed again and compared with the source (workers/copy-resumable.ts). A source that differs is copied from the start.
   * @param key letters, digits and dashes; one attempt at a time
   */
  copyResumable(source: string | Uint8Array, key: string, options?: CopyOptions): Promise<ResumedBlob>
  /** Removes partial copies that no session waits for. @param waited tells of a key whether a session waits for it */
  discardPartialCopies(waited: (key: string) => boolean): Promise<void>
  /**
   * Takes over a file that lies in staging already: fsync, then one pass from the disk that hashes the whole and compares `pieces`
   * (in order, without overlap). The file stays where it is on failure too. @throws StorageFault: PieceMismatch …
   */
  adopt(
    pathInStaging: string,
    options?: WorkOptions & { readonly pieces?: readonly PieceDigest[] },
  ): Promise<StagedBlob>
  /** Copies pieces, one behind the other, into a new file; each is compared, the result synced and read back. @throws StorageFault: PieceMismatch … */
  adoptPieces(pieces: readonly Piece[], options?: WorkOptions): Promise<StagedBlob>
  /**
   * The plaintext of an encrypted upload (AES-256-CBC, PKCS7) as a new staged file, synced and read back; the ciphertext stays.
   * @throws StorageFault NotDecryptable, ReadBackMismatch, NoSpace …
   */
  decrypt(
    cipher: StagedBlob,
    secret: { readonly key: Uint8Array; readonly iv: Uint8Array },
    options?: WorkOptions,
  ): Promise<StagedBlob>
  /**
   * Intent, rename into place, fsync of the folder and new parents. Then the caller's ONE transaction, then `confirm`; `abandon` when the
   * transaction was rolled back, neither when its outcome is unknown: `recover` asks the database.
   */
  place(staged: StagedBlob): Promise<PlacedBlob>
  /** Only after the commit. Never fails: an intent that stays is settled at the next start. */
  confirm(placed: PlacedBlob): Promise<void>
  /** After a rollback that is certain: a blob that nothing else needs goes to quarantine. @returns it, or null */
  abandon(
    placed: PlacedBlob,
    isKnown: (sha256: string) => Promise<boolean>,
    reason: string,
  ): Promise<Quarantined | null>
  /** Removes a staged file that is not going to be placed. */
  discard(staged: StagedBlob): Promise<void>
  /** Puts a staged file, any file in staging, or a blob (by its SHA-256) aside. @throws StorageFault */
  quarantine(what: StagedBlob | string, reason: string): Promise<Quarantined>
  /**
   * Removes a blob for good and syncs its folder. Only disposition does that, and only after the commit that took its row away.
   * @param isKnown asked while no other task works on these bytes
   * @returns `kept` where a row names it (again); `busy` while a request is about to give it one: try again later
   */
  remove(sha256: string, isKnown: (sha256: string) => Promise<boolean>): Promise<'removed' | 'kept' | 'busy'>
  /** Removes bytes from quarantine for good, with their description. Safe to repeat. Only after the commit that released them. */
  removeQuarantined(path: string): Promise<void>
  /**
   * Puts an orphan aside, as `compare` found it. @param path below the root, outside the store's own folders
   * @returns null when it got an intent or a row meanwhile, or is gone @throws StorageFault
   */
  setAside(path: string, isKnown: (sha256: string) => Promise<boolean>, reason: string): Promise<Quarantined | null>
  /** @throws StorageFault BlobMissing */
  open(sha256: string): Promise<OpenBlob>
  /** Reads a blob from the disk. `bytesPerSecond`: no faster than that; in shared memory it counts as it is at each moment. */
  verifyBlob(sha256: string, options?: WorkOptions & { readonly bytesPerSecond?: Pace }): Promise<Verified>
  /** Reads a foreign file; as `copyIn` without the copy. */
  hashFile(
    source: string | Uint8Array,
    options?: WorkOptions,
  ): Promise<{ readonly sha256: string; readonly length: number }>
  /** The full comparison of rows and blobs, as a job that can take days. Yields differences only. */
  compare(options: CompareOptions): AsyncGenerator<Difference, void, undefined>
  /**
   * Before ready, and before anything else.
   * @param liveUploads names of the folders in staging that belong to open uploads
   * @param requireOwn asked before each removal; throws where the folder is another station's by now
   */
  recover(
    isKnown: (sha256: string) => Promise<boolean>,
    liveUploads: Iterable<string>,
    requireOwn?: () => Promise<void>,
  ): Promise<RecoveryReport>
  freeBytes(): Promise<number>
  /** Waits for what is under way. */
  close(): Promise<void>
}

export interface StoreOptions {
  /** On one volume, with nothing else in it. */
  root: string
  /** Threads; 2 are enough for disks, more when many slow cameras are read at once. */
  workers?: number
  /** Threads of the process for files (server/config/file-threads.ts); 4 when not given. A fifth of them is left to everybody else. */
  fileThreads?: number
  /** Free bytes that no new file may go below (decisions 12). */
  minFreeBytes?: number
  /** Told once, when an outcome became unknown: from then on the store refuses everything that writes. */
  onUnknownOutcome?: (fault: StorageFault) => void
  /** Things that went wrong without harm: a temporary that stays behind, a description that was not written. For the log. */
  onProblem?: (fault: StorageFault) => void
  /** Milliseconds since 1970. */
  now: () => number
}
