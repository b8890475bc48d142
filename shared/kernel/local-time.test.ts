import { describe, expect, test } from 'vitest'
import { isLocalTime, localTimeIn } from './local-time.ts'

describe('local times', () => {
  test.each([
    ['2026-11-20T14:07:42', true],
    ['2026-11-20T14:07:42.1234567', true],
    ['2026-11-20T14:07:42Z', false],
    ['2026-11-20T14:07:42+01:00', false],
    ['2026-11-20 14:07:42', false],
    ['', false],
  ])('%s is a local time: %s', (text, expected) => expect(isLocalTime(text)).toBe(expected))

  test.each([
    ['2026-11-20T14:07:42.25', 'Europe/Vienna', '2026-11-20T13:07:42.25Z'],
    ['2026-07-20T14:07:42', 'Europe/Vienna', '2026-07-20T12:07:42Z'],
    ['2026-11-20T14:07:42', 'UTC', '2026-11-20T14:07:42Z'],
    // Shown twice: the earlier of both. Never shown: as if the clocks had not been put forward.
    ['2026-10-25T02:30:00', 'Europe/Vienna', '2026-10-25T00:30:00Z'],
    ['2026-03-29T02:30:00', 'Europe/Vienna', '2026-03-29T01:30:00Z'],
    ['2026-02-30T02:30:00', 'Europe/Vienna', null],
    ['2026-11-20T24:00:00', 'Europe/Vienna', null],
    ['2026-11-20T14:07:42Z', 'Europe/Vienna', null],
  ])('%s in %s is %s', (local, zone, expected) => expect(localTimeIn(local, zone)?.text ?? null).toBe(expected))

  test('ticks have the fraction', () => {
    expect(localTimeIn('1970-01-01T00:00:01.0000001', 'UTC')?.ticks).toBe(10_000_001n)
  })
})
