/** The checks of a self-validation, in the order in which they run. */
export const CHECKS = [
  'hashes',
  'volumes',
  'ledger',
  'signatures',
  'decoding',
  'metadata',
  'clock',
  'denial',
  'restore',
  'redaction',
] as const
export type CheckName = (typeof CHECKS)[number]

/** `unknown`: it could not be tried on this machine. `not-built`: this version has nothing of the kind to check. */
export const CHECK_RESULTS = ['ok', 'failed', 'unknown', 'not-built'] as const
export type CheckResult = (typeof CHECK_RESULTS)[number]
