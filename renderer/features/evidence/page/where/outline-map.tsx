import * as leaflet from 'leaflet'
import { useEffect, useRef } from 'react'
import { useTranslation } from '../../../../client/translate.ts'
import { useFormat } from '../../../../ui/format/use-format.tsx'
import type { Place } from '../../../../../shared/kernel/distance.ts'
import type { Shape } from '../../../../../shared/kernel/wkt-shapes.ts'
import { type Extent, extentOf, unwrappedShapes } from './geometry.ts'
import { arrowsAlong, metresAcross, ringAround, roundBelow } from './grid.ts'
import { metresText } from '../../../../ui/format/metres-text.ts'
import { type Region, useRegions } from './regions.ts'
import { type Overlay, type Pixel, type StreetMapOptions, viewOf } from './map-view.ts'
import { makeStreetMap } from './street-map.ts'
import styles from './where.module.css'

/** What stands at the ends of a track. */
export interface TrackTimes {
  readonly start: string | null
  readonly end: string | null
}

export interface OutlineMapProps {
  readonly shapes: readonly Shape[]
  /** `https://…/{z}/{x}/{y}.png`; null for none. */
  readonly tiles: string | null
  readonly label: string
  readonly times?: TrackTimes
  /** The id of what says the same in words. */
  readonly describedBy?: string | undefined
}

const TILE_ZOOM = 18
const NEAREST_FIRST_ZOOM = 17

/** Positions on streets, or on a grid in metres; loaded with its data when there is a position to show. */
export default function OutlineMap(props: OutlineMapProps) {
  const regions = useRegions()
  // Made once, with everything on it: a map that is made anew jumps about.
  return regions === null ? <div className={styles['map']} aria-busy /> : <DrawnMap {...props} regions={regions} />
}

function DrawnMap({
  shapes,
  tiles,
  label,
  times,
  describedBy,
  regions,
}: OutlineMapProps & { readonly regions: readonly Region[] }) {
  const words = useMapWords()
  const { locale } = useFormat()
  const box = useRef<HTMLDivElement>(null)
  const [start, end] = [times?.start ?? null, times?.end ?? null]
  useEffect(() => {
    const element = box.current
    if (element === null) return
    const flat = unwrappedShapes(shapes)
    const origin = originOf(flat)
    const overlay = (map: leaflet.Map): Overlay => marksOf(map, flat, { start, end }, locale)
    const { map, remove } = makeStreetMap(element, { words, locale, regions, origin, overlay })
    show(map, flat)
    if (tiles !== null) leaflet.tileLayer(tiles, { maxZoom: TILE_ZOOM }).addTo(map)
    return remove
  }, [shapes, tiles, words, locale, regions, start, end])
  return (
    <div className={styles['frame']}>
      <div
        ref={box}
        className={styles['map']}
        role="application"
        aria-label={label}
        aria-describedby={describedBy}
        data-map
      />
    </div>
  )
}

export function useMapWords(): StreetMapOptions['words'] {
  const { t } = useTranslation('evidencePage')
  const kept = useRef<{ readonly t: typeof t; readonly words: StreetMapOptions['words'] } | null>(null)
  if (kept.current?.t !== t)
    kept.current = {
      t,
      words: {
        zoomIn: t('zoomIn'),
        zoomOut: t('zoomOut'),
        north: t('mapNorth'),
        grid: (step) => t('mapGrid', { step }),
      },
    }
  return kept.current.words
}

/** The start of a track, or the first position. */
const originOf = (shapes: readonly Shape[]): Place | null =>
  (shapes.find(({ kind }) => kind === 'line') ?? shapes[0])?.kind === 'area'
    ? null
    : (firstPlaceOf(shapes.find(({ kind }) => kind === 'line') ?? shapes[0]) ?? null)

const firstPlaceOf = (shape: Shape | undefined): Place | undefined =>
  shape === undefined || shape.kind === 'area' ? undefined : shape.places[0]

const RING_PART = 0.36

/** The ring around the origin, arrows along tracks, and the times at their ends. */
function marksOf(map: leaflet.Map, shapes: readonly Shape[], times: TrackTimes, locale: string): Overlay {
  const pixel = ({ latitude, longitude }: Place): Pixel => map.latLngToContainerPoint([latitude, longitude])
  const origin = originOf(shapes)
  const view = viewOf(map)
  const { x: width, y: height } = map.getSize()
  const radius = origin === null ? null : roundBelow((metresAcross(view) / width) * Math.min(width, height) * RING_PART)
  const ring =
    origin === null || radius === null
      ? []
      : ringAround(origin, radius).map(({ latitude, longitude }) => {
          const turns = Math.round((origin.longitude - longitude) / 360) * 360
          return pixel({ latitude, longitude: longitude + turns })
        })
  const tracks = shapes.flatMap((shape) => (shape.kind === 'line' ? [shape.places.map(pixel)] : []))
  const [only] = tracks
  const ends =
    tracks.length === 1 && only !== undefined
      ? ([
          [only[0], times.start],
          [only.at(-1), times.end],
        ] as const)
      : []
  const [top] = ring
  return {
    lines: ring.length === 0 ? [] : [{ points: ring, className: styles['ring'] }],
    arrows: tracks.flatMap(arrowsAlong),
    texts: [
      ...(top === undefined || radius === null
        ? []
        : [{ at: { x: top.x, y: top.y - 4 }, text: metresText(radius, locale), anchor: 'middle' as const }]),
      ...ends.flatMap(([at, text]) =>
        at === undefined || text === null
          ? []
          : [
              at.x > width / 2
                ? { at: { x: at.x - 10, y: at.y - 8 }, text, anchor: 'end' as const }
                : { at: { x: at.x + 10, y: at.y - 8 }, text, anchor: 'start' as const },
            ],
      ),
    ],
  }
}

const SHAPE = { interactive: false } as const

function show(map: leaflet.Map, shapes: readonly Shape[]): void {
  const point = ({ latitude, longitude }: Place) => leaflet.latLng(latitude, longitude)
  const layer = leaflet.featureGroup()
  const dot = (place: Place, className: string | undefined) =>
    leaflet.circleMarker(point(place), { ...SHAPE, radius: 6, className: className ?? '' }).addTo(layer)
  for (const shape of shapes) {
    if (shape.kind === 'area') {
      const rings = shape.rings.map((ring) => ring.map(point))
      leaflet.polygon(rings, { ...SHAPE, className: styles['area'] ?? '' }).addTo(layer)
      continue
    }
    if (shape.kind === 'line') {
      leaflet.polyline(shape.places.map(point), { ...SHAPE, className: styles['track'] ?? '' }).addTo(layer)
      const [first] = shape.places
      if (first !== undefined) dot(first, styles['start'])
    }
    const last = shape.places.at(-1)
    if (last !== undefined) dot(last, styles['dot'])
  }
  look(map, extentOf(shapes))
  layer.addTo(map)
}

function look(map: leaflet.Map, extent: Extent | null): void {
  if (extent === null) return void map.setView([0, 0], 1)
  const { south, west, north, east } = extent
  const bounds = leaflet.latLngBounds([south, west], [north, east])
  if (south === north && west === east) map.setView(bounds.getCenter(), NEAREST_FIRST_ZOOM - 1)
  else map.fitBounds(bounds.pad(0.2), { maxZoom: NEAREST_FIRST_ZOOM })
}
