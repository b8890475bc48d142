/**
 * Draws the streets of imported regions: vector tiles on canvases in the colours of the tokens, pictures as they are. Fetched with the first
 * region that there is.
 */
import { type VectorTileFeature, type VectorTileLayer, VectorTile } from '@mapbox/vector-tile'
import * as leaflet from 'leaflet'
import { PbfReader } from 'pbf'
import type { Region } from './regions.ts'
import { NEAREST_ZOOM } from './map-view.ts'
import { isKindOf, lineStyleOf, polygonStyleOf, type Palette, readPalette } from './street-styles.ts'
import styles from './where.module.css'

const TILE = 256

export function addRegions(map: leaflet.Map, regions: readonly Region[], signal: AbortSignal): void {
  for (const region of regions) {
    const [west, south, east, north] = region.Bounds
    const options: leaflet.GridLayerOptions = {
      bounds: [
        [south, west],
        [north, east],
      ],
      minZoom: region.MinZoom,
      maxZoom: NEAREST_ZOOM,
      tileSize: TILE,
    }
    if (region.Type === 'mvt') vectorLayer(region, options, map.getContainer(), signal).addTo(map)
    else
      new (
        leaflet.TileLayer.extend({
          getTileUrl: ({ z, x, y }: leaflet.Coords) => region.address(z, x, y),
        }) as new (
          url: string,
          options: leaflet.TileLayerOptions,
        ) => leaflet.TileLayer
      )('', {
        ...options,
        maxNativeZoom: region.MaxZoom,
      }).addTo(map)
  }
  showAttribution(map, regions)
}

/** Whose data is in sight. */
function showAttribution(map: leaflet.Map, regions: readonly Region[]): void {
  const control = new leaflet.Control({ position: 'bottomright' })
  const box = leaflet.DomUtil.create('div', styles['attribution'] ?? '')
  control.onAdd = () => box
  control.addTo(map)
  const say = (): void => {
    const [bounds, zoom] = [map.getBounds(), map.getZoom()]
    const shown = regions.filter(({ Bounds: [west, south, east, north], MinZoom }) => {
      return (
        zoom >= MinZoom &&
        bounds.intersects([
          [south, west],
          [north, east],
        ])
      )
    })
    const said = [...new Set(shown.map(({ Attribution }) => Attribution).filter((text) => text !== ''))].join(' · ')
    box.textContent = said
    box.hidden = said === ''
    map.getContainer().dataset['regions'] = String(shown.length)
  }
  map.on('moveend', say)
  say()
}

const KEPT = 64

function vectorLayer(
  region: Region,
  options: leaflet.GridLayerOptions,
  map: HTMLElement,
  signal: AbortSignal,
): leaflet.GridLayer {
  const tiles = new Map<string, Promise<VectorTile | null>>()
  const read = (z: number, x: number, y: number): Promise<VectorTile | null> => {
    const address = region.address(z, x, y)
    const known = tiles.get(address)
    if (known !== undefined) return known
    const [oldest] = tiles.keys()
    if (tiles.size >= KEPT && oldest !== undefined) tiles.delete(oldest)
    const asked = fetchTile(address, signal)
    tiles.set(address, asked)
    asked.catch(() => tiles.delete(address))
    return asked
  }
  const createTile = (coords: leaflet.Coords, done: leaflet.DoneCallback): HTMLElement => {
    const canvas = document.createElement('canvas')
    const ratio = Math.min(3, window.devicePixelRatio || 1)
    canvas.width = TILE * ratio
    canvas.height = TILE * ratio
    // Nearer than the map knows, a part of its nearest tile is drawn larger.
    const z = Math.min(coords.z, region.MaxZoom)
    const part = 2 ** (coords.z - z)
    const [x, y] = [Math.floor(coords.x / part), Math.floor(coords.y / part)]
    const draw = async (): Promise<void> => {
      const tile = await read(z, x, y)
      const context = canvas.getContext('2d')
      if (tile === null || context === null) return
      drawTile(context, tile, {
        zoom: coords.z,
        scale: part * ratio,
        left: (coords.x - x * part) * TILE * ratio,
        top: (coords.y - y * part) * TILE * ratio,
        ratio,
        palette: readPalette(map),
      })
    }
    // One that cannot be fetched stays empty, and the grid below it is seen.
    void draw()
      .catch(() => undefined)
      .finally(() => done(undefined, canvas))
    return canvas
  }
  return new (leaflet.GridLayer.extend({ createTile }) as new (options: leaflet.GridLayerOptions) => leaflet.GridLayer)(
    options,
  )
}

