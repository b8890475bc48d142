/** How far two points lie apart, for what a map of the world cannot show. Pure. */
import { pointOf } from '../../../../shared/kernel/wkt.ts'

/** Mean radius of the earth in metres: good to half a percent anywhere. */
const EARTH = 6_371_009

function inRadians(wkt: string): { readonly latitude: number; readonly longitude: number } | null {
  const point = pointOf(wkt)
  if (point === null) return null
  return { longitude: (Number(point.longitude) * Math.PI) / 180, latitude: (Number(point.latitude) * Math.PI) / 180 }
}

/** Along the surface. @returns null where one of them is no point */
export function metresBetween(one: string, other: string): number | null {
  const [a, b] = [inRadians(one), inRadians(other)]
  if (a === null || b === null) return null
  const half = (angle: number): number => Math.sin(angle / 2) ** 2
  const chord =
    half(b.latitude - a.latitude) + Math.cos(a.latitude) * Math.cos(b.latitude) * half(b.longitude - a.longitude)
  return 2 * EARTH * Math.asin(Math.min(1, Math.sqrt(chord)))
}

/** `340 m`, `1.3 km`, `27 km`: no finer than positions are. */
export function lengthWords(metres: number, locale: string): string {
  const [value, unit] = metres < 995 ? [Math.round(metres / 10) * 10, 'meter'] : [metres / 1000, 'kilometer']
  return new Intl.NumberFormat(locale, {
    style: 'unit',
    unit,
    maximumFractionDigits: unit === 'kilometer' && value < 10 ? 1 : 0,
  })
    .format(value)
    .replace(' ', '\u00a0')
}
