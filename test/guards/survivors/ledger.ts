import type { Survivor } from '../survivor.ts'

export const LEDGER: readonly Survivor[] = [
  {
    file: 'server/features/integrity/verification/consistency.ts',
    text: 'seq !== range.end + 1',
    kind: 'untested',
    why: 'No suite asks for a proof over a ledger that lacks an entry in the middle; the root that comes out is no signed one, which is refused as well.',
  },
  {
    file: 'server/kernel/ledger/merkle.ts',
    text: 'first === undefined',
    kind: 'equivalent',
    why: 'For the types: there is no first step only where the older size is no power of two, and then leaves are left over at the end, which is refused.',
  },
]
