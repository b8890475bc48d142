import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseTime, timeOf } from './time.ts'

describe('times', () => {
  it.each([
    ['2026-11-20T02:47:31Z', '2026-11-20T02:47:31Z'],
    ['2026-11-20T02:47:31.2400000Z', '2026-11-20T02:47:31.2400000Z'],
    ['2026-11-20T02:47:31.1+01:00', '2026-11-20T01:47:31.1Z'],
    ['2026-11-20T02:47+0100', '2026-11-20T01:47:00Z'],
    ['2024-02-29T23:59:59.9999999-14:00', '2024-03-01T13:59:59.9999999Z'],
    ['0001-01-01T00:00:00Z', '0001-01-01T00:00:00Z'],
    ['2026-11-20T02:47:31', '2026-11-20T02:47:31Z'],
  ])('reads %s as %s', (text, given) => expect(parseTime(text, { utcMember: true })?.text).toBe(given))

  it.each([
    '',
    '2026-11-20',
    '2026-02-30T00:00:00Z',
    '2026-11-20T24:00:00Z',
    '2026-11-20T02:47:60Z',
    '2026-11-20T02:47:31.12345678Z',
    '2026-11-20T02:47:31+15:00',
    '2026-11-20 02:47:31Z',
    '0000-01-01T00:00:00Z',
  ])('refuses %s', (text) => expect(parseTime(text, { utcMember: true })).toBeNull())

  it('refuses a time without an offset where the member is not named Utc', () => {
    expect(parseTime('2026-11-20T02:47:31', { utcMember: false })).toBeNull()
  })

  it('orders by ticks as the instants are ordered, and keeps the precision received', () => {
    const digits = fc.integer({ min: 0, max: 7 })
    fc.assert(
      fc.property(
        fc.date({ min: new Date('1900-01-01T00:00:00Z'), max: new Date('2100-01-01T00:00:00Z'), noInvalidDate: true }),
        digits,
        fc.integer({ min: 0, max: 9_999_999 }),
        (date, count, fraction) => {
          const part = String(fraction).padStart(7, '0').slice(0, count)
          const text = `${date.toISOString().slice(0, 19)}${count === 0 ? '' : `.${part}`}Z`
          const time = parseTime(text, { utcMember: false })
          expect(time?.text).toBe(text)
          expect(time?.ticks).toBe(
            BigInt(Math.floor(date.getTime() / 1000)) * 10_000_000n + BigInt(part.padEnd(7, '0')),
          )
        },
      ),
    )
    expect(timeOf(1).ticks).toBe(10_000n)
  })
})
