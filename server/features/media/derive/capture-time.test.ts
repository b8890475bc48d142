import { describe, expect, test } from 'vitest'
import { decideCapture, pictureTime, GPS_APART, GPS_IN_FUTURE, GPS_USED, ZONE_UNKNOWN } from './capture-time.ts'

const NOW = Date.parse('2026-11-22T12:00:00Z')
const decided = (text: string | null, offset: string | null, gpsTime: string | null) => {
  const captured = text === null ? null : { text, offset }
  const { start, startFrom, local, note } = decideCapture({ captured, gpsTime }, 'Europe/Vienna', NOW)
  return [start?.text ?? null, startFrom, local === null ? null : [local.text, local.taken.text], note]
}
const LOCAL = '2026-11-20T14:07:42'
const TAKEN = [LOCAL, '2026-11-20T13:07:42Z']

describe('I12: the time of a picture', () => {
  test('a time with its offset is taken before the GPS time', () => {
    expect(decided(LOCAL, '+05:30', '2026-11-20T13:07:40Z')).toEqual(['2026-11-20T08:37:42Z', 'file', null, null])
  })

  test('without an offset the GPS time is taken, and the local time is kept', () => {
    const gps = (time: string) => [time, 'gps', TAKEN, GPS_USED]
    for (const time of [
      '2026-11-20T13:07:40.5Z',
      // Taken at the two ends of the earth.
      '2026-11-20T00:07:42Z',
      '2026-11-21T02:07:42Z',
      '2026-11-19T23:53:00Z',
      '2026-11-21T02:22:00Z',
    ])
      expect(decided(LOCAL, null, time)).toEqual(gps(time))
  })

  test('without a GPS time the local time is kept, and no instant is made of it', () => {
    expect(decided(LOCAL, null, null)).toEqual([null, null, TAKEN, ZONE_UNKNOWN])
  })

  test.each(['2026-11-19T23:52:00Z', '2026-11-21T02:23:00Z', '2007-04-06T13:07:42Z', '2019-04-07T00:00:03Z'])(
    'a GPS time that no zone explains is not taken: %s',
    (gps) => {
      expect(decided(LOCAL, null, gps)).toEqual([null, null, TAKEN, GPS_APART])
    },
  )

  test('a GPS time in the future is not taken', () => {
    const future = '2026-11-22T13:07:42'
    expect(decided(future, null, '2026-11-22T12:11:00Z')).toEqual([
      null,
      null,
      [future, '2026-11-22T12:07:42Z'],
      GPS_IN_FUTURE,
    ])
    expect(decided(future, null, '2026-11-22T12:09:00Z')[1]).toBe('gps')
    expect(decided(null, null, '2099-01-01T00:00:00Z')).toEqual([null, null, null, null])
  })

  test('a GPS time alone is taken, but for the day on which receivers without a fix begin', () => {
    expect(decided(null, null, '2026-11-20T13:07:40Z')).toEqual(['2026-11-20T13:07:40Z', 'gps', null, null])
    expect(decided(null, null, '2019-04-07T00:00:03Z')).toEqual([null, null, null, null])
    expect(decided('2019-04-07T02:00:00', null, '2019-04-07T00:00:03Z')[1]).toBe('gps')
    expect(decided(null, null, null)).toEqual([null, null, null, null])
  })
})

describe('the time of one picture', () => {
  const local = { text: '2024-11-20T14:07:42', offset: null }
  const told = (
    captured: { text: string; offset: string | null } | null,
    gpsTime: string | null,
    offset: string | null = null,
  ) => pictureTime({ captured, gpsTime }, offset, 'Europe/Vienna', Date.parse('2026-11-20T00:00:00Z'))

  test('I12: is said by its own metadata: the file, the GPS receiver, a local time, or nothing', () => {
    expect(told({ ...local, offset: '+05:30' }, null)).toMatchObject({
      corrected: '2024-11-20T08:37:42Z',
      source: 'container',
      zoneUnknown: false,
    })
    expect(told(null, '2024-11-20T05:07:40Z')).toMatchObject({ corrected: '2024-11-20T05:07:40Z', source: 'gps' })
    expect(told(local, '2024-11-20T05:07:40Z')).toMatchObject({
      corrected: '2024-11-20T05:07:40Z',
      source: 'gps',
      localTime: local.text,
    })
    expect(told(local, null)).toMatchObject({
      corrected: '2024-11-20T13:07:42Z',
      zoneUnknown: true,
      localTime: local.text,
    })
    expect(told(null, null)).toBeNull()
  })

  test('I12: is put right by the offset of the camera’s clock, and a GPS time is not', () => {
    expect(told({ ...local, offset: '+05:30' }, null, 'PT1M')).toMatchObject({
      recorded: '2024-11-20T08:37:42Z',
      corrected: '2024-11-20T08:38:42Z',
      offset: 'PT1M',
    })
    expect(told(local, null, 'PT1M')).toMatchObject({
      recorded: '2024-11-20T13:07:42Z',
      corrected: '2024-11-20T13:08:42Z',
      zoneUnknown: true,
    })
    expect(told(local, '2024-11-20T05:07:40Z', 'PT1M')).toMatchObject({
      corrected: '2024-11-20T05:07:40Z',
      offset: null,
    })
  })
})
