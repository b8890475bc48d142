import * as leaflet from 'leaflet'
import { useEffect, useRef } from 'react'
import { useFormat } from '../../../../ui/format/use-format.tsx'
import { ringAround } from './grid.ts'
import { useMapWords } from './outline-map.tsx'
import { type Region, useRegions } from './regions.ts'
import { makeStreetMap } from './street-map.ts'
import styles from './where.module.css'

type Box = readonly [west: number, south: number, east: number, north: number]

export interface AreaMapProps {
  readonly start: Box | null
  /** Told of the part that is shown, first as it begins. */
  readonly onMove: (box: Box) => void
  readonly label: string
  /** A circle that is looked in instead; the map goes to it. */
  readonly circle?: { readonly latitude: number; readonly longitude: number; readonly metres: number } | null
  /** Where something lies; drawn as a haze that is denser where more does. */
  readonly heat?: readonly (readonly { readonly latitude: number; readonly longitude: number }[])[] | null
}

const WHOLE: Box = [-160, -55, 160, 75]
const DIGITS = 4

/** A map to choose a part of the world with: what it shows is what is chosen. Moved by mouse, and by keyboard once it has the focus. */
export default function AreaMap(props: AreaMapProps) {
  const regions = useRegions()
  return regions === null ? (
    <div className={`${styles['map']} ${styles['chosen']}`} aria-busy />
  ) : (
    <DrawnMap {...props} regions={regions} />
  )
}

function DrawnMap({
  start,
  onMove,
  label,
  circle,
  heat,
  regions,
}: AreaMapProps & { readonly regions: readonly Region[] }) {
  const words = useMapWords()
  const { locale } = useFormat()
  const box = useRef<HTMLDivElement>(null)
  const drawn = useRef<leaflet.Map | null>(null)
  const first = useRef(start ?? boundsOf(regions))
  const tell = useRef(onMove)
  tell.current = onMove
  useEffect(() => {
    const element = box.current
    if (element === null) return
    const { map, remove } = makeStreetMap(element, { words, locale, regions, origin: null })
    drawn.current = map
    const [west, south, east, north] = first.current
    // One that crosses the antimeridian goes on eastwards on the map.
    map.fitBounds([
      [south, west],
      [north, east < west ? east + 360 : east],
    ])
    map.on('moveend', () => tell.current(shownBy(map)))
    tell.current(shownBy(map))
    return () => {
      drawn.current = null
      remove()
    }
  }, [words, locale, regions])
  useEffect(() => {
    const map = drawn.current
    if (map === null || circle === null || circle === undefined) return
    const ring = ringAround(circle, circle.metres).map(({ latitude, longitude }) =>
      leaflet.latLng(latitude, longitude + Math.round((circle.longitude - longitude) / 360) * 360),
    )
    const layer = leaflet.featureGroup([
      leaflet.polygon(ring, { interactive: false, className: styles['circle'] ?? '' }),
      leaflet.circleMarker([circle.latitude, circle.longitude], {
        radius: 5,
        interactive: false,
        className: styles['dot'] ?? '',
      }),
    ])
    layer.addTo(map)
    map.fitBounds(layer.getBounds().pad(0.15))
    return () => void layer.remove()
  }, [circle, words, locale, regions])
  useEffect(() => {
    const map = drawn.current
    if (map === null || heat === null || heat === undefined) return
    const group = leaflet.featureGroup().addTo(map)
    const options = { interactive: false, className: styles['heat'] ?? '' }
    for (const line of heat)
      if (line.length === 1 && line[0] !== undefined)
        leaflet.circleMarker([line[0].latitude, line[0].longitude], { ...options, radius: 9 }).addTo(group)
      else
        leaflet
          .polyline(
            line.map(({ latitude, longitude }): [number, number] => [latitude, longitude]),
            { ...options, className: styles['heatTrack'] ?? '' },
          )
          .addTo(group)
    return () => void group.remove()
  }, [heat, words, locale, regions])
  return (
    <div className={styles['frame']}>
      <div
        ref={box}
        className={`${styles['map']} ${styles['chosen']}`}
        role="application"
        aria-label={label}
        data-map
      />
    </div>
  )
}

/** Where the station has streets, its own places lie. */
function boundsOf(regions: readonly Region[]): Box {
  const [first, ...others] = regions.map(({ Bounds }) => Bounds)
  if (first === undefined) return WHOLE
  return others.reduce<Box>(
    ([west, south, east, north], [w, s, e, n]) => [
      Math.min(west, w),
      Math.min(south, s),
      Math.max(east, e),
      Math.max(north, n),
    ],
    first,
  )
}

function shownBy(map: leaflet.Map): Box {
  const bounds = map.getBounds()
  const round = (value: number): number => Number(value.toFixed(DIGITS))
  const south = round(Math.max(-90, bounds.getSouth()))
  const north = round(Math.min(90, bounds.getNorth()))
  if (bounds.getEast() - bounds.getWest() >= 360) return [-180, south, 180, north]
  const within = (longitude: number): number => round(((((longitude + 180) % 360) + 360) % 360) - 180)
  return [within(bounds.getWest()), south, within(bounds.getEast()), north]
}
