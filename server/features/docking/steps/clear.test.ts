import { expect, it } from 'vitest'
import { dockReason } from '../../../../shared/messages/dock-reasons.ts'
import { STAYS } from './clear.ts'

it.each([dockReason('staysUntil', { time: '2026-12-07T01:36:24.123Z' }), dockReason('staysForClock')])(
  'a file that is kept because its time has not come is found again by its reason: %s',
  (reason) => {
    expect(reason.startsWith(STAYS)).toBe(true)
  },
)
