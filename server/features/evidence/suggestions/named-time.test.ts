import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { namedTimes } from './named-time.ts'

const ZONE = 'Europe/London'
const NOW = Date.parse('2026-12-01T00:00:00Z')
const utc = (name: string, zone = ZONE, before = NOW) => namedTimes(name, zone, before).map((time) => time.utc)

describe('the time that a name says', () => {
  it.each([
    ['2026-11-21_2247.mp4', '2026-11-21T22:47:00Z', 60],
    ['20261121_224703.mp4', '2026-11-21T22:47:03Z', 1],
    ['VID_20261121_224703.mp4', '2026-11-21T22:47:03Z', 1],
    ['IMG-20261121-224703-01.jpg', '2026-11-21T22:47:03Z', 1],
    ['21-11-2026 22.47.03.avi', '2026-11-21T22:47:03Z', 1],
    ['CH01_20261121224703_20261121225203.dav', '2026-11-21T22:47:03Z', 1],
    ['Front door 2026.11.21 22h47.mkv', '2026-11-21T22:47:00Z', 60],
    ['Screenshot 2026-11-21 at 10.47.03 PM.png', '2026-11-21T22:47:03Z', 1],
    ['2026-11-21 at 12.05.03 am.png', '2026-11-21T00:05:03Z', 1],
    ['cam 2026-11-21T22-47-03Z.mp4', '2026-11-21T22:47:03Z', 1],
    ['PXL_20261121_224703123.mp4', '2026-11-21T22:47:03Z', 1],
    ['cam2_2026-11-21-22-47-03.asf', '2026-11-21T22:47:03Z', 1],
  ])('%s', (name, expected, precision) => {
    expect(namedTimes(name, ZONE, NOW)).toMatchObject([{ utc: expected, precisionSeconds: precision }])
  })

  it('is a time of the station’s zone, except where the name says UTC', () => {
    expect(utc('20260721_224703.mp4', 'Europe/Paris')).toEqual(['2026-07-21T20:47:03Z'])
    expect(utc('20260721_224703Z.mp4', 'Europe/Paris')).toEqual(['2026-07-21T22:47:03Z'])
    expect(utc('PXL_20260721_224703123.mp4', 'Europe/Paris')).toEqual(['2026-07-21T22:47:03Z'])
  })

  it('is two where day and month could be each other, and one where the other has not happened yet', () => {
    expect(utc('03-04-2026 22.47.03.avi')).toEqual(['2026-04-03T21:47:03Z', '2026-03-04T22:47:03Z'])
    expect(utc('05-12-2026 10.00.00.avi')).toEqual(['2026-05-12T09:00:00Z'])
    expect(utc('04-04-2026 10.00.00.avi')).toHaveLength(1)
  })

  it('says where the night when clocks change leaves a doubt', () => {
    const [twice] = namedTimes('2026-10-25_013000.mp4', ZONE, NOW)
    expect(twice).toMatchObject({ utc: '2026-10-25T00:30:00Z', precisionSeconds: 3600 })
  })

  it.each([
    'clip.mp4',
    '2026-11-21.mp4',
    'VID-20261121-WA0003.mp4',
    '2026-02-30_1200.mp4',
    '2026-13-01_1200.mp4',
    '2026-11-21_2561.mp4',
    '1904-01-01_000000.mov',
    '1970-01-01_000000.mov',
    '2027-01-01_120000.mp4',
    '120261121_224703.mp4',
    '07700900123 20.mp4',
    'Statement 21-11-2026 v2.pdf',
    '',
  ])('%s says none', (name) => {
    expect(namedTimes(name, ZONE, NOW)).toEqual([])
  })
})

describe('of every name', () => {
  const pieces = fc.array(
    fc.oneof(
      fc.string({ unit: 'binary', maxLength: 6 }),
      fc.constantFrom(
        '2026',
        '11',
        '02',
        '30',
        '31',
        '25',
        '-',
        '_',
        '.',
        'T',
        ' at ',
        'PM',
        'Z',
        'PXL_',
        'h',
        ':',
        '１２',
      ),
      fc.integer({ min: 0, max: 99_999_999 }).map(String),
    ),
    { maxLength: 14 },
  )

  it('no one makes it fail, and each time is one of the calendar, not before 1990 and not after it came', () => {
    fc.assert(
      fc.property(
        pieces,
        fc.constantFrom('Europe/London', 'Pacific/Apia', 'America/St_Johns', 'UTC'),
        (parts, zone) => {
          const times = namedTimes(parts.join(''), zone, NOW)
          expect(times.length).toBeLessThanOrEqual(2)
          for (const time of times) {
            expect(new Date(time.utc).toISOString()).toBe(time.utc.replace('Z', '.000Z'))
            expect(new Date(`${time.wall}Z`).toISOString()).toBe(`${time.wall}.000Z`)
            expect(Date.parse(time.utc)).toBeLessThanOrEqual(NOW)
            expect(Number(time.wall.slice(0, 4))).toBeGreaterThanOrEqual(1990)
          }
        },
      ),
      { numRuns: 2000 },
    )
  })

  it('what a recorder writes in one of its ways is read as it was meant', () => {
    const moment = fc.date({ min: new Date('1995-01-01'), max: new Date('2026-11-30'), noInvalidDate: true })
    const ways = fc.constantFrom('-_', '--', '_-', '.T', '', '. ')
    fc.assert(
      fc.property(moment, ways, fc.constantFrom('cam_', 'VID_', '', 'Rear yard '), (at, [d = '', t = ''], before) => {
        const iso = at.toISOString()
        const date = iso.slice(0, 10).replaceAll('-', d)
        const name = `${before}${date}${t}${iso.slice(11, 19).replaceAll(':', '')}.mp4`
        expect(utc(name, 'UTC')).toEqual([`${iso.slice(0, 19)}Z`])
      }),
    )
  })

  it('a long one takes no long time', () => {
    const began = performance.now()
    namedTimes('2026-11-'.repeat(50_000), ZONE, NOW)
    namedTimes('1'.repeat(1_000_000), ZONE, NOW)
    expect(performance.now() - began).toBeLessThan(200)
  })
})
