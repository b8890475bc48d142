import { type KeyboardEvent, type MouseEvent, type PointerEvent, useEffect, useRef } from 'react'
import type { MenuPlace } from '../popover/context-menu.tsx'
import { placeOf } from './places.ts'

/** As long as touch systems take it for. */
const LONG_PRESS_MS = 550
const MOVED_PX = 10

interface RowMenu<Row> {
  readonly rowAt: (index: number) => Row | undefined
  readonly onMenu: ((row: Row, place: MenuPlace) => void) | undefined
  /** Makes a row the active one. */
  readonly move: (index: number) => void
}

/** Right click, Shift F10 or the menu key, and a long press ask for the menu of a row. For the body of a list. */
export function useRowMenu<Row>({ rowAt, onMenu, move }: RowMenu<Row>) {
  const press = useRef<{ timer: ReturnType<typeof setTimeout>; x: number; y: number } | null>(null)
  const swallow = useRef(false)
  const cancel = (): void => {
    if (press.current !== null) clearTimeout(press.current.timer)
    press.current = null
  }
  useEffect(() => cancel, [])
  if (onMenu === undefined) return {}

  const openAt = (target: EventTarget | null, place: MenuPlace | null): boolean => {
    const found = placeOf(target)
    const row = found === null ? undefined : rowAt(found.index)
    if (found === null || row === undefined || !(target instanceof Element)) return false
    move(found.index)
    const box = target.closest('[data-row]')?.getBoundingClientRect()
    onMenu(row, place ?? { x: (box?.left ?? 0) + 48, y: (box?.top ?? 0) + Math.min(box?.height ?? 0, 48) - 8 })
    return true
  }
  return {
    onContextMenu: (event: MouseEvent) => {
      cancel()
      // A key has no place of its own.
      const place = event.clientX === 0 && event.clientY === 0 ? null : { x: event.clientX, y: event.clientY }
      if (openAt(event.target, place)) event.preventDefault()
    },
    onKeyDownCapture: (event: KeyboardEvent) => {
      if (event.key !== 'ContextMenu' && !(event.key === 'F10' && event.shiftKey)) return
      if (!openAt(event.target, null)) return
      event.preventDefault()
      event.stopPropagation()
    },
    onPointerDown: (event: PointerEvent) => {
      swallow.current = false
      if (event.pointerType !== 'touch') return
      const { target, clientX: x, clientY: y } = event
      const timer = setTimeout(() => {
        press.current = null
        swallow.current = openAt(target, { x, y })
      }, LONG_PRESS_MS)
      press.current = { timer, x, y }
    },
    onPointerMove: ({ clientX, clientY }: PointerEvent) => {
      const at = press.current
      if (at !== null && Math.hypot(clientX - at.x, clientY - at.y) > MOVED_PX) cancel()
    },
    onPointerUp: cancel,
    onPointerCancel: cancel,
    onClickCapture: (event: MouseEvent) => {
      // The finger that comes up after a long press is no click.
      if (!swallow.current) return
      swallow.current = false
      event.preventDefault()
      event.stopPropagation()
    },
  }
}
