import type { Survivor } from '../survivor.ts'

export const CLEARING: readonly Survivor[] = [
  {
    file: 'server/features/docking/steps/create-evidence.ts',
    text: 'seq === null',
    kind: 'equivalent',
    why: 'The entry was appended in this transaction by completeResource, a few lines before.',
  },
]
