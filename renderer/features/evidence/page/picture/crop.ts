/** A rectangle of a picture, in whole pixels of it. Pure. */
import type { Point } from './measure.ts'
import type { Size } from './use-view.ts'

export interface Area {
  readonly left: number
  readonly top: number
  readonly width: number
  readonly height: number
}

const within = (value: number, least: number, most: number): number =>
  Math.min(most, Math.max(least, Math.round(value)))

/** Between two corners; never empty and never beyond the picture. */
export function areaBetween(from: Point, to: Point, picture: Size): Area {
  const left = within(Math.min(from.x, to.x), 0, picture.width - 1)
  const top = within(Math.min(from.y, to.y), 0, picture.height - 1)
  const right = within(Math.max(from.x, to.x), left + 1, picture.width)
  const bottom = within(Math.max(from.y, to.y), top + 1, picture.height)
  return { left, top, width: right - left, height: bottom - top }
}

/** Moved by so many pixels, as far as there is room. */
export const movedBy = (area: Area, x: number, y: number, picture: Size): Area => ({
  ...area,
  left: within(area.left + x, 0, picture.width - area.width),
  top: within(area.top + y, 0, picture.height - area.height),
})

/** Made wider and higher by so many pixels at its right and lower side. */
export const grownBy = (area: Area, x: number, y: number, picture: Size): Area => ({
  ...area,
  width: within(area.width + x, 1, picture.width - area.left),
  height: within(area.height + y, 1, picture.height - area.top),
})

/** With one figure as it was typed; what does not fit is brought back into the picture. */
export function withFigure(area: Area, side: keyof Area, value: number, picture: Size): Area {
  if (Number.isNaN(value)) return area
  const left = side === 'left' ? within(value, 0, picture.width - 1) : area.left
  const top = side === 'top' ? within(value, 0, picture.height - 1) : area.top
  return {
    left,
    top,
    width: within(side === 'width' ? value : area.width, 1, picture.width - left),
    height: within(side === 'height' ? value : area.height, 1, picture.height - top),
  }
}

/** In the middle of what is seen, half as wide and high as it. */
export function inMiddle(one: Point, other: Point, picture: Size): Area {
  const quarter = { x: (other.x - one.x) / 4, y: (other.y - one.y) / 4 }
  return areaBetween(
    { x: one.x + quarter.x, y: one.y + quarter.y },
    { x: other.x - quarter.x, y: other.y - quarter.y },
    picture,
  )
}
