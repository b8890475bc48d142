/** Lengths on a picture, in its own pixels: zooming, moving and turning do not change them. Pure. */
import type { PictureView, Size } from './use-view.ts'

export interface Point {
  readonly x: number
  readonly y: number
}

export interface Stretch {
  readonly from: Point
  readonly to: Point
}

/** A stretch whose length is known. */
export interface Scale {
  readonly pixels: number
  readonly length: number
  readonly unit: string
}

export const lengthOf = ({ from, to }: Stretch): number => Math.hypot(to.x - from.x, to.y - from.y)

export const scaledLength = (pixels: number, scale: Scale): number => (pixels / scale.pixels) * scale.length

const turned = ({ x, y }: Point, turns: number): Point => {
  switch (((turns % 4) + 4) % 4) {
    case 1:
      return { x: -y, y: x }
    case 2:
      return { x: -x, y: -y }
    case 3:
      return { x: y, y: -x }
    default:
      return { x, y }
  }
}

/** @param point from the middle of the frame, in CSS pixels @returns the same place from the upper left corner of the picture, in its pixels */
export function onPicture(point: Point, view: PictureView, scale: number, picture: Size): Point {
  const from = turned({ x: (point.x - view.x) / scale, y: (point.y - view.y) / scale }, -view.turns)
  const within = (value: number, most: number): number => Math.min(most, Math.max(0, value))
  return {
    x: within(from.x + picture.width / 2, picture.width),
    y: within(from.y + picture.height / 2, picture.height),
  }
}

/** The way back. */
export function onFrame(point: Point, view: PictureView, scale: number, picture: Size): Point {
  const from = turned({ x: point.x - picture.width / 2, y: point.y - picture.height / 2 }, view.turns)
  return { x: from.x * scale + view.x, y: from.y * scale + view.y }
}

/** A length as people type it, with a point or a comma. @returns null for anything that is none */
export function lengthIn(text: string): number | null {
  const value = /^\d{1,7}([.,]\d{1,4})?$/.test(text.trim()) ? Number(text.trim().replace(',', '.')) : 0
  return value > 0 ? value : null
}
