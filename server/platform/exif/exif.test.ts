import { describe, expect, test } from 'vitest'
import { exifTime, parseExif, positionFrom } from './exif.ts'

describe('exifTime', () => {
  test.each([
    ['2026:11:20 10:11:12', undefined, undefined, { text: '2026-11-20T10:11:12', offset: null }],
    ['2026:11:20 10:11:12', '+01:00', '25', { text: '2026-11-20T10:11:12.25', offset: '+01:00' }],
    ['2026-11-20T10:11:12.000000Z', undefined, undefined, { text: '2026-11-20T10:11:12.000000', offset: 'Z' }],
    ['2026-11-20T10:11:12+0530', undefined, undefined, { text: '2026-11-20T10:11:12', offset: '+05:30' }],
    ['2026:11:20 10:11:12', 'nonsense', 'x', { text: '2026-11-20T10:11:12', offset: null }],
    ['2026:11:20 10:11:12', '+99:00', undefined, { text: '2026-11-20T10:11:12', offset: null }],
    ['0000:00:00 00:00:00', undefined, undefined, null],
    ['    :  :     :  :  ', undefined, undefined, null],
    ['2026:02:30 10:11:12', undefined, undefined, null],
    ['2026:11:20 24:61:12', undefined, undefined, null],
    ['1904:01:01 00:00:00', undefined, undefined, null],
    ['', undefined, undefined, null],
    [20_261_120, undefined, undefined, null],
  ])('%s %s %s', (time, offset, fraction, expected) => expect(exifTime(time, offset, fraction)).toEqual(expected))
})

describe('positionFrom', () => {
  test.each([
    [48.2, 16.3, { latitude: 48.2, longitude: 16.3 }],
    [-90, 180, { latitude: -90, longitude: 180 }],
    [0, 0, null],
    [90.1, 0, null],
    [0, -180.5, null],
    [Number.NaN, 1, null],
    ['48', '16', null],
  ])('%s, %s', (latitude, longitude, expected) => expect(positionFrom(latitude, longitude)).toEqual(expected))
})

describe('parseExif', () => {
  const read = (tags: object) => parseExif(JSON.stringify([{ SourceFile: '/in', 'System:FileName': 'in', ...tags }]))

  test('members about the copy are left out, warnings are kept', () => {
    const reading = read({ 'IFD0:Make': 'X', 'ExifTool:Warning': 'Bad IFD0 directory' })
    expect(reading?.metadata).toEqual({ 'IFD0:Make': 'X', 'ExifTool:Warning': 'Bad IFD0 directory' })
    expect(reading?.warning).toBe('Bad IFD0 directory')
  })

  test('GPS: composite first, else with both hemispheres, else none', () => {
    expect(read({ 'Composite:GPSLatitude': -1.5, 'Composite:GPSLongitude': 2 })?.position).toEqual({
      latitude: -1.5,
      longitude: 2,
    })
    const raw = { 'GPS:GPSLatitude': 1.5, 'GPS:GPSLongitude': 2, 'GPS:GPSLatitudeRef': 'S', 'GPS:GPSLongitudeRef': 'W' }
    expect(read(raw)?.position).toEqual({ latitude: -1.5, longitude: -2 })
    expect(read({ ...raw, 'GPS:GPSLatitudeRef': undefined })?.position).toBeNull()
  })

  test('exposure before digitising, each with its own offset', () => {
    const tags = { 'ExifIFD:CreateDate': '2026:01:02 03:04:05', 'ExifIFD:OffsetTimeOriginal': '+02:00' }
    expect(read(tags)?.captured).toEqual({ text: '2026-01-02T03:04:05', offset: null })
    expect(read({ ...tags, 'ExifIFD:DateTimeOriginal': '2026:01:01 00:00:00' })?.captured).toEqual({
      text: '2026-01-01T00:00:00',
      offset: '+02:00',
    })
  })

  test.each([
    ['2026:11:20', '13:07:40', 'A', '2026-11-20T13:07:40Z'],
    ['2026:11:20', '13:07:40.5', undefined, '2026-11-20T13:07:40.5Z'],
    ['2026:11:20', '13:07:40.123456789', undefined, '2026-11-20T13:07:40.1234567Z'],
    ['2026:11:20', '13:07:40', 'V', null],
    ['2026:11:20', undefined, 'A', null],
    [undefined, '13:07:40', 'A', null],
    ['0000:00:00', '00:00:00', 'A', null],
    ['1980:01:06', '00:00:13', 'A', null],
    ['1999:08:22', '00:00:13', 'A', null],
    ['2026:02:30', '13:07:40', 'A', null],
    ['2026:11:20', '24:00:00', 'A', null],
    ['2026:11:20', '13:07:40+05:00', 'A', null],
    ['2026:11:20 10:00:00', '13:07:40', 'A', null],
    [20_261_120, 13, 'A', null],
  ])('GPS time %s %s %s is %s', (date, time, status, expected) => {
    const tags = { 'GPS:GPSDateStamp': date, 'GPS:GPSTimeStamp': time, 'GPS:GPSStatus': status }
    expect(read(tags)?.gpsTime).toBe(expected)
  })

  test.each(['', '{}', '[]', '[1]', '[[]]', 'null', '[{'])('no answer: %s', (json) =>
    expect(parseExif(json)).toBeNull(),
  )
})
