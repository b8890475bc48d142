import { describe, expect, it } from 'vitest'
import { dayStart, waiverEnds } from './warnings.ts'

const at = (text: string): number => Date.parse(text)
const iso = (millis: number): string => new Date(millis).toISOString()

describe('the ends that a waiver may have', () => {
  it('are days of the zone, not of UTC', () => {
    // It is the 13th in Auckland already.
    expect(iso(dayStart(at('2026-03-12T12:00:00Z'), 'Pacific/Auckland'))).toBe('2026-03-12T11:00:00.000Z')
    expect(iso(dayStart(at('2026-03-12T12:00:00Z'), 'UTC'))).toBe('2026-03-12T00:00:00.000Z')
    // It is the 11th in Los Angeles still.
    expect(iso(dayStart(at('2026-03-12T05:00:00Z'), 'America/Los_Angeles'))).toBe('2026-03-11T07:00:00.000Z')
  })

  it('begin tomorrow and end on the 90th day, across a change of the clock', () => {
    const { earliest, latest } = waiverEnds(at('2026-03-12T22:30:00Z'), 'Europe/Berlin')
    expect([iso(earliest), iso(latest)]).toEqual(['2026-03-12T23:00:00.000Z', '2026-06-09T22:00:00.000Z'])
  })

  it('go over months and years', () => {
    expect(iso(dayStart(at('2026-12-31T10:00:00Z'), 'UTC', 1))).toBe('2027-01-01T00:00:00.000Z')
    expect(iso(dayStart(at('2028-02-01T10:00:00Z'), 'UTC', 29))).toBe('2028-03-01T00:00:00.000Z')
  })

  it('a day whose midnight the clocks leave out begins where they go on', () => {
    // In Beirut the clocks went from 00:00 to 01:00 on 29 March 2026.
    const start = dayStart(at('2026-03-29T10:00:00Z'), 'Asia/Beirut')
    expect(iso(start)).toBe('2026-03-28T22:00:00.000Z')
    expect(dayStart(start, 'Asia/Beirut')).toBe(start)
  })
})
