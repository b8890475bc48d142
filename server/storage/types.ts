import type { Readable } from 'node:stream'
import type { ReadThrough } from '../platform/files/aligned.ts'
import type { StorageFault } from './faults.ts'
import type { Pace } from './workers/messages.ts'

/** A staged blob that was copied in one or several attempts. */
export interface ResumedBlob extends StagedBlob {
  /** The byte at which an earlier attempt was resumed; 0 without one. */
  readonly resumedFrom: number
}

/** One of the objects of an object store that are, one after the other, the bytes of a staged file. */
export interface StagedObject {
  readonly key: string
  readonly length: number
}

/** A file that is synced and read back, still under a temporary name. */
export interface StagedBlob {
  /** Where `objects` is given: the place in the object store below which they lie. */
  readonly path: string
  /** Its bytes lie in an object store, and not on this machine. */
  readonly objects?: readonly StagedObject[]
  readonly sha256: string
  readonly length: number
  /** `cache`: the filesystem cannot bypass the page cache. Receipts say so, and no camera is cleared on this proof. */
  readonly readBack: ReadThrough
}

/** A blob that is durable in its place. No row names it before the caller's transaction. */
export interface PlacedBlob {
  readonly sha256: string
  readonly length: number
  readonly readBack: ReadThrough
  /** The same bytes existed. They were read and compared before the second copy was removed. */
  readonly existed: boolean
  /** The damaged blob that was in the place and is now in quarantine. The caller reports it. */
  readonly replaced?: Quarantined
}

/** Bytes in quarantine, with a `.json` file beside them that has the same description. Only disposition removes them (decisions 6). */
export interface Quarantined {
  readonly path: string
  /** Null when the bytes were not read. */
  readonly sha256: string | null
  readonly length: number
  readonly reason: string
  readonly timeUtc: string
}

/** A part of a file as acknowledged. Every given checksum is compared; see `pieceDigest` for which one to give. */
export interface PieceDigest {
  readonly offset: number
  readonly length: number
  readonly sha256?: string
  readonly crc32?: number
}

/** A piece at `offset` of the file at `path`. */
export interface Piece extends PieceDigest {
  readonly path: string
}

/** A block of an upload as it was acknowledged, under the name that `keep` was given. */
export interface StagedBlock {
  readonly file: string
  readonly length: number
  readonly sha256: string
  readonly crc32: number
}

/**
 * Blocks of open uploads as objects, so that each may arrive at another node. Nothing is known of them here: the rows of uploads say which
 * are needed. A name is a random one that is used once; ids that a sender chose are never part of it.
 */
export interface StagedBlocks {
  /** Stores a file of this machine, and reads it back and hashes it. The file stays. @throws StorageFault StoreAway, NoSpace, ReadBackMismatch … */
  keep(upload: string, block: Omit<StagedBlock, 'crc32'>, path: string): Promise<void>
  /**
   * Reads the blocks in order, compares each with what was acknowledged, and hashes the whole.
   * @param options.toFile makes a file of this machine, for programs that read files @throws StorageFault PieceMismatch, StoreAway …
   */
  join(
    upload: string,
    blocks: readonly StagedBlock[],
    options?: WorkOptions & { readonly toFile?: boolean },
  ): Promise<StagedBlob>
  /** Whether it lies there with its bytes, which are read and hashed. */
  has(upload: string, block: Omit<StagedBlock, 'crc32'>): Promise<boolean>
  /** Not there is no failure. */
  remove(upload: string, file: string): Promise<void>
  removeAll(upload: string): Promise<void>
  /** Removes blocks that are older than a day and that no row names. @returns how many */
  removeLeftovers(isNeeded: (upload: string, file: string) => Promise<boolean>): Promise<number>
}

export interface WorkOptions {
  readonly signal?: AbortSignal
  /** Progress in bytes. Reading back counts too, so the total of a copy is twice its length. `total` is 0 while unknown. */
  readonly onProgress?: (done: number, total: number) => void
}

export interface CopyOptions extends WorkOptions {
  /** Expected length and hash. A source that differs is refused. */
  readonly expect?: { readonly length?: number; readonly sha256?: string }
}

export interface OpenBlob {
  readonly size: number
  /** Both ends inclusive; the whole blob by default. The descriptor is closed when the stream ends, fails or is destroyed. @throws RangeError */
  stream(start?: number, endInclusive?: number): Readable
  /** Destroys running streams. Without a stream nothing is open, so the call is not needed then. */
  close(): void
}

export interface LocalCopy {
  readonly path: string
  /** Never fails. */
  release(): Promise<void>
}

export interface Verified {
  readonly result: 'ok' | 'changed' | 'missing'
  /** The current SHA-256 of the bytes; null when missing or unreadable. */
  readonly found: string | null
  readonly length: number | null
  readonly readBack: ReadThrough
  /** Why the bytes could not be read. */
  readonly problem: string | null
}

