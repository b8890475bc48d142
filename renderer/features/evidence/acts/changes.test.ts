import { describe, expect, it } from 'vitest'
import {
  isUntitled,
  missingOn,
  officerChange,
  officersOf,
  shareChange,
  tagChange,
  tagsOfMany,
  titleChange,
  titlesOf,
} from './changes.ts'
import { fits, hindrancesOf, type Target } from './targets.ts'

const target = (members: Partial<Target> = {}): Target => ({
  EvidenceId: '1',
  Name: 'R1',
  AccessorPermissions: ['View', 'Download', 'Edit', 'Manage'],
  LifecycleState: 'None',
  AssociationState: 'None',
  CategoryId: null,
  Tags: [],
  CustomFields: {},
  AccessPolicies: [],
  ConcurrencyId: 'a',
  ...members,
})
const policy = (
  PrincipalId: string,
  Permissions: string,
  Reason = 'Direct',
  ExpirationDateUtc: string | null = null,
) => ({
  PrincipalId,
  Permissions,
  ExpirationDateUtc,
  PermissionSource: { Reason, MergeStrategy: 'Highest', Permissions },
  KId: `k${PrincipalId}`,
  Username: `u${PrincipalId}`,
  PrincipalType: 'user',
})

describe('tags of many', () => {
  it('are counted, and sent only where something differs', () => {
    const [one, two, three] = [target({ Tags: ['night'] }), target({ Tags: ['Night', 'cctv'] }), target()]
    expect(tagsOfMany([one, two, three])).toEqual([
      { tag: 'cctv', count: 1 },
      { tag: 'night', count: 1 },
      { tag: 'Night', count: 1 },
    ])
    expect(missingOn([one, two, three], 'night')).toBe(1)
    const { patchOf } = tagChange({ add: ['night'], remove: ['cctv'] })
    expect([one, two, three].map(patchOf)).toEqual([null, { Tags: ['Night'] }, { Tags: ['night'] }])
  })

  it('go back to what each had, and leave what somebody added since', () => {
    const { backOf } = tagChange({ add: ['night'], remove: ['cctv'] })
    const [before, after] = [target({ Tags: ['cctv'] }), target({ Tags: ['night'] })]
    expect(backOf(target({ Tags: ['night', 'dog'] }), before, after)).toEqual({ Tags: ['dog', 'cctv'] })
  })
})

describe('titles of many', () => {
  const at = (EvidenceId: string, CorrectedTimeUtc: string | null, Name = EvidenceId): Target =>
    target({ EvidenceId, Name, Clock: { CorrectedTimeUtc } as Target['Clock'], StartTimeUtc: null })

  it('count in the order of recording, those without a time last; one alone has no number', () => {
    const [late, early, never] = [at('7', '2026-11-20T03:00:00Z'), at('9', '2026-11-20T02:00:00Z'), at('8', null)]
    expect([...titlesOf([never, late, early], 'Stop')]).toEqual([
      ['9', 'Stop 1'],
      ['7', 'Stop 2'],
      ['8', 'Stop 3'],
    ])
    expect([...titlesOf([late], 'Stop')]).toEqual([['7', 'Stop']])
  })

  it('are sent where they differ, and taken back where nobody chose another since', () => {
    const { patchOf, backOf } = titleChange(new Map([['1', 'Stop 1']]))
    const [before, after] = [target({ Name: 'BWC_1' }), target({ Name: 'Stop 1' })]
    expect([patchOf(before), patchOf(after), patchOf(target({ EvidenceId: '2' }))]).toEqual([
      { Name: 'Stop 1' },
      null,
      null,
    ])
    expect([backOf(after, before, after), backOf(target({ Name: 'Other' }), before, after)]).toEqual([
      { Name: 'BWC_1' },
      null,
    ])
  })

  it('are missing where the name is the one of the file, or that of the camera', () => {
    const named = (Name: string, DisplayName = Name, FileName: string | null = 'BWC_1.mp4') =>
      isUntitled({ Name, DisplayName, Summary: { FileName } })
    expect([named('BWC_1'), named('BWC_1.mp4'), named(' '), named('R1', 'BWC 0410, 14:10'), named('Stop')]).toEqual([
      true,
      true,
      true,
      true,
      false,
    ])
    expect(isUntitled({ Name: 'BWC_1', DisplayName: 'BWC_1' })).toBe(false)
  })
})

