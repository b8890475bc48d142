import { useCallback, useEffect, useRef, useState } from 'react'

/** How a picture lies in its frame. Nothing of it ever reaches the file. */
export interface PictureView {
  /** CSS pixels of the screen for one of the picture; null: as large as fits. */
  readonly zoom: number | null
  /** Of the picture's middle from the frame's, CSS pixels. */
  readonly x: number
  readonly y: number
  /** Quarter turns clockwise, 0 to 3. */
  readonly turns: number
}

export interface Size {
  readonly width: number
  readonly height: number
}

export const MOST_ZOOM = 16
export const LEAST_ZOOM = 0.02
export const START: PictureView = { zoom: null, x: 0, y: 0, turns: 0 }

/** As large as fits; nothing is enlarged for it. Pure. */
export function fitting(picture: Size, frame: Size, turns: number): number {
  const upright = turns % 2 === 0 ? picture : { width: picture.height, height: picture.width }
  if (upright.width <= 0 || upright.height <= 0 || frame.width <= 0) return 1
  return Math.min(1, frame.width / upright.width, frame.height / upright.height)
}

/** Zooms by a factor so that what lies under `point` (from the frame's middle) stays there. Pure. */
export function zoomed(view: PictureView, now: number, by: number, point: { x: number; y: number }): PictureView {
  const zoom = Math.min(MOST_ZOOM, Math.max(LEAST_ZOOM, now * by))
  const ratio = zoom / now
  return { ...view, zoom, x: point.x - (point.x - view.x) * ratio, y: point.y - (point.y - view.y) * ratio }
}

/** Some of the picture stays in sight. Pure. */
export function kept(view: PictureView, picture: Size, frame: Size, scale: number): PictureView {
  const upright = view.turns % 2 === 0 ? picture : { width: picture.height, height: picture.width }
  const within = (value: number, side: number, room: number): number => {
    const most = Math.max(0, (side * scale) / 2 + room / 2 - 48)
    return Math.min(most, Math.max(-most, value))
  }
  return {
    ...view,
    x: within(view.x, upright.width, frame.width),
    y: within(view.y, upright.height, frame.height),
  }
}

const STEP = 1.25
const PAN = 60

/** The view of a picture with what wheel, pointer and keys do to it. */
export function usePictureView(picture: Size) {
  const frame = useRef<HTMLDivElement>(null)
  const [size, setSize] = useState<Size>({ width: 0, height: 0 })
  const [view, setView] = useState(START)
  const scale = view.zoom ?? fitting(picture, size, view.turns)
  const change = useCallback(
    (how: (view: PictureView, scale: number) => PictureView) =>
      setView((now) => {
        const before = now.zoom ?? fitting(picture, size, now.turns)
        const next = how(now, before)
        return kept(next, picture, size, next.zoom ?? fitting(picture, size, next.turns))
      }),
    [picture, size],
  )
  useEffect(() => {
    const element = frame.current
    if (element === null) return
    const observer = new ResizeObserver(([entry]) => {
      if (entry !== undefined) setSize({ width: entry.contentRect.width, height: entry.contentRect.height })
    })
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  useEffect(() => {
    const element = frame.current
    if (element === null) return
    const wheel = (event: WheelEvent): void => {
      event.preventDefault()
      const box = element.getBoundingClientRect()
      const point = { x: event.clientX - box.left - box.width / 2, y: event.clientY - box.top - box.height / 2 }
      change((now, at) => zoomed(now, at, Math.exp(-event.deltaY / 400), point))
    }
    element.addEventListener('wheel', wheel, { passive: false })
    return () => element.removeEventListener('wheel', wheel)
  }, [change])
  const middle = { x: 0, y: 0 }
  const zoomAt = useCallback(
    (by: number, point: { readonly x: number; readonly y: number }) => change((now, at) => zoomed(now, at, by, point)),
    [change],
  )
  return {
    frame,
    view,
    scale,
    /** Whether the picture lies as it did at first. */
    atStart: view.zoom === null && view.turns === 0,
    reset: () => setView(START),
    /** @param point from the middle of the frame; what lies there stays there */
    zoomAt,
    zoomIn: () => change((now, at) => zoomed(now, at, STEP, middle)),
    zoomOut: () => change((now, at) => zoomed(now, at, 1 / STEP, middle)),
    fit: () => change((now) => ({ ...START, turns: now.turns })),
    full: () => change((now) => ({ ...now, zoom: 1 })),
    turn: (by: 1 | -1) => change((now) => ({ ...now, turns: (now.turns + by + 4) % 4, x: 0, y: 0 })),
    pan: (x: number, y: number) => change((now) => ({ ...now, x: now.x + x, y: now.y + y })),
    panBy: (x: -1 | 0 | 1, y: -1 | 0 | 1) => change((now) => ({ ...now, x: now.x - x * PAN, y: now.y - y * PAN })),
  }
}
