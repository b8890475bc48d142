/** What a guest's Manage may change of sharing (decisions 3). */
import { describe, expect, it } from 'vitest'
import { addsBelowManage } from './guests.ts'

const LATER = { text: '2026-12-01T00:00:00.000Z' }
const share = (principalId: number, level: 'View' | 'Edit' | 'Manage', expires: { text: string } | null = null) => ({
  principalId,
  level,
  expires,
})
const BEFORE = [share(1, 'Manage'), share(2, 'Edit'), share(3, 'View', LATER)]

describe('guests: a change of sharing that only adds, below Manage', () => {
  it.each([
    ['nothing at all', BEFORE],
    ['somebody added', [...BEFORE, share(4, 'Edit')]],
    ['somebody raised', [share(1, 'Manage'), share(2, 'Edit'), share(3, 'Edit', LATER)]],
  ])('S19: %s is', (_what, after) => expect(addsBelowManage(BEFORE, after)).toBe(true))

  it.each([
    ['somebody taken out', BEFORE.slice(0, 2)],
    ['somebody added at Manage', [...BEFORE, share(4, 'Manage')]],
    ['somebody raised to Manage', [share(1, 'Manage'), share(2, 'Manage'), share(3, 'View', LATER)]],
    ['somebody lowered', [share(1, 'Manage'), share(2, 'View'), share(3, 'View', LATER)]],
    ['whoever manages lowered', [share(1, 'Edit'), share(2, 'Edit'), share(3, 'View', LATER)]],
    ['a time taken away', [share(1, 'Manage'), share(2, 'Edit'), share(3, 'View')]],
    ['a time set', [share(1, 'Manage'), share(2, 'Edit', LATER), share(3, 'View', LATER)]],
    ['a time moved', [share(1, 'Manage'), share(2, 'Edit'), share(3, 'View', { text: '2027-01-01T00:00:00.000Z' })]],
  ])('S19: %s is not', (_what, after) => expect(addsBelowManage(BEFORE, after)).toBe(false))
})
