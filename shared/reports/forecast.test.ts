import { describe, expect, it } from 'vitest'
import { forecast, LEAST_DAYS } from './forecast.ts'

const GB = 1e9

describe('the forecast of storage', () => {
  it('says nothing of fewer than two weeks', () => {
    expect(
      forecast(
        Array.from({ length: LEAST_DAYS - 1 }, () => GB),
        100 * GB,
      ),
    ).toBeNull()
  })

  it('of an even growth is the day, without a range', () => {
    expect(
      forecast(
        Array.from({ length: 90 }, () => GB),
        100 * GB,
      ),
    ).toEqual({
      perDay: GB,
      least: GB,
      most: GB,
      fullIn: 100,
      soonest: 100,
      latest: 100,
    })
  })

  it('of an uneven growth has a range around it, wider where days resemble each other', () => {
    const apart = Array.from({ length: 90 }, (_, at) => (at % 2 === 0 ? 0 : 2 * GB))
    const alike = Array.from({ length: 90 }, (_, at) => (at < 45 ? 0 : 2 * GB))
    const [one, other] = [forecast(apart, 100 * GB), forecast(alike, 100 * GB)]
    expect(one?.fullIn).toBe(100)
    expect(one?.soonest).toBeLessThan(100)
    expect(one?.latest).toBeGreaterThan(100)
    expect((other?.most ?? 0) - (other?.least ?? 0)).toBeGreaterThan(2 * ((one?.most ?? 0) - (one?.least ?? 0)))
  })

  it('without growth says that it will not be full, and of a full disk that it is', () => {
    expect(
      forecast(
        Array.from({ length: 30 }, () => 0),
        GB,
      ),
    ).toMatchObject({ perDay: 0, fullIn: null, soonest: null })
    expect(
      forecast(
        Array.from({ length: 30 }, () => GB),
        0,
      ),
    ).toMatchObject({ fullIn: 0 })
  })

  it('goes by the last 90 days', () => {
    const days = [...Array.from({ length: 300 }, () => 50 * GB), ...Array.from({ length: 90 }, () => GB)]
    expect(forecast(days, 10 * GB)?.fullIn).toBe(10)
  })
})
