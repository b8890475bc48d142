/** Computes where a window opens: its last place, if that is still on a screen. */
import type { Rectangle } from 'electron'

export const SMALLEST = { width: 800, height: 560 } as const
const USUAL = { width: 1440, height: 900 } as const
/** Part of the title bar that must be on a screen, so that the window can be moved. */
const GRIP = { width: 120, height: 24 } as const

/**
 * @param areas work areas of the screens, the main one first
 * @returns a place within one of them: the remembered one if its title bar can be reached, otherwise the same size in the middle of the main
 *   screen; never larger than its screen
 */
export function placeFor(remembered: Rectangle | null, areas: readonly Rectangle[]): Rectangle {
  const main = areas[0] ?? { x: 0, y: 0, ...USUAL }
  if (remembered === null) return centred(USUAL, main)
  const area = areas.find((one) => reachable(remembered, one))
  if (area === undefined) return centred(remembered, main)
  const width = fitted(remembered.width, SMALLEST.width, area.width)
  const height = fitted(remembered.height, SMALLEST.height, area.height)
  return {
    x: clamp(remembered.x, area.x, area.x + area.width - width),
    y: clamp(remembered.y, area.y, area.y + area.height - height),
    width,
    height,
  }
}

function reachable(window: Rectangle, area: Rectangle): boolean {
  const across = Math.min(window.x + window.width, area.x + area.width) - Math.max(window.x, area.x)
  return across >= GRIP.width && window.y >= area.y - GRIP.height && window.y <= area.y + area.height - GRIP.height
}

function centred(size: { width: number; height: number }, area: Rectangle): Rectangle {
  const width = fitted(size.width, SMALLEST.width, area.width)
  const height = fitted(size.height, SMALLEST.height, area.height)
  return {
    x: Math.round(area.x + (area.width - width) / 2),
    y: Math.round(area.y + (area.height - height) / 2),
    width,
    height,
  }
}

const clamp = (value: number, least: number, most: number): number => Math.max(least, Math.min(value, most))
/** Limits a length to its bounds; `most` takes precedence on a screen that is smaller than `least`. */
const fitted = (value: number, least: number, most: number): number => Math.min(Math.max(value, least), most)
