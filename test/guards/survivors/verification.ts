import type { Survivor } from '../survivor.ts'

export const VERIFICATION: readonly Survivor[] = [
  {
    file: 'server/features/integrity/verification/verify.worker.ts',
    text: 'port === null',
    kind: 'equivalent',
    why: 'For the types: outside of a worker thread there is no file to open either, and the module ends at that.',
  },
]
