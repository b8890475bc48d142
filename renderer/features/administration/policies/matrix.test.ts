import { describe, expect, it } from 'vitest'
import {
  cellKey,
  changed,
  type Changes,
  columnsOf,
  HELD,
  heldNow,
  heldThroughGroups,
  type Holder,
  holdersOf,
  mayHold,
  PEOPLE,
  membersAfter,
  type Policy,
  stillOpen,
  touched,
} from './matrix.ts'

const member = (id: string, level: string | null = null, type = 'group') =>
  ({
    PrincipalId: id,
    KId: '',
    Name: id,
    Username: id,
    PrincipalType: type,
    Level: level,
    Enabled: true,
    Guest: false,
  }) as const
const policy = (Policy: Policy['Policy'], Members: Policy['Members'], WithLevel = false): Policy => ({
  Policy,
  WithLevel,
  Members,
  ConcurrencyId: 'c',
})
const share = policy('ShareCases', [member('1'), member('2')])
const files = policy('AccessUnassociatedFiles', [member('1', 'Manage'), member('2', 'View')], true)
const NONE: Changes = new Map()
const person: Holder = { id: '9', type: 'user', name: 'Lindqvist', guest: false, builtIn: false }

describe('a change', () => {
  it('is one only while it differs from what the station holds', () => {
    const once = changed(NONE, share, '2', null)
    expect([...once]).toEqual([[cellKey('ShareCases', '2'), null]])
    expect(heldNow(share, '2', once)).toBeNull()
    expect(changed(once, share, '2', HELD).size).toBe(0)
  })

  it('is sent on top of whoever is in it now, with levels where the right carries them', () => {
    const changes = changed(changed(changed(NONE, files, '2', 'Edit'), files, '3', 'Download'), share, '2', null)
    expect(membersAfter(files, changes)).toEqual([
      { PrincipalId: '1', Level: 'Manage' },
      { PrincipalId: '2', Level: 'Edit' },
      { PrincipalId: '3', Level: 'Download' },
    ])
    expect(membersAfter(share, changes)).toEqual([{ PrincipalId: '1' }])
    expect(touched([share, files], changed(NONE, files, '3', 'View'))).toEqual([files])
    // Somebody else put 7 in meanwhile: it stays.
    const theirs = { ...share, Members: [...share.Members, member('7')] }
    expect(membersAfter(theirs, changes)).toEqual([{ PrincipalId: '1' }, { PrincipalId: '7' }])
  })

  it('that somebody else made as well is none any more', () => {
    const changes = changed(changed(NONE, share, '2', null), files, '2', 'Edit')
    const theirs = { ...share, Members: [member('1')] }
    expect([...stillOpen(changes, [theirs, files]).keys()]).toEqual([cellKey('AccessUnassociatedFiles', '2')])
    expect(stillOpen(changes, [share, files])).toBe(changes)
  })
})

describe('the columns', () => {
  const holder = (id: string, type: string): Holder => ({ ...person, id, type })
  const holders = [holder('2', 'group'), holder('9', 'user'), holder('8', 'user'), holder('5', 'service')]
  const shown = (open: boolean) => columnsOf(holders, open).map((one) => (one === PEOPLE ? one : one.id))

  it('are groups and integrations, then all people as one, and each of them while that is open', () => {
    expect(shown(false)).toEqual(['2', '5', PEOPLE])
    expect(shown(true)).toEqual(['2', '5', PEOPLE, '9', '8'])
  })

  it('have none for people where nobody holds a right of their own', () => {
    expect(columnsOf([holder('2', 'group')], true).map((one) => one !== PEOPLE && one.id)).toEqual(['2'])
  })
})

describe('groups', () => {
  const groups = [
    { id: '1', members: ['9'] },
    { id: '2', members: ['9'] },
  ]
  it('give the highest level of them, also by what is about to change, and guests nothing', () => {
    expect(heldThroughGroups(files, person, groups, NONE)).toBe('Manage')
    expect(heldThroughGroups(files, person, groups, changed(NONE, files, '1', null))).toBe('View')
    expect(heldThroughGroups(share, person, [], NONE)).toBeNull()
    expect(heldThroughGroups(share, { ...person, guest: true }, groups, NONE)).toBeNull()
  })

  it('stand before people and integrations, Account Administrators first', () => {
    const one = policy('CreateCases', [
      member('5', null, 'service'),
      member('9', null, 'user'),
      member('2'),
      member('1'),
    ])
    const holders = holdersOf([one], [], new Set(['2']), ({ Name }) => Name ?? '')
    expect(holders.map(({ id }) => id)).toEqual(['2', '1', '9', '5'])
    expect(mayHold('ShareCases', { ...person, guest: true })).toBe(false)
    expect(mayHold('CreateCases', { ...person, guest: true })).toBe(true)
  })
})
