/**
 * The map that evidence, cases and search share: streets of an imported region, a grid in metres where there is none, and the outline of
 * countries where more than 200 km are shown.
 */
import * as leaflet from 'leaflet'
import './leaflet.css'
import { metresAcross, WIDEST_GRID } from './grid.ts'
import { drawGrid } from './grid-overlay.ts'
import { NEAREST_ZOOM, type StreetMapOptions, viewOf } from './map-view.ts'
import { addOutline } from './outline.ts'
import styles from './where.module.css'

/** @returns what takes it down */
export function makeStreetMap(
  element: HTMLElement,
  options: StreetMapOptions,
): { map: leaflet.Map; remove: () => void } {
  const { words, regions } = options
  const map = leaflet.map(element, {
    attributionControl: false,
    zoomControl: false,
    maxZoom: NEAREST_ZOOM,
    minZoom: 1,
    worldCopyJump: true,
    fadeAnimation: false,
    zoomAnimation: false,
    markerZoomAnimation: false,
  })
  leaflet.control.zoom({ zoomInTitle: words.zoomIn, zoomOutTitle: words.zoomOut }).addTo(map)
  leaflet.control.scale({ imperial: false }).addTo(map)
  addNorth(map, words.north)
  const abort = new AbortController()
  const drawing = drawGrid(map, options)
  let hasOutline = false
  const redraw = (): void => {
    drawing.redraw()
    const far = metresAcross(viewOf(map)) >= WIDEST_GRID
    element.dataset['shows'] = far ? 'outline' : 'grid'
    if (!far || hasOutline) return
    hasOutline = true
    void addOutline(map, abort.signal)
  }
  map.on('move zoom viewreset resize', redraw)
  // Fetched with the first region: a station without one needs nothing of it.
  if (regions.length > 0)
    void import('./region-layers.ts')
      .then(({ addRegions }) => {
        if (!abort.signal.aborted) addRegions(map, regions, abort.signal)
      })
      .catch(() => undefined)
  const observer = new ResizeObserver(() => map.invalidateSize())
  observer.observe(element)
  return {
    map,
    remove: () => {
      abort.abort()
      observer.disconnect()
      drawing.remove()
      map.remove()
    },
  }
}

/** Up is north on every map here; it is said all the same, since a grid has no other sign of it. */
function addNorth(map: leaflet.Map, label: string): void {
  const north = new leaflet.Control({ position: 'topright' })
  north.onAdd = () => {
    const box = leaflet.DomUtil.create('div', styles['north'] ?? '')
    box.setAttribute('role', 'img')
    box.setAttribute('aria-label', label)
    box.innerHTML = '<svg viewBox="0 0 16 24" aria-hidden="true"><path d="M8 1 13 14 8 11 3 14Z"/></svg>'
    const letter = document.createElement('span')
    letter.ariaHidden = 'true'
    letter.textContent = 'N'
    box.append(letter)
    return box
  }
  north.addTo(map)
}
