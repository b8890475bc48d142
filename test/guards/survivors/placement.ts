import type { Survivor } from '../survivor.ts'

export const PLACEMENT: readonly Survivor[] = [
  {
    file: 'server/features/uploads/ingest/purge.ts',
    text: "row.state !== 'None'",
    kind: 'second',
    why: 'The next condition asks in the same transaction for resources that are open and were left for a day.',
    with: [
      {
        file: 'server/features/uploads/blobs/uploads.store.ts',
        text: ".where('r.state', '=', 'None')",
        instead: '',
      },
    ],
    suite: 'test/pipeline/purge.test.ts',
  },
]
