import * as leaflet from 'leaflet'
import { useEffect, useRef } from 'react'
import type { Place } from '../../../../../shared/kernel/distance.ts'
import { useFormat } from '../../../../ui/format/use-format.tsx'
import { ringAround } from './grid.ts'
import { type Box, shownBy } from './map-view.ts'
import { useMapWords } from './outline-map.tsx'
import { type Region, useRegions } from './regions.ts'
import { makeStreetMap } from './street-map.ts'
import styles from './where.module.css'

/** A square of the map, and how much is in it. */
export interface DensityCell {
  readonly id: string
  readonly bounds: Box
  readonly count: number
  /** From 1 to 5. */
  readonly step: number
}

export interface DensityMapProps {
  readonly start: Box
  readonly cells: readonly DensityCell[]
  readonly chosen: string | null
  readonly onChoose: (id: string) => void
  /** Told of the part that is shown, first as it begins. */
  readonly onMove: (shown: Box, zoom: number) => void
  /** Within which something is looked for. */
  readonly circle: (Place & { readonly metres: number }) | null
  readonly label: string
  readonly describedBy: string
}

/** A map with squares, darker where more was. What each of them holds stands in words beside it. */
export default function DensityMap(props: DensityMapProps) {
  const regions = useRegions()
  return regions === null ? <div className={styles['density']} aria-busy /> : <DrawnMap {...props} regions={regions} />
}

/** Nearer, one position would fill the map. */
const NEAREST_FIRST_ZOOM = 16
/** More numbers than these are no longer read. */
const MOST_NUMBERS = 1_500

function DrawnMap({
  start,
  cells,
  chosen,
  onChoose,
  onMove,
  circle,
  label,
  describedBy,
  regions,
}: DensityMapProps & { readonly regions: readonly Region[] }) {
  const words = useMapWords()
  const format = useFormat()
  const box = useRef<HTMLDivElement>(null)
  const drawn = useRef<{ readonly map: leaflet.Map; readonly layer: leaflet.LayerGroup } | null>(null)
  const first = useRef(start)
  const tell = useRef({ onMove, onChoose })
  tell.current = { onMove, onChoose }
  const { locale } = format
  useEffect(() => {
    const element = box.current
    if (element === null) return
    const { map, remove } = makeStreetMap(element, { words, locale, regions, origin: null })
    const [west, south, east, north] = first.current
    map.fitBounds(
      [
        [south, west],
        [north, east < west ? east + 360 : east],
      ],
      { maxZoom: NEAREST_FIRST_ZOOM, padding: [24, 24] },
    )
    drawn.current = { map, layer: leaflet.layerGroup().addTo(map) }
    map.on('moveend', () => tell.current.onMove(shownBy(map), map.getZoom()))
    tell.current.onMove(shownBy(map), map.getZoom())
    return () => {
      drawn.current = null
      remove()
    }
  }, [words, locale, regions])
  useEffect(() => {
    if (drawn.current === null) return
    const { map, layer } = drawn.current
    layer.clearLayers()
    const center = map.getCenter().lng
    for (const cell of cells) drawCell(layer, cell, center, cell.id === chosen, (id) => tell.current.onChoose(id))
    if (cells.length <= MOST_NUMBERS)
      for (const cell of cells) drawNumber(layer, cell, center, format.count(cell.count))
    if (circle !== null)
      leaflet
        .polyline(
          ringAround(circle, circle.metres).map(({ latitude, longitude }) =>
            leaflet.latLng(latitude, beside(longitude, center)),
          ),
          { interactive: false, className: styles['circle'] ?? '' },
        )
        .addTo(layer)
  }, [cells, chosen, circle, format, words, locale, regions])
  return (
    <div className={`${styles['frame']} ${styles['whole']}`}>
      <div
        ref={box}
        className={`${styles['map']} ${styles['density']}`}
        role="application"
        aria-label={label}
        aria-describedby={describedBy}
        data-map
      />
    </div>
  )
}

/** In the turn of the earth that the map shows. */
const beside = (longitude: number, center: number): number => longitude + Math.round((center - longitude) / 360) * 360

function drawCell(
  layer: leaflet.LayerGroup,
  { id, bounds: [west, south, east, north], step }: DensityCell,
  center: number,
  isChosen: boolean,
  onChoose: (id: string) => void,
): void {
  const left = beside(west, center)
  leaflet
    .rectangle(
      [
        [south, left],
        [north, left + (east - west)],
      ],
      { className: `${styles['cell']} ${styles[`cell${step}`]} ${isChosen ? styles['cellChosen'] : ''}` },
    )
    .on('click', () => onChoose(id))
    .addTo(layer)
}

function drawNumber(
  layer: leaflet.LayerGroup,
  { bounds: [west, south, east, north] }: DensityCell,
  center: number,
  text: string,
): void {
  const span = document.createElement('span')
  span.textContent = text
  leaflet
    .marker([(south + north) / 2, beside((west + east) / 2, center)], {
      interactive: false,
      keyboard: false,
      icon: leaflet.divIcon({ className: styles['cellCount'] ?? '', html: span, iconSize: [0, 0] }),
    })
    .addTo(layer)
}
