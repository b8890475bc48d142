import { describe, expect, it } from 'vitest'
import { DAY } from '../../../shared/correlation/rules.ts'
import {
  firstOf,
  FIRST_RULE_ALONE,
  type Incident,
  judge,
  type Known,
  MOST_LINKS,
  namesNumber,
  planOf,
  type Recording,
  type Rules,
  type Standing,
  type Verdict,
  windowOf,
} from './engine.ts'
import { lengthOf, verdictWords } from './explanation-text.ts'

/** Reckoned by hand, on one evening: 14:00 UTC is zero. */
const ZERO = Date.UTC(2026, 10, 20, 14)
const at = (minutes: number, seconds = 0): number => ZERO + (minutes * 60 + seconds) * 1000

const recording = (more: Partial<Recording> = {}): Recording => ({
  evidenceId: 1,
  deviceId: 'cam',
  from: at(10),
  to: at(20),
  offset: 0,
  uncertainty: 3000,
  active: true,
  officers: [{ principalId: 7, waits: false }],
  place: null,
  names: ['clip.mp4'],
  ...more,
})
const incident = (more: Partial<Incident> = {}): Incident => ({
  caseId: 1,
  from: at(12),
  to: at(18),
  assigned: [7],
  number: '2026-11-4711',
  place: null,
  ...more,
})
const naming = { officer: (id: number) => (id === 7 ? 'Anna Novak' : `officer ${id}`) }
const told = (one: Recording, two: Incident, rules: Rules = FIRST_RULE_ALONE) => {
  const verdict = judge(one, two, rules)
  return { verdict, words: verdictWords(verdict, naming) }
}

describe('ten worked cases', () => {
  it('1: assigned, worn, and recorded through the whole call', () => {
    const { verdict, words } = told(recording(), incident())
    expect(verdict).toMatchObject({ rule: 'officer', overlap: 600_000, confidence: 'High', waits: false })
    expect(words).toBe(
      'The call, with two minutes on each side, is 2026-11-20 14:10:00 UTC to 2026-11-20 14:20:00 UTC. ' +
        "The camera was Anna Novak's when it recorded. Anna Novak was assigned to the call. " +
        'The association of camera and officer stands. ' +
        'The recording is 2026-11-20 14:10:00 UTC to 2026-11-20 14:20:00 UTC: 10 min of it lie within. ' +
        'The camera’s clock was right (right to 3 s either way). Confidence: high.',
    )
  })

  it('2: overlap counts, not start: it began an hour before the call and goes on into it', () => {
    const { verdict } = told(recording({ from: at(-50), to: at(13) }), incident())
    expect(verdict).toMatchObject({ rule: 'officer', overlap: 180_000, confidence: 'High' })
  })

  it('3: corrected time, not camera time: by the camera it would have missed the call by far', () => {
    const slow = recording({ from: at(12), to: at(14), offset: 5_400_000, uncertainty: 2000 })
    const { verdict, words } = told(slow, incident())
    expect(verdict).toMatchObject({ rule: 'officer', overlap: 120_000, confidence: 'High' })
    expect(words).toContain('The camera’s clock was 1 h 30 min slow and was put right (right to 2 s either way).')
  })

  it('4: only the two minutes beside the call meet it', () => {
    const { verdict } = told(recording({ from: at(19), to: at(40) }), incident())
    expect(verdict).toMatchObject({ rule: 'officer', overlap: 60_000, confidence: 'Low' })
    // The end itself is outside.
    expect(told(recording({ from: at(20), to: at(40) }), incident()).verdict.rule).toBeNull()
  })

  it('5: it ended before the call', () => {
    const { verdict, words } = told(recording({ from: at(0), to: at(5) }), incident())
    expect(verdict).toMatchObject({ rule: null, overlap: 0 })
    expect(words).toBe(
      'The recording is 2026-11-20 14:00:00 UTC to 2026-11-20 14:05:00 UTC: it ends 5 min before that. ' +
        'The camera’s clock was right (right to 3 s either way).',
    )
  })

  it('6: no officer who had the camera was assigned', () => {
    const { verdict, words } = told(recording(), incident({ assigned: [8] }))
    expect(verdict.rule).toBeNull()
    expect(words).toBe('Nobody who had the camera was assigned to the call.')
  })

  it('7: the camera was associated with no officer, and not active', () => {
    const { verdict, words } = told(recording({ active: false, officers: [] }), incident())
    expect(verdict.rule).toBeNull()
    expect(words).toBe(
      'The camera was not active when it recorded. ' +
        'The camera was nobody’s when it recorded: no association covers that moment. ' +
        'Nobody who had the camera was assigned to the call.',
    )
  })

  it('8: an association that was made afterwards and is not confirmed', () => {
    const { verdict, words } = told(recording({ officers: [{ principalId: 7, waits: true }] }), incident())
    expect(verdict).toMatchObject({ rule: null, waits: true })
    expect(words).toBe(
      'The association of camera and officer was made afterwards and waits for a second person to confirm it.',
    )
  })

  it('9: the offset of the camera’s clock is unknown: less confidence, and the text says so', () => {
    const { verdict, words } = told(recording({ offset: null, uncertainty: null }), incident())
    expect(verdict).toMatchObject({ rule: 'officer', confidence: 'Medium' })
    expect(words).toContain('What the camera’s clock showed is not known; its times are taken as they are.')
  })

  it('10: a clock so uncertain that it may not meet the call at all', () => {
    const { verdict } = told(recording({ uncertainty: 11 * 60_000 }), incident())
    expect(verdict).toMatchObject({ rule: 'officer', confidence: 'Low' })
  })
})

