import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { factsOf, mainFacts } from './exif-facts.ts'
import { lengthIn, lengthOf, onFrame, onPicture, scaledLength } from './measure.ts'

describe('the six facts of a file', () => {
  it('come from where cameras write them', () => {
    const facts = factsOf({
      'IFD0:Make': 'Corvid',
      'IFD0:Model': 'Corvid C3',
      'IFD0:Software': 'fw 4.2',
      'ExifIFD:DateTimeOriginal': '2026:11:20 14:07:42',
      'ExifIFD:OffsetTimeOriginal': '+01:00',
      'ExifIFD:LensModel': '24mm',
      'Composite:GPSLatitude': 52.372812345,
      'Composite:GPSLongitude': -4.8936,
      'File:ImageWidth': 1200,
      'File:ImageHeight': 800,
    })
    expect(mainFacts(facts)).toEqual({
      taken: '2026-11-20 14:07:42 +01:00',
      camera: 'Corvid C3',
      lens: '24mm',
      gps: '52.37281, -4.89360',
      size: '1200 × 800',
      software: 'fw 4.2',
    })
  })

  it('are null where the file says nothing, and never more than text', () => {
    expect(Object.values(mainFacts([]))).toEqual([null, null, null, null, null, null])
    expect(mainFacts(factsOf({ 'IFD0:Make': '<b>\u202Ex', 'IFD0:Software': { a: 1 } }))).toMatchObject({
      camera: expect.not.stringContaining('\u202E'),
      software: '{"a":1}',
    })
  })
})

describe('measuring', () => {
  const views = fc.record({
    view: fc.record({
      zoom: fc.constant(null),
      x: fc.integer({ min: -500, max: 500 }),
      y: fc.integer({ min: -500, max: 500 }),
      turns: fc.nat(3),
    }),
    scale: fc.double({ min: 0.02, max: 16, noNaN: true }),
    x: fc.double({ min: 0, max: 1200, noNaN: true }),
    y: fc.double({ min: 0, max: 800, noNaN: true }),
  })

  it('a place on the picture is the same however the picture lies', () => {
    fc.assert(
      fc.property(views, ({ view, scale, x, y }) => {
        const picture = { width: 1200, height: 800 }
        const back = onPicture(onFrame({ x, y }, view, scale, picture), view, scale, picture)
        expect(back.x).toBeCloseTo(x, 4)
        expect(back.y).toBeCloseTo(y, 4)
      }),
    )
  })

  it('outside the picture counts as its edge', () => {
    const view = { zoom: null, x: 0, y: 0, turns: 0 }
    expect(onPicture({ x: -9999, y: 9999 }, view, 1, { width: 10, height: 20 })).toEqual({ x: 0, y: 20 })
  })

  it('a known length makes a scale', () => {
    const pixels = lengthOf({ from: { x: 0, y: 0 }, to: { x: 30, y: 40 } })
    expect(pixels).toBe(50)
    expect(scaledLength(125, { pixels, length: 10, unit: 'cm' })).toBe(25)
    expect(['10', '2,5', ' 0.5 ', '0', '-1', 'ten', ''].map(lengthIn)).toEqual([10, 2.5, 0.5, null, null, null, null])
  })
})
