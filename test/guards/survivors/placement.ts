import type { Survivor } from '../survivor.ts'

export const PLACEMENT: readonly Survivor[] = [
  {
    file: 'server/evidence/store/store.ts',
    text: '!/^[A-Za-z0-9-]{1,64}$/.test(key)',
    kind: 'untested',
    why: 'The dock makes its keys of two numbers. No test hands the store another one.',
  },
]
