/** What a map shows, what it is made with, and what stands over it. */
import type * as leaflet from 'leaflet'
import type { Place } from '../../../../../shared/kernel/distance.ts'
import type { View } from './grid.ts'
import type { Region } from './regions.ts'

/** What stands over the map. */
export interface Overlay {
  readonly lines: readonly { readonly points: readonly Pixel[]; readonly className: string | undefined }[]
  readonly arrows: readonly { readonly x: number; readonly y: number; readonly turn: number }[]
  readonly texts: readonly { readonly at: Pixel; readonly text: string; readonly anchor: 'start' | 'middle' | 'end' }[]
}

export interface Pixel {
  readonly x: number
  readonly y: number
}

export const NEAREST_ZOOM = 19

export interface StreetMapOptions {
  readonly words: {
    readonly zoomIn: string
    readonly zoomOut: string
    readonly north: string
    readonly grid: (step: string) => string
  }
  readonly locale: string
  readonly regions: readonly Region[]
  /** From where lines of the grid are counted. */
  readonly origin: Place | null
  /** What stands over the map, in its pixels; drawn anew with each move. */
  readonly overlay?: (map: leaflet.Map) => Overlay
}

/** What the map shows now. */
export function viewOf(map: leaflet.Map): View {
  const { x: width, y: height } = map.getSize()
  const at = (x: number, y: number): Place => {
    const { lat, lng } = map.containerPointToLatLng([x, y])
    return { latitude: lat, longitude: lng }
  }
  const { lat, lng } = map.getCenter()
  return {
    corners: [at(0, 0), at(width, 0), at(width, height), at(0, height)],
    center: { latitude: lat, longitude: lng },
    width,
  }
}

export type Box = readonly [west: number, south: number, east: number, north: number]

const DIGITS = 4

/** The part of the world that is in sight; one that crosses the antimeridian has its west greater than its east. */
export function shownBy(map: leaflet.Map): Box {
  const bounds = map.getBounds()
  const round = (value: number): number => Number(value.toFixed(DIGITS))
  const south = round(Math.max(-90, bounds.getSouth()))
  const north = round(Math.min(90, bounds.getNorth()))
  if (bounds.getEast() - bounds.getWest() >= 360) return [-180, south, 180, north]
  const within = (longitude: number): number => round(((((longitude + 180) % 360) + 360) % 360) - 180)
  return [within(bounds.getWest()), south, within(bounds.getEast()), north]
}
