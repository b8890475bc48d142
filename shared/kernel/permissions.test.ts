import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  type Asker,
  type Grant,
  includes,
  type Level,
  levelByPolicies,
  levelOnEvidence,
  LEVELS,
  type LinkedCase,
} from './permissions.ts'

const asker = (more: Partial<Asker> = {}): Asker => ({
  identities: new Set([1, 10]),
  unassociated: 'None',
  fromMyDevice: 'None',
  nowTicks: 100n,
  ...more,
})
const grant = (level: Level, principalId = 1, expires: bigint | null = null): Grant => ({ principalId, level, expires })
const linked = (level: Level, more: Partial<LinkedCase> = {}): LinkedCase => ({
  byPerson: true,
  deleted: false,
  policies: [grant(level)],
  ...more,
})

const levels = fc.constantFrom(...LEVELS)
const grants = fc.array(
  fc.record({
    principalId: fc.integer({ min: 1, max: 12 }),
    level: levels,
    expires: fc.option(fc.bigInt({ min: 90n, max: 110n }), { nil: null }),
  }),
  { maxLength: 5 },
)
const cases = fc.array(fc.record({ byPerson: fc.boolean(), deleted: fc.boolean(), policies: grants }), { maxLength: 4 })

describe('S4 the level', () => {
  it('is the highest of those that name the caller or a group of theirs', () => {
    expect(levelByPolicies([grant('View'), grant('Edit', 10), grant('Manage', 2)], asker())).toBe('Edit')
    expect(levelByPolicies([], asker())).toBe('None')
  })

  it('ends at the very tick of its expiry', () => {
    expect(levelByPolicies([grant('Edit', 1, 101n)], asker())).toBe('Edit')
    expect(levelByPolicies([grant('Edit', 1, 100n)], asker())).toBe('None')
  })

  it.each([
    ['through a link that somebody made, as on the case', [linked('Edit')], 'Edit'],
    ['View through an automatic link, whatever the level on the case', [linked('Manage', { byPerson: false })], 'View'],
    ['none through an automatic link to a case without rights', [linked('None', { byPerson: false })], 'None'],
    ['none through a deleted case', [linked('Manage', { deleted: true })], 'None'],
    ['the highest of several cases', [linked('View'), linked('Download')], 'Download'],
  ] as const)('on an evidence is %s', (_name, given, level) => {
    expect(levelOnEvidence([], given, asker({ unassociated: 'Manage', fromMyDevice: 'Manage' }), false)).toBe(level)
  })

  it('on an evidence in no case is what the policy for those gives', () => {
    expect(levelOnEvidence([], [], asker({ unassociated: 'Download' }), false)).toBe('Download')
    expect(levelOnEvidence([grant('Edit')], [], asker({ unassociated: 'Download' }), false)).toBe('Edit')
  })

  it('on what the own device recorded is what the policy for that gives, in whichever case it is', () => {
    const mine = asker({ fromMyDevice: 'Download' })
    expect(levelOnEvidence([], [linked('View')], mine, true)).toBe('Download')
    expect(levelOnEvidence([], [linked('Manage', { deleted: true })], mine, true)).toBe('Download')
    expect(levelOnEvidence([grant('Edit')], [], mine, true)).toBe('Edit')
    expect(levelOnEvidence([], [], mine, false)).toBe('None')
    expect(levelOnEvidence([], [], asker(), true)).toBe('None')
  })

  it('never falls by one more policy or case, and never rises above what was granted', () => {
    fc.assert(
      fc.property(grants, cases, grants, levels, levels, (own, linkedTo, more, unassociated, fromMyDevice) => {
        const who = asker({ unassociated, fromMyDevice })
        const level = levelOnEvidence(own, linkedTo, who, true)
        expect(includes(level, levelOnEvidence(own, linkedTo, who, false))).toBe(true)
        const some = linkedTo.length === 0 ? [] : linkedTo
        expect(includes(levelOnEvidence([...own, ...more], some, who, true), level)).toBe(true)
        const all = [...own, ...linkedTo.flatMap(({ policies }) => policies)].map((one) => one.level)
        expect([...all, unassociated, fromMyDevice, 'None']).toContain(level === 'View' ? 'None' : level)
      }),
    )
  })
})
