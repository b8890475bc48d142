import { StorageFault } from '../faults.ts'

interface SdkError extends Error {
  readonly code?: string
  readonly Code?: string
  readonly $metadata?: { readonly httpStatusCode?: number }
}

const FULL = new Set(['QuotaExceeded', 'InsufficientStorage', 'XMinioStorageFull', 'ServiceQuotaExceeded'])
/** The bytes did not arrive as they were sent: a fault of the way, which another attempt may not meet. */
const DAMAGED_ON_THE_WAY = new Set([
  'BadDigest',
  'InvalidDigest',
  'IncompleteBody',
  'RequestTimeout',
  'XAmzContentSHA256Mismatch',
  'XAmzContentChecksumMismatch',
  'InvalidChunkSizeError',
])

/** What OpenStack Swift says of an object that is made of parts which are not all there. */
export const LOST_PARTS = 'BrokenMPU'

const statusOf = (error: unknown): number => (error as SdkError).$metadata?.httpStatusCode ?? 0
const nameOf = (error: unknown): string => (error as SdkError).Code ?? (error as SdkError).name ?? 'UNKNOWN'

export const isMissing = (error: unknown): boolean => statusOf(error) === 404
export const isRefusedByCondition = (error: unknown): boolean => statusOf(error) === 412 || statusOf(error) === 409
export const isNotImplemented = (error: unknown): boolean => statusOf(error) === 501

/** Whether another attempt may succeed: no answer, a broken one, an overloaded store, bytes damaged on the way. */
export function mayPass(error: unknown): boolean {
  if (error instanceof StorageFault) return error.code === 'StoreAway'
  const status = statusOf(error)
  if (FULL.has(nameOf(error)) || status === 507 || status === 501) return false
  if (DAMAGED_ON_THE_WAY.has(nameOf(error)) || status === 429 || status === 408) return true
  // Without a status there was no answer, or one that could not be read: also XML that was cut, which has the status of a success.
  return status === 0 || status >= 500 || (status >= 200 && status < 300)
}

/** Turns an error of the client into a fault. A fault, and the reason of an abort, are returned unchanged. */
export function objectFault(error: unknown, key: string, signal?: AbortSignal): unknown {
  if (error instanceof StorageFault) return error
  if (signal?.aborted === true) return signal.reason
  const name = nameOf(error)
  const status = statusOf(error)
  const details = { path: key, errno: (error as SdkError).code ?? name, cause: error }
  if (name === LOST_PARTS)
    return new StorageFault('BlobDamaged', 'The object store has lost parts of the object.', details)
  if (status === 404) return new StorageFault('BlobMissing', 'There is no such object in the object store.', details)
  if (FULL.has(name) || status === 507)
    return new StorageFault(
      'NoSpace',
      'The object store takes no more bytes: it is full, or its quota is used up.',
      details,
    )
  const { message } = error as Error
  if (mayPass(error))
    return new StorageFault('StoreAway', `The object store does not answer as it should (${name}): ${message}`, details)
  return new StorageFault('StoreFailed', `The object store refused a request (${name}): ${message}`, details)
}
