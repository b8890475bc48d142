/** Draws the grid below and the marks above what Leaflet draws, in the pixels of the map's element. */
import type { Map as LeafletMap } from 'leaflet'
import type { Place } from '../../../../../shared/kernel/distance.ts'
import { gridOf } from './grid.ts'
import { type Overlay, type Pixel, type StreetMapOptions, viewOf } from './map-view.ts'
import { metresText } from '../../../../ui/format/metres-text.ts'
import styles from './where.module.css'

const SVG = 'http://www.w3.org/2000/svg'

function node(name: string, attributes: Readonly<Record<string, string>>, text = ''): SVGElement {
  const made = document.createElementNS(SVG, name)
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value)
  if (text !== '') made.textContent = text
  return made
}

function layer(element: HTMLElement, className: string | undefined): SVGElement {
  const made = node('svg', { 'aria-hidden': 'true', class: className ?? '' })
  element.append(made)
  return made
}

export const pathOf = (points: readonly Pixel[]): string =>
  points.map(({ x, y }, index) => `${index === 0 ? 'M' : 'L'}${x.toFixed(1)} ${y.toFixed(1)}`).join('')

/** Of the edge of the element, for the words of a line. */
const EDGE = 4
/** Where the scale of the map stands. */
const SCALE_HEIGHT = 28

export function drawGrid(map: LeafletMap, { origin, locale, words, overlay }: StreetMapOptions) {
  const element = map.getContainer()
  const [below, above] = [layer(element, styles['below']), layer(element, styles['above'])]
  const caption = document.createElement('div')
  caption.className = styles['caption'] ?? ''
  element.append(caption)
  const pixel = ({ latitude, longitude }: Place): Pixel => map.latLngToContainerPoint([latitude, longitude])

  const redraw = (): void => {
    const view = viewOf(map)
    const grid = gridOf(view, origin)
    const { x: width, y: height } = map.getSize()
    caption.textContent = grid === null ? '' : words.grid(metresText(grid.step, locale))
    const drawn: SVGElement[] = []
    // Longitudes of the plane lie within ±180°; the map may show them turns further.
    const turn = Math.round(view.center.longitude / 360) * 360
    const turned = (place: Place): Place => {
      const away = place.longitude + turn - view.center.longitude
      return { ...place, longitude: place.longitude + turn - Math.round(away / 360) * 360 }
    }
    for (const [lines, upright] of grid === null
      ? []
      : ([
          [grid.norths, true],
          [grid.easts, false],
        ] as const))
      for (const { at, places } of lines) {
        const points = places.map((place) => pixel(turned(place)))
        const isMain = grid?.fromOrigin === true && at === 0
        drawn.push(node('path', { d: pathOf(points), class: (isMain ? styles['gridMain'] : styles['gridLine']) ?? '' }))
        if (grid?.fromOrigin !== true) continue
        const text = metresText(at, locale)
        const [from] = points
        if (from === undefined) continue
        if (upright && from.x > 60 && from.x < width - 40)
          drawn.push(
            node('text', { x: String(from.x + 3), y: String(height - EDGE), class: styles['gridText'] ?? '' }, text),
          )
        if (!upright && from.y > 80 && from.y < height - SCALE_HEIGHT)
          drawn.push(node('text', { x: String(EDGE), y: String(from.y - 3), class: styles['gridText'] ?? '' }, text))
      }
    below.replaceChildren(...drawn)
    above.replaceChildren(...(grid === null || overlay === undefined ? [] : nodesOf(overlay(map))))
  }
  return {
    redraw,
    remove: () => {
      below.remove()
      above.remove()
      caption.remove()
    },
  }
}

function nodesOf({ lines, arrows, texts }: Overlay): SVGElement[] {
  return [
    ...lines.map(({ points, className }) => node('path', { d: pathOf(points), class: className ?? '' })),
    ...arrows.map(({ x, y, turn }) =>
      node('path', {
        d: 'M0 -5 4 4 0 2 -4 4Z',
        transform: `translate(${x.toFixed(1)} ${y.toFixed(1)}) rotate(${turn.toFixed(0)})`,
        class: styles['arrow'] ?? '',
      }),
    ),
    ...texts.map(({ at, text, anchor }) =>
      node(
        'text',
        { x: at.x.toFixed(1), y: at.y.toFixed(1), 'text-anchor': anchor, class: styles['markText'] ?? '' },
        text,
      ),
    ),
  ]
}
