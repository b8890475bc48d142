import * as leaflet from 'leaflet'
import './leaflet.css'
import { useEffect, useRef } from 'react'
import { useTranslation } from '../../../../client/translate.ts'
import { OUTLINE_ZOOM, outline } from './outline-map.tsx'
import styles from './where.module.css'

type Box = readonly [west: number, south: number, east: number, north: number]

interface Props {
  readonly start: Box | null
  /** Told of the part that is shown, first as it begins. */
  readonly onMove: (box: Box) => void
  readonly label: string
}

const WHOLE: Box = [-160, -55, 160, 75]
const DIGITS = 4

/** A map to choose a part of the world with: what it shows is what is chosen. Moved by mouse, and by keyboard once it has the focus. */
export default function AreaMap({ start, onMove, label }: Props) {
  const { t } = useTranslation('evidencePage')
  const box = useRef<HTMLDivElement>(null)
  const first = useRef(start ?? WHOLE)
  const tell = useRef(onMove)
  tell.current = onMove
  useEffect(() => {
    const element = box.current
    if (element === null) return
    const map = leaflet.map(element, {
      attributionControl: false,
      zoomControl: false,
      maxZoom: OUTLINE_ZOOM + 4,
      minZoom: 1,
      fadeAnimation: false,
      zoomAnimation: false,
      markerZoomAnimation: false,
    })
    leaflet.control.zoom({ zoomInTitle: t('zoomIn'), zoomOutTitle: t('zoomOut') }).addTo(map)
    leaflet.control.scale({ imperial: false }).addTo(map)
    const [west, south, east, north] = first.current
    // One that crosses the antimeridian goes on eastwards on the map.
    map.fitBounds([
      [south, west],
      [north, east < west ? east + 360 : east],
    ])
    map.on('moveend', () => tell.current(shownBy(map)))
    tell.current(shownBy(map))
    const abort = new AbortController()
    void outline(map, abort.signal)
    const observer = new ResizeObserver(() => map.invalidateSize())
    observer.observe(element)
    return () => {
      abort.abort()
      observer.disconnect()
      map.remove()
    }
  }, [t])
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

function shownBy(map: leaflet.Map): Box {
  const bounds = map.getBounds()
  const round = (value: number): number => Number(value.toFixed(DIGITS))
  const south = round(Math.max(-90, bounds.getSouth()))
  const north = round(Math.min(90, bounds.getNorth()))
  if (bounds.getEast() - bounds.getWest() >= 360) return [-180, south, 180, north]
  const within = (longitude: number): number => round(((((longitude + 180) % 360) + 360) % 360) - 180)
  return [within(bounds.getWest()), south, within(bounds.getEast()), north]
}
