/** Shapes as what a map draws and words say. Pure. */
import type { Place } from '../../../../../shared/kernel/distance.ts'
import { placesOf, type Shape } from '../../../../../shared/kernel/wkt-shapes.ts'

/** Longitudes go on beyond ±180° where a shape crosses the antimeridian, all beside the first of them. */
export function unwrappedShapes(shapes: readonly Shape[]): readonly Shape[] {
  const first = shapes.flatMap(placesOf)[0]?.longitude ?? 0
  const beside = ({ latitude, longitude }: Place): Place => ({
    latitude,
    longitude: longitude + Math.round((first - longitude) / 360) * 360,
  })
  return shapes.map((shape) =>
    shape.kind === 'area'
      ? { ...shape, rings: shape.rings.map((ring) => ring.map(beside)) }
      : { ...shape, places: shape.places.map(beside) },
  )
}

export interface Extent {
  readonly south: number
  readonly west: number
  readonly north: number
  readonly east: number
}

/** Null without any place. */
export function extentOf(shapes: readonly Shape[]): Extent | null {
  const places = shapes.flatMap(placesOf)
  if (places.length === 0) return null
  const of = (pick: (place: Place) => number, best: (a: number, b: number) => number): number =>
    places.map(pick).reduce((a, b) => best(a, b))
  return {
    south: of(({ latitude }) => latitude, Math.min),
    north: of(({ latitude }) => latitude, Math.max),
    west: of(({ longitude }) => longitude, Math.min),
    east: of(({ longitude }) => longitude, Math.max),
  }
}

/** Five decimals are a metre: what a receiver knows at best. */
const DIGITS = 5

/** `52.37280° N, 4.89360° E` */
export function placeWords({ latitude, longitude }: Place, number: (value: number, digits: number) => string): string {
  const part = (value: number, letters: readonly [string, string]): string =>
    `${number(Math.abs(value), DIGITS)}° ${letters[value < 0 ? 1 : 0]}`
  return `${part(latitude, ['N', 'S'])}, ${part(longitude, ['E', 'W'])}`
}
