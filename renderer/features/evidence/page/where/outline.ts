import * as leaflet from 'leaflet'
import { feature, mesh } from 'topojson-client'
import type { GeometryCollection, Topology } from 'topojson-specification'
import countriesAddress from 'world-atlas/countries-50m.json?url'
import { cutLine, cutRing } from './antimeridian.ts'
import styles from './where.module.css'

type Atlas = Topology<{ readonly countries: GeometryCollection; readonly land: GeometryCollection }>

/** Land and borders below what is shown; without them the position still stands in words. */
export async function addOutline(map: leaflet.Map, signal: AbortSignal): Promise<void> {
  const answer = await fetch(countriesAddress, { signal }).catch(() => null)
  if (answer === null || !answer.ok) return
  // The page may be left while it loads.
  const atlas = (await answer.json().catch(() => null)) as Atlas | null
  if (atlas === null || signal.aborted) return
  const { countries, land } = atlas.objects
  const pane = map.createPane('outline')
  pane.style.zIndex = '150'
  const renderer = leaflet.svg({ pane: 'outline' })
  const style = (className: string | undefined) => ({
    pane: 'outline',
    renderer,
    className: className ?? '',
    interactive: false,
  })
  type Line = readonly (readonly [longitude: number, latitude: number])[]
  const turned = (line: Line): [number, number][] => line.map(([x, y]) => [y, x])
  const polygons = feature(atlas, land).features.flatMap(({ geometry }) =>
    geometry.type === 'MultiPolygon' ? geometry.coordinates : geometry.type === 'Polygon' ? [geometry.coordinates] : [],
  )
  const rings = polygons.flatMap((polygon) => [polygon.flatMap(cutRing).map(turned)])
  leaflet.polygon(rings, style(styles['land'])).addTo(map)
  // Coasts are lines of their own: the edge of a polygon that was cut is none.
  const lines = (shared: boolean) =>
    mesh(atlas, countries, (one, other) => (one !== other) === shared)
      .coordinates.flatMap(cutLine)
      .map(turned)
  leaflet.polyline(lines(false), style(styles['coast'])).addTo(map)
  leaflet.polyline(lines(true), style(styles['border'])).addTo(map)
}
