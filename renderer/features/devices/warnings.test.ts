import { expect, it } from 'vitest'
import { DAYS_UNDOCKED, warningsOf } from './warnings.ts'
import { DAY } from './labels.ts'

const NOW = Date.parse('2026-11-21T08:00:00Z')
const ago = (days: number): string => new Date(NOW - days * DAY).toISOString()
const docked = (days: number, State = 'released') =>
  ({ DockSessionId: '1', State, DetectedTimeUtc: ago(days) }) as const

const device = (more: object = {}, State: 'Active' | 'Inactive' = 'Active') =>
  ({
    State,
    CreatedUtcTime: ago(100),
    Standing: { Configuration: 'Agreed', ExpectedFrom: null, LastDock: docked(0), Unconfirmed: 0, ...more },
  }) as Parameters<typeof warningsOf>[0]
const idsOf = (one: Parameters<typeof warningsOf>[0]): string[] => warningsOf(one, NOW).map(({ id }) => id)

it('a device that is well needs nobody', () => {
  expect(idsOf(device())).toEqual([])
  expect(idsOf(device({ LastDock: docked(DAYS_UNDOCKED - 1) }))).toEqual([])
})

it('what may be lost comes first', () => {
  const pulled = { LastDock: docked(30, 'pulled'), Configuration: 'Rejected', Unconfirmed: 2 }
  expect(idsOf(device(pulled))).toEqual(['pulled', 'rejected', 'unconfirmed', 'undocked'])
  expect(warningsOf(device({ LastDock: docked(0, 'failed') }), NOW)).toEqual([
    { id: 'failed', state: 'danger', count: 1 },
  ])
})

it('days count from the last docking, else from when it was known; of an inactive one nobody expects any', () => {
  expect(warningsOf(device({ LastDock: docked(DAYS_UNDOCKED) }), NOW)).toMatchObject([{ count: DAYS_UNDOCKED }])
  expect(warningsOf(device({ LastDock: null }), NOW)).toMatchObject([{ id: 'undocked', count: 100 }])
  expect(idsOf(device({ LastDock: null }, 'Inactive'))).toEqual([])
})