/** Null where the map has nothing. What cannot be read is drawn as nothing: the position stands all the same. */
async function fetchTile(address: string, signal: AbortSignal): Promise<VectorTile | null> {
  const answer = await fetch(address, { signal, credentials: 'same-origin' })
  if (answer.status === 204) return null
  if (!answer.ok) throw new Error(`The tile was not given: ${answer.status}`)
  try {
    return new VectorTile(new PbfReader(await answer.arrayBuffer()))
  } catch {
    return null
  }
}

interface Drawing {
  readonly zoom: number
  /** Pixels of the canvas for each of the 256 of the tile. */
  readonly scale: number
  readonly left: number
  readonly top: number
  readonly ratio: number
  readonly palette: Palette
}

function featuresOf(tile: VectorTile, kind: 'area' | 'road'): { feature: VectorTileFeature; layer: VectorTileLayer }[] {
  return Object.values(tile.layers)
    .filter(({ name }) => isKindOf(name, kind))
    .flatMap((layer) => Array.from({ length: layer.length }, (_, index) => ({ layer, feature: layer.feature(index) })))
}

function drawTile(context: CanvasRenderingContext2D, tile: VectorTile, drawing: Drawing): void {
  const { palette, ratio } = drawing
  context.fillStyle = palette.ground
  context.fillRect(0, 0, TILE * ratio, TILE * ratio)
  context.lineJoin = 'round'
  context.lineCap = 'round'
  const areas = featuresOf(tile, 'area')
    .map((one) => ({ ...one, style: polygonStyleOf(one.layer.name, one.feature, palette) }))
    .sort((one, other) => (one.style?.order ?? 0) - (other.style?.order ?? 0))
  for (const { feature, style } of areas) {
    if (style === null || feature.type !== 3) continue
    trace(context, feature, drawing)
    context.fillStyle = style.fill
    context.fill('evenodd')
  }
  const roads = featuresOf(tile, 'road')
    .map((one) => ({ ...one, style: lineStyleOf(one.layer.name, one.feature, drawing.zoom, palette) }))
    .sort((one, other) => (one.style?.order ?? 0) - (other.style?.order ?? 0))
  // All edges before all middles: crossings stay open.
  for (const pass of ['edge', 'middle'] as const)
    for (const { feature, style } of roads) {
      if (style === null || feature.type !== 2 || (pass === 'edge' && style.edge === null)) continue
      trace(context, feature, drawing)
      context.strokeStyle = pass === 'edge' ? (style.edge ?? style.color) : style.color
      context.lineWidth = (style.width + (pass === 'edge' ? 2 : 0)) * ratio
      context.setLineDash(style.dash ? [3 * ratio, 3 * ratio] : [])
      context.stroke()
    }
  context.setLineDash([])
  nameRoads(
    context,
    roads.map(({ feature }) => feature).filter(({ type }) => type === 2),
    drawing,
  )
}

function toCanvas(feature: VectorTileFeature, { scale, left, top }: Drawing): { x: number; y: number }[][] {
  const factor = (TILE * scale) / feature.extent
  return feature.loadGeometry().map((line) => line.map(({ x, y }) => ({ x: x * factor - left, y: y * factor - top })))
}

