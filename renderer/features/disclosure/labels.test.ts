import { describe, expect, it } from 'vitest'
import type { Summary } from '../../client/disclosure/disclosure.ts'
import type { Format } from '../../ui/format/use-format.tsx'
import { papersFor } from './papers.ts'
import { changeWords, countWords, dayWords, isOver, recipientWords, stateOf, type Words } from './labels.ts'

/** Which message, and with what. */
const t = ((key: string, fill?: object) => (fill === undefined ? key : `${key} ${JSON.stringify(fill)}`)) as Words
const format = { zone: 'Europe/Berlin', day: (at: string) => at.slice(0, 10), count: String } as unknown as Format
const names = new Map([['1', 'Statement']])

describe('what is due', () => {
  it.each([
    ['new', null, 'dueNew'],
    ['new', '5', 'dueNewFile'],
    ['changed', '5', 'dueChanged'],
    ['ground-fell', null, 'dueGroundFell'],
    ['restricted', null, 'dueRestricted'],
  ] as const)('is said for %s of file %s as %s', (Reason, ResourceId, key) => {
    expect(changeWords({ Reason, EvidenceId: '1', ResourceId }, names, t)).toBe(`${key} {"name":"Statement"}`)
  })

  it('names what this person cannot view by its number', () => {
    const said = changeWords({ Reason: 'new', EvidenceId: '2', ResourceId: null }, names, t)
    expect(said).toContain('evidenceNo')
    expect(said).not.toContain('Statement')
  })

  it('is counted by kind', () => {
    const change = (Reason: 'new' | 'changed') => ({ Reason, EvidenceId: '1', ResourceId: null })
    expect(countWords([change('new'), change('changed'), change('new')], t, format)).toBe(
      'countNew {"count":2,"shown":"2"}, countChanged {"count":1,"shown":"1"}',
    )
  })

  it('is over from the day after', () => {
    expect(isOver('2026-11-27', '2026-11-28')).toBe(true)
    expect(isOver('2026-11-28', '2026-11-28')).toBe(false)
    expect(isOver(null, '2026-11-28')).toBe(false)
    expect(dayWords('2026-11-27', '2026-11-28', t, format)).toEqual({
      state: 'attention',
      words: 'dueOver {"day":"2026-11-27"}',
    })
    expect(dayWords('2026-11-28', '2026-11-28', t, format).words).toBe('dueDay {"day":"2026-11-28"}')
    expect(dayWords(null, '2026-11-28', t, format).words).toBe('dueNoDay')
  })
})

const one = (more: Partial<Summary> = {}): Summary =>
  ({
    Recipient: { Name: 'A. Mercer', Role: 'defence', Organisation: '' },
    SupersededBy: null,
    Acknowledged: null,
    ...more,
  }) as Summary

describe('a record', () => {
  it('says whether it was acknowledged, and before that whether another one stands in its place', () => {
    expect(stateOf(one(), t).words).toBe('stateWaiting')
    expect(stateOf(one({ Acknowledged: {} as never }), t).words).toBe('stateAcknowledged')
    expect(stateOf(one({ Acknowledged: {} as never, SupersededBy: 4 }), t).words).toBe('stateReplaced {"no":4}')
  })

  it('names its recipient without what was not said', () => {
    expect(recipientWords(one().Recipient, t)).toBe('A. Mercer, defence')
  })

  it('C5: has no paper about what is sensitive for those who may not have it', () => {
    const schedules = (Role: Summary['Recipient']['Role']): string[] =>
      papersFor(one({ Recipient: { ...one().Recipient, Role } })).map((paper) =>
        paper.kind === 'receipt' ? 'receipt' : `${paper.schedule} ${paper.format}`,
      )
    const open = ['receipt', 'list pdf', 'list csv', 'MG6C pdf', 'MG6C csv']
    for (const role of ['defence', 'insurer', 'public-records', 'agency'] as const)
      expect(schedules(role)).toEqual(open)
    for (const role of ['prosecutor', 'court'] as const)
      expect(schedules(role)).toEqual([...open, 'MG6D pdf', 'MG6D csv', 'MG6E pdf'])
  })
})
