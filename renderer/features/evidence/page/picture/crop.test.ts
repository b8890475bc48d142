import { describe, expect, it } from 'vitest'
import { areaBetween, grownBy, inMiddle, movedBy, withFigure } from './crop.ts'

const PICTURE = { width: 100, height: 50 }
const AREA = { left: 10, top: 10, width: 20, height: 10 }

describe('the rectangle of a crop', () => {
  it('lies between two corners, whichever is drawn first, in whole pixels and within the picture', () => {
    expect(areaBetween({ x: 30.4, y: 20.2 }, { x: 9.6, y: 9.7 }, PICTURE)).toEqual(AREA)
    expect(areaBetween({ x: -5, y: -5 }, { x: 500, y: 500 }, PICTURE)).toEqual({
      left: 0,
      top: 0,
      width: 100,
      height: 50,
    })
    expect(areaBetween({ x: 100, y: 50 }, { x: 100, y: 50 }, PICTURE)).toEqual({
      left: 99,
      top: 49,
      width: 1,
      height: 1,
    })
  })

  it('moves and grows as far as there is room', () => {
    expect(movedBy(AREA, -50, 500, PICTURE)).toEqual({ ...AREA, left: 0, top: 40 })
    expect(grownBy(AREA, 500, -500, PICTURE)).toEqual({ ...AREA, width: 90, height: 1 })
  })

  it('takes a figure that is typed, and keeps it within the picture', () => {
    expect(withFigure(AREA, 'left', 95, PICTURE)).toEqual({ ...AREA, left: 95, width: 5 })
    expect(withFigure(AREA, 'height', 400, PICTURE)).toEqual({ ...AREA, height: 40 })
    expect(withFigure(AREA, 'width', Number.NaN, PICTURE)).toEqual(AREA)
  })

  it('begins in the middle of what is seen', () => {
    expect(inMiddle({ x: 0, y: 0 }, { x: 80, y: 40 }, PICTURE)).toEqual({ left: 20, top: 10, width: 40, height: 20 })
  })
})
