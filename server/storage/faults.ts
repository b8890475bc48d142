/** Failures of reading and writing bytes. Code must recognise them by the code, never by the text. */
export type StorageFaultCode =
  /** The source file does not exist. */
  | 'SourceMissing'
  /** A link, folder, pipe, socket or device. */
  | 'SourceNotRegular'
  /** The source could not be read to its end. */
  | 'SourceUnreadable'
  /** The source grew, shrank or was written to while it was read. Nothing was kept. */
  | 'SourceChanged'
  /** The source is complete and unchanged, but not as the caller expected. */
  | 'NotAsExpected'
  /** A piece of an upload differs from the acknowledged bytes. */
  | 'PieceMismatch'
  /** The key does not decrypt the encrypted upload. */
  | 'NotDecryptable'
  /** The disk returned other bytes than were written. */
  | 'ReadBackMismatch'
  /** The disk is full. Nothing was changed. */
  | 'NoSpace'
  /** The store could not be written or read. Nothing was changed. */
  | 'StoreFailed'
  /** The disk failed under fsync or rename. Whether the change was made is unknown. The store takes no more writes. */
  | 'IoUnknown'
  /** The object store does not answer, or not as it should. Another attempt may succeed. */
  | 'StoreAway'
  | 'BlobMissing'
  /** The length of a blob changed after it was opened. */
  | 'BlobDamaged'
  | 'Closed'

export interface StorageFaultDetails {
  readonly path?: string | null
  /** Error code of the operating system: EIO, ENOSPC … */
  readonly errno?: string | null
  readonly piece?: { readonly offset: number; readonly length: number } | null
  readonly cause?: unknown
}

export class StorageFault extends Error {
  override readonly name = 'StorageFault'
  readonly code: StorageFaultCode
  /** For the log; must not appear in replies. */
  readonly path: string | null
  readonly errno: string | null
  /** The piece of a PieceMismatch. */
  readonly piece: { readonly offset: number; readonly length: number } | null

  constructor(code: StorageFaultCode, message: string, details: StorageFaultDetails = {}) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause })
    this.code = code
    this.path = details.path ?? null
    this.errno = details.errno ?? null
    this.piece = details.piece ?? null
  }
}

/** The operation that failed. All except `read source` concern files of the store. */
export type Operation = 'read source' | 'open' | 'write' | 'read' | 'sync' | 'rename' | 'unlink'

const FULL = new Set(['ENOSPC', 'EDQUOT', 'EFBIG'])

/** Turns a system error into a fault. A fault is returned unchanged. */
export function faultOf(error: unknown, operation: Operation, path: string): StorageFault {
  if (error instanceof StorageFault) return error
  const { code = 'UNKNOWN', message } = error as NodeJS.ErrnoException
  const details = { path, errno: code }
  if (operation === 'read source') return sourceFault(code, details)
  if (operation === 'sync' || (operation === 'rename' && !FULL.has(code) && code !== 'ENOENT'))
    return new StorageFault(
      'IoUnknown',
      `The disk failed (${code}) while something was made durable; whether it took place is unknown.`,
      details,
    )
  if (FULL.has(code)) return new StorageFault('NoSpace', 'The disk of the evidence store is full.', details)
  return new StorageFault('StoreFailed', `The evidence store could not be used (${code}): ${message}`, details)
}

function sourceFault(code: string, details: StorageFaultDetails): StorageFault {
  switch (code) {
    case 'ENOENT':
    case 'ENOTDIR':
      return new StorageFault('SourceMissing', 'The file is not there.', details)
    case 'ELOOP':
    case 'EMLINK':
      return new StorageFault('SourceNotRegular', 'It is a link; links are not followed.', details)
    case 'ENXIO':
    case 'EISDIR':
      return new StorageFault('SourceNotRegular', 'It is not a regular file.', details)
    case 'EACCES':
    case 'EPERM':
      return new StorageFault('SourceUnreadable', 'The station may not read the file.', details)
    default:
      return new StorageFault('SourceUnreadable', `The file could not be read to its end (${code}).`, details)
  }
}
