/** Distances between places on earth. */
export interface Place {
  readonly latitude: number
  readonly longitude: number
}

const EARTH = 6_371_008.8
/** Metres, along a great circle. */
export function metresBetween(one: Place, other: Place): number {
  const radians = (degrees: number): number => (degrees * Math.PI) / 180
  const north = Math.sin(radians(other.latitude - one.latitude) / 2)
  const east = Math.sin(radians(other.longitude - one.longitude) / 2)
  const part = north ** 2 + Math.cos(radians(one.latitude)) * Math.cos(radians(other.latitude)) * east ** 2
  return 2 * EARTH * Math.asin(Math.min(1, Math.sqrt(part)))
}
