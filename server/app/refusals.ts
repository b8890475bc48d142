import { Fault } from '../../shared/kernel/errors.ts'
import { isDiskFailure, StagingFailure } from '../storage/staging/staging.ts'
import { StorageFault } from '../storage/store.ts'

/** Translates faults of the blob store and the staging area into faults of the contract. Null for other errors. */
export function storageFault(error: unknown): Fault | null {
  if (error instanceof StagingFailure) {
    return isDiskFailure(error)
      ? new Fault('ReadOnly', 'The disk failed. Ask again when the station is back.', { retryAfter: 10, cause: error })
      : new Fault('StorageFull', 'The disk is full, so no new files are taken. What is here is safe.', {
          retryAfter: 60,
          cause: error,
        })
  }
  if (!(error instanceof StorageFault)) return null
  switch (error.code) {
    case 'NoSpace':
      return new Fault('StorageFull', 'The disk is full, so no new files are taken. What is here is safe.', {
        retryAfter: 60,
        cause: error,
      })
    case 'PieceMismatch':
    case 'ReadBackMismatch':
      return new Fault(
        'UploadDamaged',
        'The disk gave back other bytes than were sent. Nothing was completed; upload the file again.',
        { cause: error },
      )
    case 'IoUnknown':
      return new Fault(
        'ReadOnly',
        'The disk failed. Ask again with the same Idempotency-Key when the station is back.',
        { retryAfter: 10, cause: error },
      )
    case 'StoreAway':
      return new Fault(
        'NotReady',
        'The object store does not answer. What is here is safe; ask again, with the same Idempotency-Key.',
        { retryAfter: 15, cause: error },
      )
    default:
      return null
  }
}
