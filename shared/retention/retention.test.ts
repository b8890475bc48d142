import { describe, expect, it } from 'vitest'
import {
  type CaseFacts,
  DAY,
  type HoldCode,
  judge,
  looksAgain,
  mayGo,
  type RetentionFacts,
  sourceFits,
  type Term,
} from './retention.ts'

const NOW = 1_000 * DAY
const BIN = 7
const days = (count: number | null, id = 'c'): Term => ({ id, name: id, days: count })
const closed = (more: Partial<CaseFacts> = {}): CaseFacts => ({
  caseId: '1',
  ordinal: '2026-000001',
  state: 'Closed',
  lifecycle: 'Normal',
  protectedUntil: null,
  closedAt: NOW - 100 * DAY,
  category: days(50),
  ...more,
})
const facts = (more: Partial<RetentionFacts> = {}): RetentionFacts => ({
  lifecycle: 'None',
  protectedUntil: null,
  deletedAt: null,
  endedAt: null,
  createdAt: NOW - 200 * DAY,
  category: null,
  sources: [],
  cases: [closed()],
  disclosed: [],
  withdrawnAt: [],
  keptUntil: null,
  unfinished: false,
  ...more,
})
const dueIn = (more: Partial<RetentionFacts>): number | null => {
  const { due } = judge(facts(more), NOW, BIN)
  return due === null ? null : (due - NOW) / DAY
}

describe('when it is due', () => {
  it.each<[string, Partial<RetentionFacts>, number | null]>([
    ['runs from the closing', {}, -50],
    ['of the last of its cases', { cases: [closed(), closed({ caseId: '2', closedAt: NOW - 10 * DAY })] }, 40],
    ['the longest of all wins: another case', { cases: [closed(), closed({ category: days(300) })] }, 200],
    ['its own category', { category: days(300) }, 200],
    ['a source', { sources: [days(20), days(300)] }, 200],
    ['a shorter one changes nothing', { category: days(1), sources: [days(1)] }, -50],
    ['a category that keeps, keeps', { category: days(null) }, null],
    ['a source that keeps, keeps', { sources: [days(null)] }, null],
    ['a case without a category keeps', { cases: [closed(), closed({ category: null })] }, null],
    ['never while a case is open', { cases: [closed(), closed({ state: 'Open', closedAt: null })] }, null],
    ['never where nobody knows when it was closed', { cases: [closed({ closedAt: null })] }, null],
    ['in no case and of no category never', { cases: [] }, null],
    ['in no case by its own category, from its coming in', { cases: [], category: days(150) }, -50],
    ['in no case by its source alone', { cases: [], sources: [days(250)] }, 50],
    ['from its end, where that is later', { cases: [], category: days(10), endedAt: NOW }, 10],
    ['a camera years behind makes nothing due', { cases: [], category: days(250), endedAt: 0 }, 50],
    ['what was deleted, after its time in the bin', { lifecycle: 'Deleted', deletedAt: NOW - DAY }, 6],
    ['whatever its retention', { lifecycle: 'Deleted', deletedAt: NOW, category: days(null) }, 7],
    ['what is destroyed never', { lifecycle: 'Destroyed' }, null],
  ])('%s', (_, more, expected) => expect(dueIn(more)).toBe(expected))
})

describe('what keeps it', () => {
  it.each<[HoldCode, Partial<RetentionFacts>]>([
    ['CaseOpen', { lifecycle: 'Deleted', deletedAt: 0, cases: [closed({ state: 'Open' })] }],
    ['CaseDeleted', { cases: [closed({ lifecycle: 'Deleted' })] }],
    ['CaseDeleted', { lifecycle: 'Deleted', deletedAt: 0, cases: [closed({ lifecycle: 'Deleted' })] }],
    ['CaseProtected', { cases: [closed({ lifecycle: 'Protected' })] }],
    ['CaseProtected', { cases: [closed({ lifecycle: 'Protected', protectedUntil: NOW + 1 })] }],
    ['Protected', { lifecycle: 'Protected' }],
    ['Protected', { lifecycle: 'Protected', protectedUntil: NOW + 1 }],
    ['LinkWithdrawn', { withdrawnAt: [NOW - DAY] }],
    ['Kept', { keptUntil: NOW + 1 }],
    ['Unfinished', { unfinished: true }],
    ['Disclosed', { disclosed: [{ caseId: '7', ordinal: '2026-000007' }] }],
    ['Disclosed', { lifecycle: 'Deleted', deletedAt: 0, disclosed: [{ caseId: '7', ordinal: '2026-000007' }] }],
  ])('%s', (code, more) => {
    const judged = judge(facts(more), NOW, BIN)
    expect(judged.holds.map((hold) => hold.code)).toEqual([code])
    expect(mayGo(judged, NOW)).toBe(false)
  })

  it('a protection that has run out, or a keep that is over, keeps nothing', () => {
    for (const more of [
      { cases: [closed({ lifecycle: 'Protected' as const, protectedUntil: NOW })] },
      { lifecycle: 'Protected' as const, protectedUntil: NOW },
      { keptUntil: NOW },
    ])
      expect(mayGo(judge(facts(more), NOW, BIN), NOW)).toBe(true)
  })

  it('to the instant: not a millisecond before it is due', () => {
    const judged = judge(facts(), NOW, BIN)
    expect([mayGo(judged, (judged.due as number) - 1), mayGo(judged, judged.due as number)]).toEqual([false, true])
  })
})

it('looks again when time alone changes something, and else not before something else does', () => {
  const at = (more: Partial<RetentionFacts>): number | null => looksAgain(judge(facts(more), NOW, BIN), NOW)
  expect(at({})).toBeNull()
  expect(at({ category: days(300) })).toBe(NOW + 200 * DAY)
  expect(at({ keptUntil: NOW + 5, lifecycle: 'Protected', protectedUntil: NOW + 9 })).toBe(NOW + 9)
  expect(at({ lifecycle: 'Protected' })).toBeNull()
  expect(at({ withdrawnAt: [5], keptUntil: NOW + 5 })).toBeNull()
})

it('a source policy fits where each member that it names does', () => {
  const evidence = { deviceType: 'BodyWornCamera', sourceId: 'Gate 3', uploader: 'service' } as const
  const none = { deviceType: null, sourceId: null, uploader: null }
  expect(sourceFits(none, evidence)).toBe(false)
  expect(sourceFits({ ...none, deviceType: ' bodyworncamera' }, evidence)).toBe(true)
  expect(sourceFits({ ...none, deviceType: 'BodyWornCamera', sourceId: 'gate 3', uploader: 'service' }, evidence)).toBe(
    true,
  )
  expect(sourceFits({ ...none, deviceType: 'BodyWornCamera', sourceId: 'gate 4' }, evidence)).toBe(false)
  expect(sourceFits({ ...none, sourceId: 'gate 3' }, { ...evidence, sourceId: null })).toBe(false)
})