describe('the window', () => {
  it('is the incident and two minutes; without an end the moment of its start; never longer than a day', () => {
    expect(windowOf({ from: at(0), to: at(6) })).toEqual({ from: at(-2), to: at(8), cut: false })
    expect(windowOf({ from: at(0), to: null })).toEqual({ from: at(-2), to: at(2), cut: false })
    expect(windowOf({ from: at(0), to: at(3000) })).toEqual({ from: at(-2), to: at(-2) + DAY, cut: true })
    expect(windowOf({ from: null, to: at(3) })).toBeNull()
  })

  it('a case without a time takes nothing', () => {
    const { verdict, words } = told(recording(), incident({ from: null, to: null }))
    expect(verdict.rule).toBeNull()
    expect(words).toBe('The case does not say when it began, so no recording can be compared with it.')
  })

  it('a recording of which only the start is known meets by that moment', () => {
    expect(told(recording({ from: at(12), to: at(12) }), incident()).verdict.rule).toBe('officer')
    expect(told(recording({ from: at(20), to: at(20) }), incident()).verdict.rule).toBe('officer')
    expect(told(recording({ from: at(20, 1), to: at(20, 1) }), incident()).verdict.rule).toBeNull()
  })
})

describe('further rules, off by default', () => {
  const foreign = { assigned: [8] }
  const here = { latitude: 48.2, longitude: 16.3 }
  it('the same place within a radius, in its time', () => {
    const near = recording({ place: { latitude: 48.201, longitude: 16.3 } })
    const call = incident({ ...foreign, place: here })
    expect(judge(near, call, FIRST_RULE_ALONE).rule).toBeNull()
    expect(judge(near, call, { place: 120, number: false })).toMatchObject({ rule: 'place', confidence: 'Medium' })
    expect(judge(near, call, { place: 100, number: false }).rule).toBeNull()
    expect(judge({ ...near, from: at(40), to: at(50) }, call, { place: 120, number: false }).rule).toBeNull()
  })

  it('the number of the call in a file name or a mark, as a whole', () => {
    const rules = { place: null, number: true }
    expect(judge(recording({ names: ['call_2026-11-4711.mp4'] }), incident(foreign), rules).rule).toBe('number')
    expect(judge(recording({ names: ['2026-11-47115.mp4'] }), incident(foreign), rules).rule).toBeNull()
    expect(namesNumber(['Mark: 4711!'], '4711')).toBe(true)
    expect(namesNumber(['mark 12'], '12')).toBe(false)
  })
})

describe('the decision', () => {
  const judged = (caseId: number, standing: Standing, fits = true, more: Partial<Verdict> = {}) => ({
    verdict: {
      ...judge(recording(), incident({ caseId }), FIRST_RULE_ALONE),
      rule: fits ? ('officer' as const) : null,
      ...more,
    },
    start: at(caseId),
    standing,
  })
  const known = (linked: Record<number, boolean> = {}, refused: number[] = []): Known => ({
    linked: new Map(Object.entries(linked).map(([id, confirmed]) => [Number(id), { confirmed }])),
    refused: new Set(refused),
  })
  const cases = (verdicts: readonly { caseId: number }[]): number[] => verdicts.map(({ caseId }) => caseId)

  it('links recordings that fit, withdraws links that do not, and does not repeat rejected links', () => {
    const plan = planOf([judged(1, 'open'), judged(2, 'open', false), judged(3, 'open')], known({ 2: false }, [3]))
    expect([cases(plan.link), cases(plan.withdraw), cases(plan.keep), plan.review]).toEqual([[1], [2], [], []])
  })

  it.each([
    ['closed', 'CaseClosed'],
    ['protected', 'CaseProtected'],
  ] as const)('asks before it touches a %s case', (standing, because) => {
    const plan = planOf([judged(1, standing), judged(2, standing, false)], known({ 2: false }))
    expect([plan.link, plan.withdraw]).toEqual([[], []])
    expect(plan.review.map(({ act, because: why, verdict }) => [verdict.caseId, act, why])).toEqual([
      [1, 'Link', because],
      [2, 'Withdraw', because],
    ])
  })

  it('asks before it takes back what somebody confirmed, and before it trusts what nobody confirmed', () => {
    const waiting = judged(2, 'open', false, { waits: true })
    const plan = planOf([judged(1, 'open', false), waiting], known({ 1: true }))
    expect(plan.review.map(({ act, because }) => [act, because])).toEqual([
      ['Withdraw', 'Confirmed'],
      ['Link', 'AssociationWaits'],
    ])
    expect([plan.link, plan.withdraw]).toEqual([[], []])
  })

  it('leaves a deleted case as it is', () => {
    const plan = planOf([judged(1, 'deleted'), judged(2, 'deleted', false)], known({ 2: false }))
    expect(plan).toEqual({ link: [], withdraw: [], keep: [], review: [] })
  })

  it('fifty of an evidence: greatest overlap, then the earliest case, then its number; confirmed ones take their place', () => {
    const many = Array.from({ length: 60 }, (_, id) => judged(id + 1, 'open', true, { overlap: id < 5 ? 1 : 1000 }))
    const plan = planOf(many, known({ 60: true }))
    expect(plan.link).toHaveLength(MOST_LINKS - 1)
    expect(cases(plan.link)).toEqual(Array.from({ length: 49 }, (_, id) => id + 6))
    const tie = [7, 3, 5].map((caseId) => ({ verdict: judged(caseId, 'open').verdict, start: at(0) }))
    expect([...firstOf(tie, 2)]).toEqual([3, 5])
  })
})

it('durations are written as people say them', () => {
  expect([0, 999, 61_000, 3_600_000, -5000].map(lengthOf)).toEqual(['0 s', '1 s', '1 min 1 s', '1 h', '5 s'])
})
