import { describe, expect, it } from 'vitest'
import { daysLeft, leftWords, speedsBetween, standingOf } from './queries.ts'

const NOW = Date.parse('2026-11-20T12:00:00Z')
const inDays = (days: number): string => new Date(NOW + days * 86_400_000).toISOString()
type Certificate = Parameters<typeof standingOf>[0]
const ending = (days: number, renews: string | null): Certificate =>
  ({ NotAfterUtc: inDays(days), RenewsTimeUtc: renews }) as Certificate

describe('how long a certificate stands', () => {
  it.each([
    // The station renews it by itself: only where it did not has somebody to look.
    ['of the server', inDays(1), 14, 'good'],
    ['of the server', inDays(1), 13.9, 'ends'],
    ['of the CA, which nobody renews', null, 60, 'good'],
    ['of the CA, which nobody renews', null, 59.9, 'ends'],
    ['that is over', inDays(-1), 0, 'ended'],
    ['of the CA that is over', null, -1, 'ended'],
  ] as const)('%s, renewed %s, %s days before its end: %s', (_of, renews, days, standing) => {
    expect(standingOf(ending(days, renews), NOW)).toBe(standing)
  })

  it('counts whole days, and is below none once it is over', () => {
    expect([daysLeft(inDays(1.5), NOW), daysLeft(inDays(0.5), NOW), daysLeft(inDays(-0.5), NOW)]).toEqual([1, 0, -1])
  })

  it('says days as long as somebody counts them, years beyond, and that it is over', () => {
    const t = ((word: string, values?: { count: number }) =>
      values === undefined ? word : `${word} ${values.count}`) as unknown as Parameters<typeof leftWords>[1]
    const from = (days: number) => leftWords({ ...ending(0, null), NotAfterUtc: soon(days) }, t)
    // By the clock of now: half a day keeps the whole days apart from it.
    const soon = (days: number): string => new Date(Date.now() + (days + 0.5) * 86_400_000).toISOString()
    expect([from(-1), from(1), from(729), from(731)]).toEqual(['ended', 'daysLeft 1', 'daysLeft 729', 'yearsLeft 2'])
  })
})

describe('how fast a host is', () => {
  type Answer = Parameters<typeof speedsBetween>[1]
  const answer = (seconds: number, received: number, sent: number, since = 'a'): Answer =>
    ({
      TimeUtc: new Date(NOW + seconds * 1000).toISOString(),
      Items: [{ Address: '10.0.0.7', SinceUtc: since, BytesReceived: received, BytesSent: sent }],
    }) as unknown as Answer
  const speed = (before: Answer | null, now: Answer) => speedsBetween(before, now)[0]?.speed

  it('is what came and went since it was last asked, by the second', () => {
    expect(speed(answer(0, 100, 1000), answer(5, 600, 1000))).toEqual({ in: 100, out: 0 })
  })

  it('is not known the first time, of another connection, and where no time went by', () => {
    expect(speed(null, answer(5, 600, 1000))).toBe(null)
    expect(speed(answer(0, 100, 1000, 'b'), answer(5, 600, 1000))).toBe(null)
    expect(speed(answer(5, 100, 1000), answer(5, 600, 1000))).toBe(null)
  })

  it('is never below nothing, whatever the figures say', () => {
    expect(speed(answer(0, 900, 1000), answer(5, 600, 2000))).toEqual({ in: 0, out: 200 })
  })
})
