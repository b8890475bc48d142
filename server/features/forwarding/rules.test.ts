import { describe, expect, it } from 'vitest'
import { ForwardingRules } from '../../../shared/forwarding/contract.ts'
import {
  backoffMs,
  caseTagOf,
  type ClearFacts,
  clearRefusal,
  estimateEnd,
  type Fields,
  groundOf,
  isOpen,
  mergeFields,
  nextOpening,
  paceOf,
  sourceIdOf,
} from './rules.ts'

const DAY = 86_400_000
const rules = (given: object = {}) => ForwardingRules.parse(given)
const at = (text: string): number => Date.parse(text)

describe('what is forwarded', () => {
  const facts = { categoryId: '3', inCase: false, createdAt: at('2026-11-01T00:00:00Z') }
  const now = at('2026-11-10T00:00:00Z')

  it('is nothing without a rule', () => expect(groundOf(rules(), facts, now)).toBeNull())
  it('is whatever one of the rules names', () => {
    expect(groundOf(rules({ Everything: true }), facts, now)).toBe('everything')
    expect(groundOf(rules({ CategoryIds: ['3'] }), facts, now)).toBe('category')
    expect(groundOf(rules({ CategoryIds: ['4'] }), facts, now)).toBeNull()
    expect(groundOf(rules({ InCase: true }), facts, now)).toBeNull()
    expect(groundOf(rules({ InCase: true }), { ...facts, inCase: true }, now)).toBe('case')
    expect(groundOf(rules({ AfterDays: 9 }), facts, now)).toBe('age')
    expect(groundOf(rules({ AfterDays: 10 }), facts, now)).toBeNull()
  })
})

describe('windows', () => {
  const nights = [{ Days: [1, 2, 3, 4, 5], From: '22:00', To: '06:00' }]
  const ZONE = 'Europe/Berlin'

  it('are judged in the time zone of the station, and end on the day after', () => {
    // 2026-11-23 is a Monday; Berlin is an hour ahead of UTC.
    expect(isOpen(nights, at('2026-11-23T20:59:00Z'), ZONE)).toBe(false)
    expect(isOpen(nights, at('2026-11-23T21:00:00Z'), ZONE)).toBe(true)
    expect(isOpen(nights, at('2026-11-24T04:59:00Z'), ZONE)).toBe(true)
    expect(isOpen(nights, at('2026-11-24T05:00:00Z'), ZONE)).toBe(false)
    // Friday's window ends on Saturday; Saturday has none of its own.
    expect(isOpen(nights, at('2026-11-28T04:00:00Z'), ZONE)).toBe(true)
    expect(isOpen(nights, at('2026-11-28T21:30:00Z'), ZONE)).toBe(false)
    // Sunday's night is none, so Monday morning is closed.
    expect(isOpen(nights, at('2026-11-23T04:00:00Z'), ZONE)).toBe(false)
  })
  it('are open the whole day when they begin and end at the same time', () => {
    expect(isOpen([{ Days: [1], From: '00:00', To: '00:00' }], at('2026-11-23T12:00:00Z'), 'UTC')).toBe(true)
    expect(isOpen([{ Days: [1], From: '00:00', To: '00:00' }], at('2026-11-24T12:00:00Z'), 'UTC')).toBe(false)
  })
  it('are always open when there are none', () => expect(isOpen([], 0, ZONE)).toBe(true))
  it('name their next opening', () => {
    expect(nextOpening(nights, at('2026-11-23T20:30:20Z'), ZONE)).toBe(at('2026-11-23T21:00:00Z'))
    expect(nextOpening(nights, at('2026-11-28T12:00:00Z'), ZONE)).toBe(at('2026-11-30T21:00:00Z'))
    expect(nextOpening(nights, at('2026-11-23T22:00:00Z'), ZONE)).toBeNull()
  })
  it('follow the clock of the zone when it changes', () => {
    // On 2026-10-25 Berlin goes back an hour at 03:00.
    const sundays = [{ Days: [0], From: '04:00', To: '05:00' }]
    expect(isOpen(sundays, at('2026-10-25T03:30:00Z'), ZONE)).toBe(true)
    expect(isOpen(sundays, at('2026-10-25T02:30:00Z'), ZONE)).toBe(false)
  })
})

describe('the estimate', () => {
  const now = at('2026-11-23T12:00:00Z')
  it('needs a pace', () => {
    expect(estimateEnd(1000, null, [], now, 'UTC')).toBeNull()
    expect(estimateEnd(0, null, [], now, 'UTC')).toBe(now)
  })
  it('divides by the pace when it may always run', () =>
    expect(estimateEnd(1000, 100, [], now, 'UTC')).toBe(now + 10_000))
  it('waits for the windows', () => {
    const hour = [{ Days: [0, 1, 2, 3, 4, 5, 6], From: '20:00', To: '21:00' }]
    // 90 minutes of work: one hour today, half an hour tomorrow.
    expect(estimateEnd(5400, 1, hour, now, 'UTC')).toBe(at('2026-11-24T20:30:00Z'))
    // Ten hours of work: seven in a week, then three evenings.
    expect(estimateEnd(36_000, 1, hour, now, 'UTC')).toBe(at('2026-12-02T21:00:00Z'))
  })
})

