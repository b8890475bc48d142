import type { Survivor } from '../survivor.ts'

export const UPLOADS: readonly Survivor[] = [
  {
    file: 'server/interfaces/blobs/blobs.xml.ts',
    text: 'match === null',
    kind: 'equivalent',
    why: 'Every part of the pattern is optional: it matches everywhere, if only nothing, which is asked next.',
  },
  {
    file: 'server/interfaces/blobs/operations.ts',
    text: 'list.length > MOST_LISTED',
    kind: 'second',
    with: [{ file: 'server/interfaces/blobs/blobs.xml.ts', text: 'entries.length > MOST_LISTED' }],
    suite: 'test/api/blobs/exact.test.ts',
    why: 'The reader of the list refuses the same number already, before it reads on.',
  },
]
