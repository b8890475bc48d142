import { describe, expect, it } from 'vitest'
import { recordedTime } from '../../../../shared/evidence/recorded-time.ts'
import { suggestedTimes, type TimedFile, type TimeFacts } from './times.ts'

const CAME = Date.parse('2026-11-25T09:00:00Z')
const NOTHING = { start: null, startSource: null, containerStart: null, file: null, docked: null }
const file = (members: Partial<TimedFile> = {}): TimedFile => ({
  name: 'clip.mp4',
  came: CAME,
  modified: null,
  durationSeconds: null,
  ...members,
})
const facts = (members: Partial<TimeFacts> = {}): TimeFacts => ({
  name: 'Yard',
  files: [file()],
  clock: recordedTime(NOTHING),
  came: CAME,
  zone: 'Europe/Paris',
  ...members,
})
const container = (start: string) => recordedTime({ ...NOTHING, start, containerStart: start })
const NAMED = [file({ name: '2026-11-21_2247.mp4' })]

describe('a time is suggested', () => {
  it('from the name of the file, in the zone of the station, to the minute', () => {
    expect(suggestedTimes(facts({ files: NAMED }))).toEqual([
      expect.objectContaining({
        utc: '2026-11-21T21:47:00Z',
        source: 'fileName',
        from: '2026-11-21_2247.mp4',
        precisionSeconds: 60,
        because: 'empty',
      }),
    ])
  })

  it('from the name of the evidence where no file says one', () => {
    expect(suggestedTimes(facts({ name: 'Yard 20261121_224703' }))).toMatchObject([{ source: 'name' }])
    expect(suggestedTimes(facts({ name: 'Yard 20261120_100000', files: NAMED }))).toMatchObject([
      { source: 'fileName' },
    ])
  })

  it('from the date of the file, less its length, after that of the name', () => {
    const modified = Date.parse('2026-11-21T22:00:30Z')
    const found = suggestedTimes(facts({ files: [file({ modified, durationSeconds: 30 })] }))
    expect(found).toMatchObject([{ utc: '2026-11-21T22:00:00Z', source: 'fileDate', from: '2026-11-21T22:00:30Z' }])
    const both = suggestedTimes(facts({ files: [file({ name: '2026-11-21_2247.mp4', modified })] }))
    expect(both.map(({ source, precisionSeconds }) => [source, precisionSeconds])).toEqual([
      ['fileName', 60],
      ['fileDate', null],
    ])
  })

  it.each([
    ['was copied just before it came', CAME - 60_000],
    ['lies after it came', CAME + 3_600_000],
    ['is that of an unset clock', Date.parse('1980-01-01T00:00:00Z')],
    ['is none', 0],
  ])('never from a file date that %s', (_why, modified) => {
    expect(suggestedTimes(facts({ files: [file({ modified })] }))).toEqual([])
  })

  it('never from a name that says what had not happened when it came', () => {
    expect(suggestedTimes(facts({ files: [file({ name: '2026-12-21_2247.mp4' })] }))).toEqual([])
  })

  it('where the file says its time without a zone: that one, and the name where it says another', () => {
    const clock = recordedTime({
      ...NOTHING,
      start: '2026-11-21T21:47:12Z',
      localTime: '2026-11-21T22:47:12',
      zoneUnknown: true,
    })
    expect(suggestedTimes(facts({ clock, files: NAMED }))).toMatchObject([
      { utc: '2026-11-21T21:47:12Z', source: 'localTime', from: '2026-11-21T22:47:12', because: 'zoneUnknown' },
    ])
    const apart = suggestedTimes(facts({ clock, files: [file({ name: '20261120_100000.mp4' })] }))
    expect(apart.map(({ source }) => source)).toEqual(['localTime', 'fileName'])
  })

  it('where the file says the local time of its name as UTC', () => {
    const clock = container('2026-11-21T22:47:03Z')
    expect(suggestedTimes(facts({ clock, files: NAMED }))).toMatchObject([
      { utc: '2026-11-21T21:47:00Z', because: 'localAsUtc' },
    ])
    // Where the zone keeps UTC both are the same.
    expect(suggestedTimes(facts({ clock, files: NAMED, zone: 'UTC' }))).toEqual([])
  })

  it.each([
    ['1980-01-01T00:00:12Z', 'neverSet'],
    ['2000-01-01T00:03:00Z', 'neverSet'],
    ['2031-05-01T10:00:00Z', 'future'],
  ])('where the file says %s: %s', (start, because) => {
    expect(suggestedTimes(facts({ clock: container(start), files: NAMED }))).toMatchObject([{ because }])
  })
})

describe('none is suggested', () => {
  it.each([
    ['the file says one that may be true', container('2026-11-21T12:00:00Z')],
    ['a person said it', recordedTime({ ...NOTHING, start: '2031-01-01T00:00:00Z', startSource: 'person' })],
    ['it came with the evidence', recordedTime({ ...NOTHING, start: '2026-11-21T22:47:03Z' })],
  ])('where %s', (_why, clock) => {
    expect(suggestedTimes(facts({ clock, files: NAMED }))).toEqual([])
  })
})
