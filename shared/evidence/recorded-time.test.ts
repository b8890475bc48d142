import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { durationOf, parseDuration } from '../kernel/durations.ts'
import { type ClockFacts, fileClock, recordedTime } from './recorded-time.ts'

const RECORDED = '2026-11-20T14:07:42Z'
const CORRECTED = '2026-11-20T14:10:34.600Z'
const NOTHING: ClockFacts = { start: null, startSource: null, containerStart: null, file: null, docked: null }
const DOCKED: ClockFacts = {
  ...NOTHING,
  start: CORRECTED,
  startSource: 'dock',
  file: { start: RECORDED, offset: 'PT172.6S' },
  docked: {
    recorded: RECORDED,
    corrected: CORRECTED,
    offsetMilliseconds: 172_600,
    uncertaintyMilliseconds: 2500,
  },
}
const told = (facts: Partial<ClockFacts>) => {
  const { corrected, recorded, offset, source, uncertaintyMilliseconds } = recordedTime({ ...NOTHING, ...facts })
  return [corrected, recorded, offset, source, uncertaintyMilliseconds]
}

describe('I12: when a recording was', () => {
  it('I12: by the dock: both times, the offset, and how exactly it is known', () => {
    expect(told(DOCKED)).toEqual([CORRECTED, RECORDED, 'PT172.6S', 'dock', 2500])
  })

  it('I12: of a docking from before the dock kept its offset, the file says it', () => {
    const docked = { recorded: RECORDED, corrected: CORRECTED, offsetMilliseconds: null, uncertaintyMilliseconds: null }
    expect(told({ ...DOCKED, startSource: null, docked })).toEqual([CORRECTED, RECORDED, 'PT172.6S', 'dock', null])
    expect(told({ ...DOCKED, start: RECORDED, file: null, docked: { ...docked, corrected: RECORDED } })).toEqual([
      RECORDED,
      RECORDED,
      null,
      'none',
      null,
    ])
  })

  it('I12: typed by a person: their time, what the camera recorded beside it, and what lies between', () => {
    const typed = { ...DOCKED, startSource: 'person' as const }
    expect(told({ ...typed, start: '2026-11-20T14:07:52Z' })).toEqual([
      '2026-11-20T14:07:52Z',
      RECORDED,
      'PT10S',
      'person',
      null,
    ])
    // The recorded time itself: the person says that the camera was right, whatever the dock measured.
    expect(told({ ...typed, start: RECORDED })).toEqual([RECORDED, RECORDED, 'PT0S', 'person', null])
    // The dock's own time, typed once more, is as well known as before.
    expect(told({ ...typed, start: CORRECTED })).toEqual([CORRECTED, RECORDED, 'PT172.6S', 'dock', 2500])
    expect(told({ start: CORRECTED, startSource: 'person' })).toEqual([CORRECTED, null, null, 'person', null])
  })

  it('I12: with the offset that came with the file, whether the sender put the evidence right or not', () => {
    const file = { start: '2026-11-20T01:46:19.240Z', offset: 'PT1M12S' }
    const right = ['2026-11-20T01:47:31.240Z', file.start, 'PT1M12S', 'device', null]
    expect(told({ file })).toEqual(right)
    expect(told({ file, start: file.start })).toEqual(right)
    expect(told({ file, start: '2026-11-20T01:47:31.240Z' })).toEqual(right)
    expect(told({ file: { start: null, offset: 'PT1M12S' }, start: '2026-11-20T01:47:31.240Z' })).toEqual(right)
    expect(told({ file, start: '2026-11-20T01:50:00Z' })).toEqual([
      '2026-11-20T01:50:00Z',
      file.start,
      'PT220.76S',
      'person',
      null,
    ])
  })

  it('I12: without a comparison nothing is put right, and without a time nothing is invented', () => {
    expect(told({ file: { start: RECORDED, offset: null } })).toEqual([RECORDED, RECORDED, null, 'none', null])
    expect(told({ start: RECORDED })).toEqual([RECORDED, RECORDED, null, 'none', null])
    expect(told({ start: RECORDED, containerStart: RECORDED })).toEqual([RECORDED, RECORDED, null, 'container', null])
    expect(told({})).toEqual([null, null, null, 'none', null])
    expect(told({ file: { start: RECORDED, offset: 'soon' } })).toEqual([RECORDED, RECORDED, null, 'none', null])
    // A sum beyond the year 9999 is no time.
    expect(told({ file: { start: '9999-12-31T23:59:59Z', offset: 'P1D' } })[2]).toBeNull()
    expect(recordedTime({ ...NOTHING, start: RECORDED, zoneUnknown: true }).zoneUnknown).toBe(true)
  })

  it('I12: a local time without its zone is marked, and the GPS time beside one is named', () => {
    const localTime = '2026-11-20T15:04:49.4'
    const taken = { ...NOTHING, start: RECORDED, zoneUnknown: true, localTime }
    expect(recordedTime(taken)).toEqual({
      corrected: RECORDED,
      recorded: RECORDED,
      offset: null,
      source: 'container',
      uncertaintyMilliseconds: null,
      zoneUnknown: true,
      localTime,
    })
    expect(recordedTime({ ...NOTHING, start: RECORDED, localTime })).toMatchObject({
      corrected: RECORDED,
      recorded: RECORDED,
      offset: null,
      source: 'gps',
      zoneUnknown: false,
      localTime,
    })
    // The receiver's time alone; the offset of the camera's clock is not that of the receiver.
    const alone = recordedTime({ ...NOTHING, start: RECORDED, fromGps: true, file: { start: null, offset: 'PT5S' } })
    expect(alone).toMatchObject({ corrected: RECORDED, recorded: RECORDED, offset: null, source: 'gps' })
    expect(alone).not.toHaveProperty('localTime')
    expect(recordedTime({ ...NOTHING, start: RECORDED, fromGps: true, startSource: 'person' }).source).toBe('person')
    // What a person types is no longer of an unknown zone; what the device wrote stays beside it.
    expect(recordedTime({ ...NOTHING, start: RECORDED, startSource: 'person', localTime })).toMatchObject({
      corrected: RECORDED,
      recorded: null,
      offset: null,
      source: 'person',
      zoneUnknown: false,
      localTime,
    })
  })

  it('I12: the parts of a recording go by their own offset, or by what a person typed', () => {
    const part = { StartTimeUtc: '2026-11-20T14:12:42Z', TimeOffset: 'PT172.6S' }
    const clock = { DeviceTimeUtc: RECORDED, Offset: 'PT10S', Source: 'person' as const }
    expect(fileClock(clock, part, false)).toEqual({ start: part.StartTimeUtc, offset: 'PT10S' })
    expect(fileClock({ ...clock, Source: 'dock' }, part, false)).toEqual({
      start: part.StartTimeUtc,
      offset: 'PT172.6S',
    })
    expect(fileClock(clock, part, true)).toEqual({ start: RECORDED, offset: 'PT10S' })
  })

  it('I12: a duration that is written is the one that is read', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(10n ** 16n), max: 10n ** 16n }), (ticks) => {
        expect(parseDuration(durationOf({ ticks }))?.ticks).toBe(ticks)
      }),
    )
  })
})
