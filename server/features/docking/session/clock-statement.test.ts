import { describe, expect, it } from 'vitest'
import { parseTime, timeOf } from '../../../../shared/kernel/time.ts'
import { corrected, statementOf, timeOffsetOf } from './clock-statement.ts'

const NTP = { source: 'ntp', errorMilliseconds: 4 } as const
const at = Date.UTC(2026, 10, 21, 9, 0, 0)
const reading = (behind: number) => ({ camera: at - behind, station: at, uncertainty: 3000, how: 'its manifest' })

describe('the clock statement', () => {
  it.each([
    [72_000, 'PT72S'],
    [-3_600_500, '-PT3600.5S'],
    [1, 'PT0.001S'],
    [0, 'PT0S'],
  ])('a camera that is %i ms behind has the offset %s', (behind, offset) => {
    const statement = statementOf(reading(behind), NTP)
    expect(timeOffsetOf(statement)).toBe(offset)
    expect(corrected(timeOf(at), statement)?.ticks).toBe(timeOf(at + behind).ticks)
    expect(statement.camera).toMatchObject({ offsetMilliseconds: behind, uncertaintyMilliseconds: 3000 })
    expect(statement.station).toEqual(NTP)
  })

  it('says nothing where nothing is known, and corrects nothing', () => {
    const statement = statementOf(null, { source: 'free', errorMilliseconds: null })
    expect([statement.camera, timeOffsetOf(statement)]).toEqual([null, null])
    const time = parseTime('2026-11-21T09:00:00.1234567Z', { utcMember: true })
    expect(corrected(time, statement)).toBe(time)
    expect(corrected(null, statementOf(reading(5), NTP))).toBeNull()
  })

  it('a clock so wrong that the sum is no time corrects nothing', () => {
    const time = timeOf(Date.UTC(9999, 11, 31))
    expect(corrected(time, statementOf(reading(40 * 86_400_000), NTP))).toBe(time)
  })
})