export interface Difference {
  readonly kind: 'changed' | 'missing' | 'untracked'
  /** Null for a file whose name is not a SHA-256. */
  readonly sha256: string | null
  /** What `setAside` takes. */
  readonly path: string
  /** Its path below the root, for people. */
  readonly name: string
  readonly found: string | null
  readonly problem: string | null
}

/**
 * Whether a row names a blob. @param act `remove`: asked directly before its bytes go. Where other nodes place blobs too, they are told before
 * the answer is no, and the bytes must be gone within the time that `removalsEndAfter` gives (docs/decisions/0030). Default: `look`.
 */
export type IsKnown = (sha256: string, act?: 'look' | 'remove') => Promise<boolean>

export interface CompareOptions {
  /** All expected blobs. @throws Error when they are not in ascending order of `sha256` */
  readonly rows: AsyncIterable<{ readonly sha256: string; readonly length: number }>
  /** Called before a file is reported as untracked, since its row may have been committed after `rows` had passed it. */
  readonly isKnown: IsKnown
  /** False compares names and lengths only. */
  readonly read?: boolean
  /** Most bytes to read in a second. Default: no limit. */
  readonly bytesPerSecond?: number
  /** Files read at the same time. */
  readonly concurrency?: number
  readonly signal?: AbortSignal
  /** Rows and bytes done. */
  readonly onProgress?: (rows: number, bytes: number) => void
}

export interface RecoveryReport {
  readonly temporariesRemoved: number
  readonly uploadsKept: number
  /** Removed intents of an earlier run whose blob has a row. */
  readonly intentsSettled: number
  readonly quarantined: readonly Quarantined[]
  /** Blobs with a row but without a file; the caller raises an alarm. */
  readonly missing: readonly string[]
}