describe('the officer of many', () => {
  it('is set beside the other fields, and taken back only where it is still this one', () => {
    const before = target({ CustomFields: { Exhibit: 'A1' } })
    const { patchOf, backOf } = officerChange('Dayo Okafor')
    expect(patchOf(before)).toEqual({ CustomFields: { Exhibit: 'A1', Officer: 'Dayo Okafor' } })
    const after = target({ CustomFields: { Exhibit: 'A1', Officer: 'Dayo Okafor' } })
    expect(patchOf(after)).toBeNull()
    expect(backOf(after, before, after)).toEqual({ CustomFields: { Exhibit: 'A1' } })
    expect(backOf(target({ CustomFields: { Officer: 'Mia Lindqvist' } }), before, after)).toBeNull()
    expect(officersOf([before, after, after])).toEqual([
      { tag: 'Dayo Okafor', count: 2 },
      { tag: '', count: 1 },
    ])
  })
})

describe('sharing many', () => {
  const share = { principalId: '7', level: 'Download', until: null } as const
  const manager = { PrincipalId: '1', Permissions: 'Manage', ExpirationDateUtc: null }

  it('keeps every other policy of its own, sends none that it has through a case, and never lowers one', () => {
    const { patchOf } = shareChange(share)
    const shared = { PrincipalId: '7', Permissions: 'Download', ExpirationDateUtc: null }
    expect(patchOf(target({ AccessPolicies: [policy('1', 'Manage'), policy('7', 'Edit', 'Case')] }))).toEqual({
      AccessPolicies: [manager, shared],
    })
    expect(patchOf(target({ AccessPolicies: [policy('1', 'Manage'), policy('7', 'View')] }))).toEqual({
      AccessPolicies: [manager, shared],
    })
    expect(patchOf(target({ AccessPolicies: [policy('7', 'Edit')] }))).toBeNull()
    expect(patchOf(target({ AccessPolicies: [policy('7', 'Download')] }))).toBeNull()
    const ending = policy('7', 'Download', 'Direct', '2026-12-01T00:00:00Z')
    expect(patchOf(target({ AccessPolicies: [ending] }))).toEqual({ AccessPolicies: [shared] })
    expect(
      shareChange({ ...share, until: '2026-11-28T00:00:00Z' }).patchOf(target({ AccessPolicies: [ending] })),
    ).toBeNull()
  })

  it('goes back to what they had, unless somebody changed it since', () => {
    const { backOf } = shareChange(share)
    const before = target({ AccessPolicies: [policy('1', 'Manage'), policy('7', 'View')] })
    const after = target({ AccessPolicies: [policy('1', 'Manage'), policy('7', 'Download')] })
    expect(backOf(after, before, after)).toEqual({
      AccessPolicies: [manager, { PrincipalId: '7', Permissions: 'View', ExpirationDateUtc: null }],
    })
    expect(backOf(after, target(), after)).toEqual({ AccessPolicies: [manager] })
    expect(backOf(target({ AccessPolicies: [policy('7', 'Manage')] }), before, after)).toBeNull()
  })
})

it('says what keeps an act from an item', () => {
  const all = [
    target(),
    target({ LifecycleState: 'Protected' }),
    target({ LifecycleState: 'Deleted' }),
    target({ AccessorPermissions: ['View'] }),
  ]
  expect([...hindrancesOf('delete', all)]).toEqual([
    ['sealed', 1],
    ['binned', 1],
    ['Manage', 1],
  ])
  expect([...hindrancesOf('tag', all)]).toEqual([
    ['binned', 1],
    ['Edit', 1],
  ])
  expect([...hindrancesOf('move', all)]).toEqual([
    ['inNoCase', 3],
    ['binned', 1],
  ])
  expect(fits('restore', target({ LifecycleState: 'Deleted' }))).toBe(true)
})
