import { expect, test } from 'vitest'
import { createPeriods } from './list.periods.ts'

/** Night shift of Paris, from 22:00 to 06:00; it is 00:30 there, on the day when summer time began. */
const NOW = Date.parse('2026-03-29T22:30:00Z')
const EIGHT_HOURS = 8 * 3_600_000
const spanOf = createPeriods({
  clock: { now: () => NOW },
  timeZone: 'Europe/Paris',
  shiftAt: async (_tenant, at) => {
    const from = Date.parse('2026-03-29T20:00:00Z')
    const back = Math.floor((at - from) / EIGHT_HOURS)
    return { from: from + back * EIGHT_HOURS, to: from + (back + 1) * EIGHT_HOURS }
  },
})
const said = async (period: Parameters<typeof spanOf>[1]): Promise<string[]> => {
  const { fromTicks, toTicks } = await spanOf('station', period)
  return [fromTicks, toTicks + 1n].map((ticks) => new Date(Number(ticks / 10_000n)).toISOString())
}

test('days begin at midnight of the station, also where one has 23 hours', async () => {
  expect(await said('today')).toEqual(['2026-03-29T22:00:00.000Z', '2026-03-30T22:00:00.000Z'])
  // Seven days back winter time was on.
  expect(await said('week')).toEqual(['2026-03-23T23:00:00.000Z', '2026-03-30T22:00:00.000Z'])
  expect((await said('month'))[0]).toBe('2026-02-28T23:00:00.000Z')
})

test('shifts are those of the station', async () => {
  expect(await said('shift')).toEqual(['2026-03-29T20:00:00.000Z', '2026-03-30T04:00:00.000Z'])
  expect(await said('lastShift')).toEqual(['2026-03-29T12:00:00.000Z', '2026-03-29T20:00:00.000Z'])
})