function trace(context: CanvasRenderingContext2D, feature: VectorTileFeature, drawing: Drawing): void {
  context.beginPath()
  for (const line of toCanvas(feature, drawing)) {
    line.forEach(({ x, y }, index) => (index === 0 ? context.moveTo(x, y) : context.lineTo(x, y)))
    if (feature.type === 3) context.closePath()
  }
}

const NAMES_FROM = 14

/** Along the longest straight part that is in this tile and has room for the name, each name once a tile. */
function nameRoads(context: CanvasRenderingContext2D, roads: readonly VectorTileFeature[], drawing: Drawing): void {
  const { zoom, ratio, palette } = drawing
  if (zoom < NAMES_FROM) return
  const size = 11 * ratio
  context.font = `${palette.weight} ${size}px ${palette.font}`
  context.textAlign = 'center'
  context.textBaseline = 'middle'
  const edge = TILE * ratio
  const taken: { x: number; y: number; r: number }[] = []
  const done = new Set<string>()
  for (const feature of roads.toReversed()) {
    const name = nameOf(feature)
    if (name === null || done.has(name)) continue
    const half = context.measureText(name).width / 2
    const place = placeFor(toCanvas(feature, drawing), half, size, edge)
    if (place === null || taken.some((one) => Math.hypot(one.x - place.x, one.y - place.y) < one.r + half)) continue
    done.add(name)
    taken.push({ ...place, r: half })
    context.save()
    context.translate(place.x, place.y)
    context.rotate(place.turn)
    context.lineWidth = 3 * ratio
    context.strokeStyle = palette.ground
    context.fillStyle = palette.text
    context.strokeText(name, 0, 0)
    context.fillText(name, 0, 0)
    context.restore()
  }
}

function nameOf({ properties }: VectorTileFeature): string | null {
  const name = properties['name'] ?? properties['ref']
  return typeof name === 'string' && name.trim() !== '' ? name.slice(0, 60) : null
}

function placeFor(lines: readonly { x: number; y: number }[][], half: number, size: number, edge: number) {
  let best: { x: number; y: number; turn: number; length: number } | null = null
  for (const line of lines)
    for (const [index, from] of line.entries()) {
      const to = line[index + 1]
      const inside = to === undefined ? null : withinTile(from, to, edge)
      if (inside === null) continue
      const [a, b] = inside
      const length = Math.hypot(b.x - a.x, b.y - a.y)
      if (length < 2 * half + size || length <= (best?.length ?? 0)) continue
      const turn = Math.atan2(b.y - a.y, b.x - a.x)
      // Never upside down.
      const upright = turn > Math.PI / 2 ? turn - Math.PI : turn < -Math.PI / 2 ? turn + Math.PI : turn
      const [x, y] = [(a.x + b.x) / 2, (a.y + b.y) / 2]
      const [wide, high] = [Math.abs(Math.cos(upright)) * half + size, Math.abs(Math.sin(upright)) * half + size]
      if (x > wide && x < edge - wide && y > high && y < edge - high) best = { x, y, turn: upright, length }
    }
  return best
}

type Point = { x: number; y: number }

/** The part of a line inside the tile: Liang and Barsky. */
function withinTile(from: Point, to: Point, edge: number): [Point, Point] | null {
  const [dx, dy] = [to.x - from.x, to.y - from.y]
  let [start, end] = [0, 1]
  for (const [step, room] of [
    [-dx, from.x],
    [dx, edge - from.x],
    [-dy, from.y],
    [dy, edge - from.y],
  ] as const) {
    if (step === 0) {
      if (room < 0) return null
      continue
    }
    if (step < 0) start = Math.max(start, room / step)
    else end = Math.min(end, room / step)
  }
  if (start >= end) return null
  const at = (part: number): Point => ({ x: from.x + part * dx, y: from.y + part * dy })
  return [at(start), at(end)]
}
