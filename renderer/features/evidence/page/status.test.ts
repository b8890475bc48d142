/** By the rule of the list (migrations/first-release/evidence-list.ts): what the screens show of it is in test/ui/station-marks.test.ts. */
import { expect, it } from 'vitest'
import type { Resource } from './queries.ts'
import { statusOf } from './status.ts'

type Work = Partial<Resource['Processing'][number]>
const item = { State: 'UserCompleted', LifecycleState: 'None' } as const
const withWork = (...works: readonly Work[]): readonly Resource[] => [
  {
    ...({ ResourceId: '1', Parent: null, State: 'UserCompleted', CameraSha256: null, LastCheck: null } as Resource),
    Processing: works.map((work) => ({
      Kind: 'derive.playable',
      State: 'done',
      Message: '',
      Attempts: 1,
      Progress: null,
      ...work,
    })),
  },
]

it.each([
  ['begins as soon as there is room', [{ State: 'queued' }], 'working', null],
  ['is tried again later', [{ State: 'queued', Message: 'Attempt 1 failed; it is tried again.' }], 'waiting', null],
  ['waits for a tool', [{ State: 'waiting', Message: 'ffmpeg is not installed' }], 'waiting', null],
  ['runs beside what failed', [{ State: 'running', Progress: 0.4 }, { State: 'failed' }], 'working', 0.4],
  ['failed, and the rest waits', [{ State: 'failed' }, { State: 'waiting' }], 'attention', null],
  ['is no work on the media', [{ Kind: 'fixity.check', State: 'running', Progress: 0.4 }], 'verified', null],
] as const)('A11: what %s', (_what, works, status, progress) => {
  expect(statusOf(item, withWork(...works))).toEqual({ status, progress })
})