export interface BlobStore {
  readonly root: string
  /** For the operator: the bucket in which the blobs lie, and what protects them there. Null for a folder. */
  readonly about: string | null
  /** Requests made of an object store so far, and how many of them read blobs again to check them. Null for a folder. */
  readonly requests: (() => { readonly all: number; readonly checks: number }) | null
  /** Null for a folder: blocks of uploads lie in the staging area of the one node that it has. */
  readonly blocks: StagedBlocks | null
  /**
   * Milliseconds after `isKnown` answered to `remove` from which no request of that removal takes effect any more, also when its node stood still
   * meanwhile. Null for a folder: its one node keeps a removal and a new use of the same bytes apart by itself.
   */
  readonly removalsEndAfter: number | null
  /** Whether reads on this volume can bypass the page cache. */
  readonly readBack: ReadThrough
  /** A sentence when the store's folders are missing or on another volume than at the opening; null when they are present. */
  whyAway(): Promise<string | null>
  /**
   * A file of this machine with the bytes of a blob, for programs that read files: the blob itself in a folder, else a copy in the scratch
   * folder that `release` gives up. A missing or damaged blob of a folder is found by whoever reads the file.
   * @throws StorageFault BlobMissing, BlobDamaged, NoSpace …
   */
  localCopy(sha256: string, options?: { readonly signal?: AbortSignal }): Promise<LocalCopy>
  /** A private folder (0700) in staging for tools to write in. */
  temporary(label: string): Promise<{ readonly dir: string; dispose(): Promise<void> }>
  /**
   * Copies a foreign file (its path as bytes when it is not UTF-8): one pass that writes and hashes, then fsync, then reading back from the
   * disk. Links are not followed. A source that changes meanwhile is refused; an incomplete copy never counts.
   * @throws StorageFault: SourceMissing, SourceNotRegular, SourceUnreadable, SourceChanged, NotAsExpected, NoSpace, ReadBackMismatch …
   */
  copyIn(source: string | Uint8Array, options?: CopyOptions): Promise<StagedBlob>
  /**
   * The same for a source that may be unplugged and come back. A partial copy is kept, also over a restart, until `discardPartialCopies`.
   * Before it is resumed it is hashed again and compared with the source (workers/copy-resumable.ts). A source that differs is copied from the
   * start.
   * @param key letters, digits and dashes; one attempt at a time
   */
  copyResumable(source: string | Uint8Array, key: string, options?: CopyOptions): Promise<ResumedBlob>
  /** Removes partial copies that no session needs. @param isNeeded whether a session waits for the source of this key */
  discardPartialCopies(isNeeded: (key: string) => boolean): Promise<void>
  /**
   * Takes over a file that is in staging already: fsync, then one pass from the disk that hashes the whole file and compares `pieces`
   * (in order, without overlap). The file stays in its place, also after a failure. @throws StorageFault: PieceMismatch …
   */
  adopt(
    pathInStaging: string,
    options?: WorkOptions & { readonly pieces?: readonly PieceDigest[] },
  ): Promise<StagedBlob>
  /** Joins pieces into a new file. Each piece is compared; the result is synced and read back. @throws StorageFault: PieceMismatch … */
  adoptPieces(pieces: readonly Piece[], options?: WorkOptions): Promise<StagedBlob>
  /**
   * Decrypts an encrypted upload (AES-256-CBC, PKCS7) into a new staged file, which is synced and read back. The ciphertext stays.
   * @throws StorageFault NotDecryptable, ReadBackMismatch, NoSpace …
   */
  decrypt(
    cipher: StagedBlob,
    secret: { readonly key: Uint8Array; readonly iv: Uint8Array },
    options?: WorkOptions,
  ): Promise<StagedBlob>
  /**
   * Writes an intent, renames the file into place, and syncs the folder and new parents. The caller then runs ONE transaction and calls
   * `confirm` after its commit, or `abandon` after a rollback. After an unknown outcome it calls neither: `recover` asks the database.
   */
  place(staged: StagedBlob): Promise<PlacedBlob>
  /** To be called only after the commit. Never fails: the next start removes an intent that stays. */
  confirm(placed: PlacedBlob): Promise<void>
  /** To be called only after a certain rollback. Moves the blob to quarantine unless a row or another request needs it. @returns the quarantined blob, or null */
  abandon(placed: PlacedBlob, isKnown: IsKnown, reason: string): Promise<Quarantined | null>
  /** Removes a staged file that will not be placed. */
  discard(staged: StagedBlob): Promise<void>
  /** Moves a staged file, any file in staging, or a blob (by its SHA-256, where no other node works) to quarantine. @throws StorageFault */
  quarantine(what: StagedBlob | string, reason: string): Promise<Quarantined>
  /**
   * Removes a blob for good and syncs its folder. Only disposition may call this, and only after the commit that deleted its row.
   * @param isKnown called while no other task works on these bytes
   * @returns `kept` when a row names the blob (again); `busy` while a request is about to add a row: try again later
   */
  remove(sha256: string, isKnown: IsKnown): Promise<'removed' | 'kept' | 'busy'>
  /** Removes bytes from quarantine for good, with their description. Safe to repeat. Only after the commit that released them. */
  removeQuarantined(path: string): Promise<void>
  /** Names of what is in quarantine. */
  quarantined(): Promise<string[]>
  /** @param name the last part of the path @throws StorageFault BlobMissing */
  openQuarantined(name: string): Promise<OpenBlob>
  /** Takes over a staged file from the quarantine of another store, under the name that it had there. */
  receiveQuarantined(name: string, staged: StagedBlob, reason: string): Promise<void>
  /**
   * Moves an orphan that `compare` found to quarantine. @param path below the root, outside the store's own folders
   * @returns null when the file has an intent or a row by now, or is gone @throws StorageFault
   */
  setAside(path: string, isKnown: IsKnown, reason: string): Promise<Quarantined | null>
  /** @throws StorageFault BlobMissing */
  open(sha256: string): Promise<OpenBlob>
  /** Reads a blob from the disk and compares its hash. `bytesPerSecond` limits the rate; in shared memory its current value counts. */
  verifyBlob(sha256: string, options?: WorkOptions & { readonly bytesPerSecond?: Pace }): Promise<Verified>
  /** Hashes a foreign file, as `copyIn` without the copy. */
  hashFile(
    source: string | Uint8Array,
    options?: WorkOptions,
  ): Promise<{ readonly sha256: string; readonly length: number }>
  /** Compares all rows and blobs, which can take days. Yields differences only. */
  compare(options: CompareOptions): AsyncGenerator<Difference, void, undefined>
  /**
   * Cleans up after an interrupted run; to be called before any other write.
   * @param isKnown null: it cannot be settled now, and stays for the next start
   * @param liveUploads names of the folders in staging that belong to open uploads
   * @param requireOwn called before each removal; throws when the folder belongs to another station by now
   */
  recover(
    isKnown: (...asked: Parameters<IsKnown>) => Promise<boolean | null>,
    liveUploads: Iterable<string>,
    requireOwn?: () => Promise<void>,
  ): Promise<RecoveryReport>
  /**
   * Removes what interrupted runs left at the store itself, and no open work needs: in an object store unfinished multipart uploads older
   * than a day. @returns how much it was
   */
  removeLeftovers(): Promise<number>
  freeBytes(): Promise<number>
  /** Waits for running tasks. */
  close(): Promise<void>
}

export interface StoreOptions {
  /** The folder of the store, on one volume and for the store alone. */
  root: string
  /** Number of threads. Two are enough for disks; more are useful when many slow cameras are read at once. */
  workers?: number
  /** File threads of the process (server/config/file-threads.ts). Default: 4. A fifth of them is left for other parts. */
  fileThreads?: number
  /** Free-space floor in bytes for new files (decisions 12). */
  minFreeBytes?: number
  /** Called once after an unknown outcome. From then on the store refuses all writes. */
  onUnknownOutcome?: (fault: StorageFault) => void
  /** Called for harmless problems, for the log: a temporary file that stays, or a description that was not written. */
  onProblem?: (fault: StorageFault) => void
  /** Milliseconds since 1970. */
  now: () => number
}
