import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decimalText, readCoordinates, sexagesimalText } from './coordinates.ts'

const AMSTERDAM = { latitude: 52.3728, longitude: 4.8936 }

describe('positions as people write them', () => {
  it.each([
    ['52.3728, 4.8936'],
    ['52.3728 4.8936'],
    ['52,3728; 4,8936'],
    ['52,3728 4,8936'],
    ['52,3728, 4,8936'],
    ['52.3728° N, 4.8936° E'],
    ['N 52.3728 E 4.8936'],
    ['4.8936 E 52.3728 N'],
    ['52° 22.368′ N, 4° 53.616′ E'],
    [`52°22'22.1"N 4°53'37.0"E`],
    ['52° 22′ 22.1″ N, 4° 53′ 37.0″ E'],
    ['52 22 22.1 N 4 53 37.0 E'],
    ['31U 628929 5804151'],
    ['31 U 628929 E 5804151 N'],
    ['31UFU2892904151'],
    ['31U FU 28929 04151'],
  ])('reads %s', (text) => {
    const place = readCoordinates(text)
    expect(place?.latitude).toBeCloseTo(AMSTERDAM.latitude, 3)
    expect(place?.longitude).toBeCloseTo(AMSTERDAM.longitude, 3)
  })

  it('reads south and west', () => {
    for (const text of ['-33.9, -70.5', '33.9 S, 70.5 W', '33° 54′ S 70° 30′ W', '33,9 S 70,5 O'])
      expect(readCoordinates(text), text).toEqual({ latitude: -33.9, longitude: -70.5 })
    expect(readCoordinates('19H 361258 6247910')?.latitude).toBeCloseTo(-33.9, 1)
  })

  it.each([
    '',
    'Quay Road 3',
    '91, 4',
    '52, 181',
    '52.3 N, 4.8 N',
    '52° 61′ N, 4° E',
    '31I 628929 5804151',
    '14',
    '61U 628929 5804151',
    '52.3.1, 4',
  ])('does not take %j for a position', (text) => expect(readCoordinates(text)).toBeNull())

  it('reads back what it writes, to a few metres, with at most five decimals', () => {
    fc.assert(
      fc.property(
        fc.double({ min: -90, max: 90, noNaN: true }),
        fc.double({ min: -180, max: 180, noNaN: true }),
        (latitude, longitude) => {
          for (const write of [decimalText, sexagesimalText]) {
            const text = write({ latitude, longitude })
            const back = readCoordinates(text)
            expect(back, text).not.toBeNull()
            expect(Math.abs((back?.latitude ?? 999) - latitude)).toBeLessThan(0.00003)
            expect(Math.abs((back?.longitude ?? 999) - longitude)).toBeLessThan(0.00003)
          }
          expect(decimalText({ latitude, longitude })).toMatch(/^-?\d+\.\d{5}, -?\d+\.\d{5}$/)
        },
      ),
    )
    fc.assert(fc.property(fc.string(), (text) => void readCoordinates(text)))
  })
})
