import { describe, expect, it } from 'vitest'
import { changesOf, faceOf, facesOf, type Kind, rounded, talliesOf } from './face.ts'
import type { DockTile, DockWall } from './use-wall.ts'

const NOW = '2026-11-21T02:12:30.000Z'
const tile = (more: Partial<DockTile> = {}): DockTile => ({
  DockSessionId: '7',
  Bay: '1-4.2',
  Number: 4,
  Present: true,
  State: 'copying',
  SafeToTake: false,
  Differs: 0,
  NotLookedAt: 0,
  SerialNumber: 'BW-0417',
  Model: 'L2',
  Name: null,
  Assigned: true,
  Wearer: null,
  Files: 31,
  FilesDone: 18,
  Bytes: 1000,
  BytesDone: 995,
  Problems: 0,
  Foreign: 0,
  Cleared: 0,
  BytesPerSecond: null,
  SecondsLeft: null,
  Waiting: false,
  StartsInSeconds: null,
  Before: null,
  Reason: null,
  DetectedTimeUtc: '2026-11-21T02:00:00.000Z',
  FirstByteTimeUtc: null,
  ReleasedTimeUtc: null,
  ...more,
})
const kind = (more: Partial<DockTile>): Kind => faceOf(tile(more), NOW).kind

describe('what a tile says', () => {
  it.each<[Kind, Partial<DockTile>]>([
    ['looking', { State: 'detected' }],
    ['looking', { State: 'listed' }],
    ['looking', { State: 'resumed' }],
    ['copying', {}],
    ['copying', { Waiting: true }],
    ['waiting', { Waiting: true, BytesDone: 0, FilesDone: 0 }],
    ['checking', { State: 'verifying' }],
    ['clearing', { State: 'committed' }],
    ['safe', { State: 'released', SafeToTake: true }],
    ['safe', { State: 'cleared', SafeToTake: true }],
    ['faulty', { State: 'released', SafeToTake: true, Problems: 2 }],
    ['faulty', { State: 'released', SafeToTake: true, Problems: 2, Differs: 1 }],
    ['faulty', { State: 'released', SafeToTake: false, Problems: 1, NotLookedAt: 1 }],
    ['safe', { State: 'released', SafeToTake: true, Problems: 2, Differs: 2 }],
    ['stopped', { State: 'failed' }],
    ['pulled', { State: 'pulled', Present: false }],
    // The station calls it safe, for nothing of it was touched; it is no camera for all that.
    ['stranger', { State: 'refused', SafeToTake: true }],
  ])('%s: %j', (expected, more) => {
    expect(kind(more)).toBe(expected)
  })

  it('when one that waits has its turn, and how many are before it; nothing while nobody knows', () => {
    expect(faceOf(tile({ Waiting: true, StartsInSeconds: 95, Before: 3 }), NOW)).toMatchObject({
      starts: 2,
      startsUnit: 'min',
      before: 3,
    })
    expect(faceOf(tile({ Waiting: true }), NOW)).toMatchObject({ starts: null, before: 0 })
  })

  it('green never without the station’s word', () => {
    expect(kind({ State: 'released', SafeToTake: false })).not.toBe('safe')
  })

  it('who: the wearer, else the name, else which camera; what is beside a name alone', () => {
    const who = (more: Partial<DockTile>) => {
      const face = faceOf(tile(more), NOW)
      return [face.who, face.what]
    }
    expect(who({ Wearer: 'Okafor', Name: 'Front desk' })).toEqual(['Okafor', 'BW-0417'])
    expect(who({ Name: 'Front desk' })).toEqual(['Front desk', 'BW-0417'])
    expect(who({})).toEqual(['BW-0417', null])
    expect(who({ SerialNumber: null })).toEqual(['L2', null])
    expect(who({ SerialNumber: null, Model: null })).toEqual(['1-4.2', null])
  })

  it('what is not whole is never whole; how long it took ends with it', () => {
    expect(faceOf(tile(), NOW)).toMatchObject({ share: 99, minutes: 12 })
    expect(faceOf(tile({ Bytes: 0, BytesDone: 0 }), NOW).share).toBe(0)
    expect(faceOf(tile({ ReleasedTimeUtc: '2026-11-21T02:05:00.000Z' }), NOW).minutes).toBe(5)
  })

  it.each([
    [null, null, 'min'],
    [Number.POSITIVE_INFINITY, null, 'min'],
    [0, 10, 's'],
    [11, 20, 's'],
    [50, 50, 's'],
    [51, 1, 'min'],
    [61, 2, 'min'],
    [99 * 60, 99, 'min'],
    [100 * 60, 2, 'h'],
    [1e9, 99, 'h'],
  ])('%s seconds left are about %s %s', (seconds, left, unit) => {
    expect(rounded(seconds)).toEqual({ left, unit })
  })
})

describe('the wall', () => {
  const wall: DockWall = {
    TimeUtc: NOW,
    Docks: true,
    TimeZone: 'Europe/Berlin',
    Tiles: [
      tile({ Number: 3 }),
      tile({ DockSessionId: '8', Number: 1, State: 'released', SafeToTake: true }),
      tile({ DockSessionId: '9', Number: 4, State: 'pulled' }),
      tile({ DockSessionId: '10', Number: 5, State: 'failed' }),
    ],
    Empty: [{ Bay: '1-4.1', Number: 2 }],
  }
  it('stands in the order of its numbers, and is counted', () => {
    const faces = facesOf(wall)
    expect(faces.map(({ number }) => number)).toEqual([1, 2, 3, 4, 5])
    expect(talliesOf(faces)).toEqual({ safe: 1, working: 1, attention: 1, pulled: 1 })
  })

  it('says what became safe or needs someone, once', () => {
    const before = new Map<string, Kind>([
      ['7', 'copying'],
      ['8', 'clearing'],
      ['9', 'pulled'],
    ])
    const changed = changesOf(before, facesOf(wall))
    expect(changed.map(({ key, kind: now }) => [key, now])).toEqual([
      ['8', 'safe'],
      ['10', 'stopped'],
    ])
    expect(changesOf(new Map(facesOf(wall).map((face) => [face.key, face.kind])), facesOf(wall))).toEqual([])
  })
})
