/** Converts errors to plain data and back, for the way from the database's thread. */
import { Fault, type FaultCode, type Problem } from '../../../shared/kernel/errors.ts'
import { SqlFailure } from './sqlite/sql-connection.ts'
import type { CrossingError } from './units.ts'

export function crossingError(error: unknown): CrossingError {
  if (error instanceof Fault) {
    const { code, message, details, retryAfter, reason, headers } = error
    return { kind: 'fault', code, message, details, retryAfter, reason, headers }
  }
  if (error instanceof SqlFailure) return { kind: 'sql', message: error.message, code: error.code }
  const { name, message, stack } = error instanceof Error ? error : new Error(String(error))
  return { kind: 'error', name, message, stack }
}

export function errorAcross(crossed: CrossingError): Error {
  if (crossed.kind === 'sql') return new SqlFailure(crossed.message, crossed.code)
  if (crossed.kind === 'fault') {
    const { code, message, details, retryAfter, reason, headers } = crossed
    return new Fault(code as FaultCode, message, {
      details: details as readonly Problem[],
      headers,
      ...(retryAfter === undefined ? {} : { retryAfter }),
      ...(reason === undefined ? {} : { reason }),
    })
  }
  const error = new Error(crossed.message)
  error.name = crossed.name
  // The stack of the other thread.
  if (crossed.stack !== undefined) error.stack = crossed.stack
  return error
}