it('the pace of the rules is in bits, the pace of bytes in bytes', () => {
  expect(paceOf(rules({ MegabitsPerSecond: 8 }))).toBe(1_000_000)
  expect(paceOf(rules())).toBeNull()
})

it('the pause after failures grows to a quarter of an hour', () => {
  expect([1, 2, 3, 8, 9, 100].map(backoffMs)).toEqual([5_000, 10_000, 20_000, 640_000, 900_000, 900_000])
})

describe('the local copy', () => {
  const now = at('2026-11-23T12:00:00Z')
  const original = {
    receipt: { sha256: 'aa', confirmedAt: now - 10 * DAY, keptUntil: 0 },
    lifecycle: 'None',
    holds: [] as string[],
    inDisposition: false,
    openQuestion: false,
    jobs: 0,
  }
  const facts = (change: object = {}, more: Partial<ClearFacts> = {}): ClearFacts => ({
    sha256: 'aa',
    originals: [{ ...original, ...change }],
    otherUses: 0,
    ...more,
  })
  const ten = { ClearAfterDays: 10 }

  it('may be cleared when everything is in order', () => expect(clearRefusal(ten, facts(), now)).toBeNull())
  it.each([
    ['Off', { ClearAfterDays: null }, facts()],
    ['NoReceipt', ten, facts({ receipt: null })],
    ['NoReceipt', ten, facts({}, { originals: [] })],
    ['NoReceipt', ten, facts({}, { originals: [original, { ...original, receipt: null }] })],
    ['OtherHash', ten, facts({ receipt: { ...original.receipt, sha256: 'bb' } })],
    ['TooEarly', { ClearAfterDays: 11 }, facts()],
    ['TooEarly', ten, facts({ receipt: { ...original.receipt, keptUntil: now + 1 } })],
    ['Held', ten, facts({ holds: ['CaseOpen'] })],
    ['Held', ten, facts({}, { originals: [original, { ...original, holds: ['Protected'] }] })],
    ['RetentionQuestion', ten, facts({ inDisposition: true })],
    ['Deleted', ten, facts({ lifecycle: 'Deleted' })],
    ['OpenQuestion', ten, facts({ openQuestion: true })],
    ['InWork', ten, facts({ jobs: 1 })],
    ['OtherUse', ten, facts({}, { otherUses: 1 })],
  ] as const)('stays: %s', (why, rule, given) => expect(clearRefusal(rule, given as ClearFacts, now)).toBe(why))
})

describe('fields', () => {
  const base: Fields = {
    Name: 'Front desk',
    Description: null,
    Tags: ['a', 'b'],
    Category: null,
    StartTimeUtc: '2026-11-20T02:47:31.240Z',
    EndTimeUtc: null,
    LocationText: null,
    LocationWKT: null,
    CustomFields: {},
  }
  it('that were changed here alone are sent', () => {
    expect(mergeFields(base, { ...base, Name: 'Back door' }, base)).toEqual({ send: ['Name'], conflicts: [] })
  })
  it('that were changed there alone are left', () => {
    expect(mergeFields(base, base, { ...base, Description: 'theirs' })).toEqual({ send: [], conflicts: [] })
  })
  it('that were changed on both sides are a question, unless both say the same', () => {
    const ours = { ...base, Name: 'ours', Description: 'same' }
    const theirs = { ...base, Name: 'theirs', Description: 'same' }
    expect(mergeFields(base, ours, theirs)).toEqual({ send: [], conflicts: ['Name'] })
  })
  it('B7 that differ are a question where nobody knows what was sent last', () => {
    const ours = { ...base, Name: 'ours' }
    expect(mergeFields({}, ours, base)).toEqual({ send: [], conflicts: ['Name'] })
    expect(mergeFields({ Name: 'Front desk' }, ours, base)).toEqual({ send: ['Name'], conflicts: [] })
  })
  it('mean the same in another order or form', () => {
    const theirs = {
      ...base,
      Description: '',
      Tags: ['b', 'a'],
      StartTimeUtc: '2026-11-20T03:47:31.24+01:00',
      CustomFields: {},
    }
    expect(mergeFields(base, base, theirs)).toEqual({ send: [], conflicts: [] })
    expect(mergeFields(theirs, base, { ...base, Name: 'x' })).toEqual({ send: [], conflicts: [] })
  })
})

describe('B7 the names at headquarters of what a restored station made under a number that it gave out before', () => {
  const origin = 'sallyport.local/9f3c41d8e07a5b12'
  const [monday, tuesday] = ['2026-11-23T10:00:00.000Z', '2026-11-24T10:00:00.000Z']

  it('are other ones', () => {
    expect(sourceIdOf(origin, 57, monday)).toBe(`${origin}/evidence/57/${Date.parse(monday)}`)
    expect(sourceIdOf(origin, 57, tuesday)).not.toBe(sourceIdOf(origin, 57, monday))
    expect(caseTagOf(origin, 57, tuesday)).not.toBe(caseTagOf(origin, 57, monday))
  })
  it('keep their numbers in a tag, however long the origin is', () => {
    const tag = caseTagOf(`${'x'.repeat(200)}.example/ledger`, 123_456, monday)
    expect(tag).toHaveLength(64)
    expect(tag.endsWith(`.example/ledger case 123456 ${Date.parse(monday)}`)).toBe(true)
  })
})
