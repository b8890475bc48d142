/**
 * What of a vector tile is drawn and how: water, green, buildings, and roads by class, in the colours of the tokens. Knows the names of
 * the Protomaps basemap, OpenMapTiles and Shortbread.
 */
export interface Palette {
  readonly ground: string
  readonly water: string
  readonly green: string
  readonly building: string
  readonly major: string
  readonly minor: string
  readonly edge: string
  readonly rail: string
  readonly text: string
  readonly font: string
  readonly weight: string
}

/** The colours of the theme of now. A canvas takes no `var()` and no `light-dark()`, so an element works them out. */
export function readPalette(element: HTMLElement): Palette {
  const probe = document.createElement('span')
  probe.hidden = true
  element.append(probe)
  const color = (token: string): string => {
    probe.style.color = `var(${token})`
    return getComputedStyle(probe).color
  }
  const { fontFamily, fontWeight } = getComputedStyle(element)
  const palette = {
    ground: color('--map-ground'),
    water: color('--map-water'),
    green: color('--map-green'),
    building: color('--map-building'),
    major: color('--map-major'),
    minor: color('--map-minor'),
    edge: color('--map-edge'),
    rail: color('--map-rail'),
    text: color('--text'),
    font: fontFamily,
    weight: fontWeight,
  }
  probe.remove()
  return palette
}

interface Feature {
  readonly properties: Readonly<Record<string, unknown>>
}

const AREA_LAYERS = new Set([
  'water',
  'ocean',
  'water_polygons',
  'water_polygons_labels',
  'landuse',
  'natural',
  'landcover',
  'park',
  'land',
  'sites',
  'building',
  'buildings',
])
const ROAD_LAYERS = new Set([
  'roads',
  'transportation',
  'transportation_name',
  'streets',
  'street_labels',
  'road',
  'transit',
  'boundaries',
  'boundary',
])

export const isKindOf = (layer: string, kind: 'area' | 'road'): boolean =>
  (kind === 'area' ? AREA_LAYERS : ROAD_LAYERS).has(layer)

const GREEN =
  /park|wood|forest|grass|meadow|garden|cemetery|recreation|scrub|pitch|green|nature|orchard|allotment|village_green|heath|golf|zoo/

const said = ({ properties }: Feature, ...names: readonly string[]): string =>
  names.map((name) => properties[name]).find((value): value is string => typeof value === 'string') ?? ''

export function polygonStyleOf(
  layer: string,
  feature: Feature,
  palette: Palette,
): { readonly fill: string; readonly order: number } | null {
  const kind = said(feature, 'kind', 'class', 'subclass')
  if (/water|ocean/.test(layer) || kind === 'water') return { fill: palette.water, order: 2 }
  if (/building/.test(layer)) return { fill: palette.building, order: 3 }
  return layer === 'park' || GREEN.test(kind) ? { fill: palette.green, order: 1 } : null
}

export interface LineStyle {
  readonly color: string
  readonly edge: string | null
  readonly width: number
  readonly dash: boolean
  readonly order: number
}

const MAJOR = /^(highway|motorway|trunk|major_road|primary|secondary)/
const MIDDLE = /^(medium_road|tertiary)/
const PATH = /^(path|footway|pedestrian|track|cycleway|steps|bridleway|other)/
const RAIL = /rail|transit|tram|subway/

/** Pixels at zoom 16, and a half or a double of them with each zoom. */
const atZoom = (width: number, zoom: number, least: number): number =>
  Math.min(40, Math.max(least, width * 2 ** ((zoom - 16) * 0.75)))

export function lineStyleOf(layer: string, feature: Feature, zoom: number, palette: Palette): LineStyle | null {
  const kind = said(feature, 'kind', 'class', 'highway')
  if (/boundar/.test(layer)) return { color: palette.edge, edge: null, width: 1, dash: true, order: 0 }
  // Names only; the roads themselves stand in another layer.
  if (layer === 'transportation_name' || layer === 'street_labels')
    return { color: 'transparent', edge: null, width: 0.1, dash: false, order: 9 }
  if (RAIL.test(kind) || layer === 'transit')
    return { color: palette.rail, edge: null, width: 1.25, dash: false, order: 1 }
  if (PATH.test(kind)) return zoom < 14 ? null : { color: palette.edge, edge: null, width: 1, dash: true, order: 2 }
  if (MAJOR.test(kind))
    return { color: palette.major, edge: palette.edge, width: atZoom(9, zoom, 1.5), dash: false, order: 5 }
  if (MIDDLE.test(kind))
    return { color: palette.minor, edge: palette.edge, width: atZoom(7, zoom, 1), dash: false, order: 4 }
  return zoom < 12
    ? null
    : { color: palette.minor, edge: palette.edge, width: atZoom(5, zoom, 0.75), dash: false, order: 3 }
}
