import { describe, expect, it } from 'vitest'
import type { ClockFacts } from '../../../shared/evidence/recorded-time.ts'
import { parseTime, type Time } from '../../../shared/kernel/time.ts'
import { gpsContainer } from './local-start.ts'
import { clearedStart, startSet } from './start-change.ts'

const time = (text: string): Time => parseTime(text, { utcMember: true }) as Time
const facts = (members: Partial<ClockFacts> = {}): ClockFacts => ({
  start: null,
  startSource: null,
  containerStart: null,
  file: null,
  docked: null,
  ...members,
})
const row = (members = {}) => ({ start_utc: null, start_source: null, container_start_utc: null, ...members })
const DOCKED = {
  recorded: '2026-11-20T10:00:00Z',
  corrected: '2026-11-20T10:01:12Z',
  offsetMilliseconds: 72_000,
  uncertaintyMilliseconds: 500,
}

describe('I12 going back to what was recorded', () => {
  it('the dock’s time is the dock’s again', () => {
    const set = clearedStart(row({ start_source: 'person' }), facts({ docked: DOCKED }), 'Europe/Berlin')
    expect(set).toMatchObject({ start_utc: DOCKED.corrected, start_source: 'dock' })
  })

  it('a local time without its zone stays one, sorted as in the zone of the station', () => {
    const local = row({ start_utc: '2026-01-01T00:00:00Z', container_start_utc: '2026-11-20T11:00:00' })
    expect(clearedStart(local, facts({ file: { start: null, offset: 'PT1M' } }), 'Europe/Berlin')).toEqual({
      start_utc: null,
      start_ticks: time('2026-11-20T10:01:00Z').ticks,
      start_source: null,
    })
  })

  it('the instant of a file is put right by the offset, that of a receiver is true as it is', () => {
    const file = { start: null, offset: 'PT1M' }
    const start = (container: string) =>
      clearedStart(row({ container_start_utc: container }), facts({ file }), 'UTC').start_utc
    expect(start('2026-11-20T10:00:00Z')).toBe('2026-11-20T10:01:00Z')
    expect(start(gpsContainer('2026-11-20T10:00:00Z'))).toBe('2026-11-20T10:00:00Z')
  })
})

describe('I12 saying another time', () => {
  it('keeps what the evidence said where nothing else does, once', () => {
    const said = time('2026-11-20T12:00:00Z')
    const alone = row({ start_utc: '2026-11-20T10:00:00Z' })
    expect(startSet(alone, facts(), said)).toMatchObject({
      start_source: 'person',
      container_start_utc: 'given:2026-11-20T10:00:00Z',
    })
    const kept = [
      [row({ start_utc: null }), facts()],
      [{ ...alone, start_source: 'person' as const }, facts()],
      [{ ...alone, container_start_utc: '2026-11-20T09:00:00Z' }, facts()],
      [alone, facts({ file: { start: '2026-11-20T09:00:00Z', offset: null } })],
      [alone, facts({ docked: DOCKED })],
    ] as const
    for (const [one, of] of kept) expect(startSet(one, of, said)).not.toHaveProperty('container_start_utc')
  })
})
