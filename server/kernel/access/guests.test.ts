/** Changes of sharing that a guest with Manage may make (decisions 3). */
import { describe, expect, it } from 'vitest'
import { addsBelowManage } from './guests.ts'

const LATER = { text: '2026-12-01T00:00:00.000Z' }
const share = (principalId: number, level: 'View' | 'Edit' | 'Manage', expires: { text: string } | null = null) => ({
  principalId,
  level,
  expires,
})
const BEFORE = [share(1, 'Manage'), share(2, 'Edit'), share(3, 'View', LATER)]

describe('guests: changes of sharing', () => {
  it.each([
    ['no change', BEFORE],
    ['adding a principal', [...BEFORE, share(4, 'Edit')]],
    ['raising a level', [share(1, 'Manage'), share(2, 'Edit'), share(3, 'Edit', LATER)]],
  ])('S19: %s is allowed', (_what, after) => expect(addsBelowManage(BEFORE, after)).toBe(true))

  it.each([
    ['removing a principal', BEFORE.slice(0, 2)],
    ['adding a principal at Manage', [...BEFORE, share(4, 'Manage')]],
    ['raising a level to Manage', [share(1, 'Manage'), share(2, 'Manage'), share(3, 'View', LATER)]],
    ['lowering a level', [share(1, 'Manage'), share(2, 'View'), share(3, 'View', LATER)]],
    ['lowering Manage', [share(1, 'Edit'), share(2, 'Edit'), share(3, 'View', LATER)]],
    ['removing an expiry', [share(1, 'Manage'), share(2, 'Edit'), share(3, 'View')]],
    ['setting an expiry', [share(1, 'Manage'), share(2, 'Edit', LATER), share(3, 'View', LATER)]],
    [
      'moving an expiry',
      [share(1, 'Manage'), share(2, 'Edit'), share(3, 'View', { text: '2027-01-01T00:00:00.000Z' })],
    ],
  ])('S19: %s is not allowed', (_what, after) => expect(addsBelowManage(BEFORE, after)).toBe(false))
})
