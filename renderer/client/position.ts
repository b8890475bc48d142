/** A place as people write it, and as the station stores it. Pure. */
import { isWgs84Wkt, pointOf, pointWkt } from '../../shared/kernel/wkt.ts'

/** A metre: what a receiver says beyond it is noise to whoever reads it. */
const DECIMALS = 5
const degrees = (text: string): string => String(Number(Number(text).toFixed(DECIMALS)) + 0)

const PAIR = /^\s*([+-]?\d{1,3}(?:\.\d+)?)\s*[,;\s]\s*([+-]?\d{1,3}(?:\.\d+)?)\s*$/

/** Latitude first, as people write it; well-known text has it second. What is no point stays as it is. */
export function positionText(wkt: string | null): string {
  const point = wkt === null ? null : pointOf(wkt)
  return point === null ? (wkt ?? '') : `${degrees(point.latitude)}, ${degrees(point.longitude)}`
}

/** @returns null for what is no position */
export function positionWkt(text: string): string | null {
  const pair = PAIR.exec(text)
  if (pair !== null) {
    const [latitude, longitude] = [Number(pair[1]), Number(pair[2])]
    return Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180 ? pointWkt(longitude, latitude) : null
  }
  return isWgs84Wkt(text.trim()) ? text.trim() : null
}
