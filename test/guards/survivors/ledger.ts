import type { Survivor } from '../survivor.ts'

export const LEDGER: readonly Survivor[] = [
  {
    file: 'server/custody/merkle.ts',
    text: 'first === undefined',
    kind: 'equivalent',
    why: 'For the types: there is no first step only where the older size is no power of two, and then leaves are left over at the end, which is refused.',
  },
]
