import { StorageFault } from '../faults.ts'
import type { Failure } from './messages.ts'

/** How an error crosses from a worker thread to the store. */
export function failureOf(error: unknown, cancelled: boolean): Failure {
  if (cancelled) return { code: null, message: 'Cancelled', path: null, errno: null, piece: null }
  if (error instanceof StorageFault) {
    const { code, message, path, errno, piece } = error
    return { code, message, path, errno, piece }
  }
  const { message, stack } = error as Error
  return { code: 'StoreFailed', message: stack ?? message, path: null, errno: null, piece: null }
}

export function errorOf({ code, message, path, errno, piece }: Failure): Error {
  return code === null ? new Error('Cancelled') : new StorageFault(code, message, { path, errno, piece })
}
