import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import * as write from './format.ts'

/** No-break spaces made visible, so that a table of cases can be read. */
const seen = (text: string): string => text.replaceAll('\u00a0', '_').replaceAll('\u202f', '^')
const PARIS = 'Europe/Paris'

describe('amounts', () => {
  it.each([
    [0, '0_B', '0_o'],
    [999, '999_B', '999_o'],
    [14_200, '14_kB', '14_ko'],
    [999_499, '999_kB', '999_ko'],
    [999_500, '1.00_MB', '1,00_Mo'],
    [8_400_000, '8.40_MB', '8,40_Mo'],
    [10_650_000_000, '10.7_GB', '10,7_Go'],
    [1_900_000_000, '1.90_GB', '1,90_Go'],
    [301_000_000, '301_MB', '301_Mo'],
    [999_950_000, '1.00_GB', '1,00_Go'],
    [3_100_000_000_000, '3.10_TB', '3,10_To'],
  ])('%d bytes', (bytes, english, french) => {
    expect(seen(write.bytes('en', bytes))).toBe(english)
    expect(seen(write.bytes('fr', bytes))).toBe(french)
  })

  it('never writes four digits before the unit, up to petabytes', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 9e14 }), (bytes) => {
        expect(write.bytes('en', bytes)).toMatch(/^\d{1,3}(\.\d{1,2})?\u00a0(B|[kMGT]B)$/)
      }),
    )
  })

  it('groups, counts every byte, and never rounds a share up to all', () => {
    expect(seen(write.count('en', 12_418))).toBe('12,418')
    expect(seen(write.count('fr', 12_418))).toBe('12^418')
    expect(write.exactBytes('en', 1)).toBe('1 byte')
    expect(seen(write.exactBytes('fr', 1_898_234_112))).toBe('1^898^234^112 octets')
    expect(seen(write.percent('en', 0.996))).toBe('99_%')
    expect(seen(write.percent('fr', 1))).toBe('100_%')
    expect(seen(write.speed('fr', 38_000_000))).toBe('38,0_Mo/s')
  })
})

describe('lengths', () => {
  it.each([
    [0, '0_s', '0_s'],
    [0.4, '0.4_s', '0,4_s'],
    [45, '45_s', '45_s'],
    [59.97, '1_min_00_s', '1_min_00_s'],
    [1_120, '18_min_40_s', '18_min_40_s'],
    [1_265, '21_min_05_s', '21_min_05_s'],
    [21_720, '6_h_02_min', '6_h_02_min'],
    [3_599.6, '1_h_00_min', '1_h_00_min'],
    [86_399, '1_d_0_h', '1_j_0_h'],
    [273_600, '3_d_4_h', '3_j_4_h'],
  ])('%d s', (seconds, english, french) => {
    expect(seen(write.duration('en', seconds))).toBe(english)
    expect(seen(write.duration('fr', seconds))).toBe(french)
  })

  it.each([
    [384.24, '06:24.240'],
    [0, '00:00.000'],
    [3_723, '1:02:03.000'],
    [59.9999, '00:59.999'],
  ])('a place at %d s', (seconds, place) => expect(write.position(seconds)).toBe(place))

  it('a place without milliseconds, and never ahead of the picture', () => {
    expect(write.position(1_120, false)).toBe('18:40')
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 100_000_000 }), (milliseconds) => {
        const [clock = '', fraction = ''] = write.position(milliseconds / 1000).split('.')
        const seconds = clock.split(':').reduce((sum, part) => sum * 60 + Number(part), 0)
        expect(seconds * 1000 + Number(fraction)).toBe(milliseconds)
      }),
    )
  })

  it.each([
    [4, false, 'about 10_s', 'environ 10_s'],
    [59, false, 'about 1_min', 'environ 1_min'],
    [61, false, 'about 2_min', 'environ 2_min'],
    [120, true, '2_min', '2_min'],
    [3_700, true, '1_h_02_min', '1_h_02_min'],
    [Number.POSITIVE_INFINITY, true, '', ''],
  ])('%d s left', (seconds, sure, english, french) => {
    expect(seen(write.timeLeft('en', seconds, sure))).toBe(english)
    expect(seen(write.timeLeft('fr', seconds, sure))).toBe(french)
  })

  it.each([
    [72, '+1_min_12_s'],
    [-3, '−3_s'],
    [0.24, '+0.240_s'],
    [3_600, '+1_h'],
    [-90_061, '−1_d_1_h_1_min_1_s'],
  ])('a clock off by %d s', (seconds, words) => expect(seen(write.offset('en', seconds))).toBe(words))
})

