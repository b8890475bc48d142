import { type LayerGroup, latLng, latLngBounds, type Map as LeafletMap } from 'leaflet'
import * as leaflet from 'leaflet'
import './leaflet.css'
import { useEffect, useRef } from 'react'
import { useTranslation } from '../../../../client/translate.ts'
import type { GeometryCollection, Topology } from 'topojson-specification'
import { feature, mesh } from 'topojson-client'
import countriesAddress from 'world-atlas/countries-50m.json?url'
import { extentOf, type Place, type Shape } from './geometry.ts'
import styles from './where.module.css'

export interface OutlineMapProps {
  readonly shapes: readonly Shape[]
  /** `https://…/{z}/{x}/{y}.png`; null for the outline alone. */
  readonly tiles: string | null
  readonly label: string
}

/** The outline knows coasts and borders; nearer than this it has nothing more to say. */
export const OUTLINE_ZOOM = 8
const TILE_ZOOM = 18
const FIRST_ZOOM = 5
/** So near that the outline still shows where in the world it is. */
const NEAREST_FIRST_ZOOM = 6

/** The map itself, loaded with its data when there is a position to show. */
export default function OutlineMap({ shapes, tiles, label }: OutlineMapProps) {
  const { t } = useTranslation('evidencePage')
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const element = box.current
    if (element === null) return
    const map = leaflet.map(element, {
      attributionControl: false,
      zoomControl: false,
      maxZoom: tiles === null ? OUTLINE_ZOOM : TILE_ZOOM,
      minZoom: 1,
      worldCopyJump: true,
      fadeAnimation: false,
      zoomAnimation: false,
      markerZoomAnimation: false,
    })
    leaflet.control.zoom({ zoomInTitle: t('zoomIn'), zoomOutTitle: t('zoomOut') }).addTo(map)
    leaflet.control.scale({ imperial: false }).addTo(map)
    show(map, shapes, tiles === null ? NEAREST_FIRST_ZOOM : TILE_ZOOM - 2)
    if (tiles !== null) leaflet.tileLayer(tiles, { maxZoom: TILE_ZOOM }).addTo(map)
    const abort = new AbortController()
    void outline(map, abort.signal)
    const observer = new ResizeObserver(() => map.invalidateSize())
    observer.observe(element)
    return () => {
      abort.abort()
      observer.disconnect()
      map.remove()
    }
  }, [shapes, tiles, t])
  return (
    <div className={styles['frame']}>
      <div ref={box} className={styles['map']} role="application" aria-label={label} data-map />
    </div>
  )
}

function show(map: LeafletMap, shapes: readonly Shape[], nearest: number): void {
  const extent = extentOf(shapes)
  const point = ({ latitude, longitude }: Place) => latLng(latitude, longitude)
  const layer: LayerGroup = leaflet.featureGroup().addTo(map)
  const dot = (place: Place, className: string | undefined) =>
    leaflet
      .circleMarker(point(place), { radius: 6, interactive: false, ...(className === undefined ? {} : { className }) })
      .addTo(layer)
  for (const shape of shapes) {
    if (shape.kind === 'area') {
      const rings = shape.rings.map((ring) => ring.map(point))
      leaflet.polygon(rings, { className: styles['area'] ?? '', interactive: false }).addTo(layer)
      continue
    }
    if (shape.kind === 'line') {
      leaflet.polyline(shape.places.map(point), { className: styles['track'] ?? '', interactive: false }).addTo(layer)
      const [first] = shape.places
      if (first !== undefined) dot(first, styles['start'])
    }
    const last = shape.places.at(-1)
    if (last !== undefined) dot(last, styles['dot'])
  }
  if (extent === null) return void map.setView([0, 0], 1)
  const bounds = latLngBounds([extent.south, extent.west], [extent.north, extent.east])
  if (extent.south === extent.north && extent.west === extent.east)
    map.setView(bounds.getCenter(), Math.max(FIRST_ZOOM, nearest - 2))
  else map.fitBounds(bounds.pad(0.3), { maxZoom: nearest })
}

type Atlas = Topology<{ readonly countries: GeometryCollection; readonly land: GeometryCollection }>

/** Land and borders below what is shown; without them the position still stands in words. */
export async function outline(map: LeafletMap, signal: AbortSignal): Promise<void> {
  const answer = await fetch(countriesAddress, { signal }).catch(() => null)
  if (answer === null || !answer.ok) return
  // The page may be left while it loads.
  const atlas = (await answer.json().catch(() => null)) as Atlas | null
  if (atlas === null || signal.aborted) return
  const { countries, land } = atlas.objects
  const pane = map.createPane('outline')
  pane.style.zIndex = '250'
  const renderer = leaflet.svg({ pane: 'outline' })
  const style = (className: string | undefined) => ({
    pane: 'outline',
    renderer,
    className: className ?? '',
    interactive: false,
  })
  // Options of a layer go on to the lines it is drawn with.
  const options = { pane: 'outline', interactive: false }
  leaflet.geoJSON(feature(atlas, land), { ...options, style: () => style(styles['land']) }).addTo(map)
  const borders = mesh(atlas, countries, (one, other) => one !== other)
  leaflet.geoJSON(borders, { ...options, style: () => style(styles['border']) }).addTo(map)
}
