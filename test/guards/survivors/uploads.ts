import type { Survivor } from '../survivor.ts'

export const UPLOADS: readonly Survivor[] = [
  {
    file: 'server/features/uploads/blobs/blobs.xml.ts',
    text: 'match === null',
    kind: 'equivalent',
    why: 'Every part of the pattern is optional: it matches everywhere, if only nothing, which is asked next.',
  },
]
