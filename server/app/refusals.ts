import { Fault } from '../../shared/kernel/errors.ts'
import type { Call } from '../kernel/ledger/call.ts'
import type { Ledger } from '../kernel/ledger/ledger.ts'
import { StagingFailure } from '../storage/staging/staging.ts'
import { StorageFault } from '../storage/store.ts'

/** Forged and expired upload addresses, and writes to what is complete: counted, since nobody in particular sends them. */
export function uploadRefused(ledger: Ledger) {
  return async (call: Call, refused: { container: string; blob: string; reason: string }): Promise<void> => {
    ledger.tally(call, {
      action: 'upload.refused',
      object: { type: 'resource', id: refused.blob.slice(0, 64), name: '' },
      outcome: 'denied',
      reason: refused.reason,
    })
  }
}

/** What the blob store says, as a caller is told it. Null: not the store's. */
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
    default:
      return null
  }
}

/** Anything but a full disk: the station must not go on as if nothing had been (docs/guarantees.md, Durability). */
export const isDiskFailure = (error: unknown): error is StagingFailure =>
  error instanceof StagingFailure && !['ENOSPC', 'EDQUOT', 'EFBIG'].includes(error.code)