describe('instants', () => {
  const at = '2026-11-20T01:47:31.240Z'

  it('in the zone of the station, whatever the reader’s own is', () => {
    expect(write.instant('en', PARIS, at, { zone: true })).toBe('20 Nov 2026 02:47:31 CET')
    expect(write.instant('fr', PARIS, at, { zone: true })).toBe('20 nov. 2026 02:47:31 CET')
    expect(write.instant('en', 'America/New_York', at, { zone: true })).toBe('19 Nov 2026 20:47:31 EST')
    expect(write.instant('en', 'UTC', at, { zone: true, precision: 'millisecond' })).toBe(
      '20 Nov 2026 01:47:31.240 UTC',
    )
    expect(write.instant('en', PARIS, at, { precision: 'minute', year: false })).toBe('20 Nov 02:47')
    expect(write.instant('en', PARIS, at, { date: false })).toBe('02:47:31')
    expect(write.instant('en', PARIS, 'no time')).toBe('')
  })

  it('both sides of the hour that comes twice, told apart by the zone', () => {
    expect(write.instant('en', PARIS, '2026-10-25T00:30:00Z', { zone: true })).toBe('25 Oct 2026 02:30:00 CEST')
    expect(write.instant('en', PARIS, '2026-10-25T01:30:00Z', { zone: true })).toBe('25 Oct 2026 02:30:00 CET')
  })

  it('midnight is 00, September has three letters', () => {
    expect(write.instant('en', 'UTC', '2026-09-05T00:00:00Z')).toBe('5 Sep 2026 00:00:00')
  })

  it('relative only under an hour', () => {
    const now = '2026-11-20T02:00:00Z'
    expect(seen(write.relative('en', PARIS, '2026-11-20T01:56:00Z', now))).toBe('4_min ago')
    expect(seen(write.relative('fr', PARIS, '2026-11-20T01:56:00Z', now))).toBe('il y a 4_min')
    expect(seen(write.relative('en', PARIS, '2026-11-20T02:08:30Z', now))).toBe('in 8_min')
    expect(write.relative('en', PARIS, '2026-11-20T01:59:30Z', now)).toBe('just now')
    expect(write.relative('en', PARIS, '2026-11-20T01:00:00Z', now)).toBe('20 Nov 2026 02:00')
    expect(write.timeOrDay('en', PARIS, '2026-11-20T01:00:00Z', now)).toBe('02:00')
    expect(write.timeOrDay('en', PARIS, '2026-11-19T01:00:00Z', now)).toBe('19 Nov 02:00')
  })
})

describe('people', () => {
  it.each([
    [{ FirstName: 'Dayo', LastName: 'Okafor' }, 'D. Okafor', 'Okafor, D.', 'DO'],
    [{ FirstName: 'jean-luc', LastName: 'Duval' }, 'J.-L. Duval', 'Duval, J.-L.', 'JD'],
    [{ FirstName: 'Anna Maria', LastName: 'de Vries' }, 'A. M. de Vries', 'de Vries, A. M.', 'AD'],
    [{ FirstName: '', LastName: 'Lindqvist' }, 'Lindqvist', 'Lindqvist', 'L'],
    [{ FirstName: 'Suparman', LastName: null }, 'Suparman', 'Suparman', 'S'],
    [{ Username: 'bay.3' }, 'bay.3', 'bay.3', 'B'],
  ])('%o', (name, said, listed, mark) => {
    expect(write.person(name)).toBe(said)
    expect(write.personInList(name)).toBe(listed)
    expect(write.initials(name)).toBe(mark)
  })
})
