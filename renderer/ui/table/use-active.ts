import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react'

export interface Active {
  /** Index of the row that Tab reaches. */
  readonly index: number
  /** Makes a row the active one and, unless told otherwise, focuses it (or a cell of it). */
  readonly move: (index: number, focus?: boolean, cell?: number) => void
}

interface Rows {
  readonly total: number
  readonly keyAt: (index: number) => string | undefined
  /** The rows that are drawn; the key of a row that moved is looked for among them. */
  readonly first: number
  readonly last: number
}

/**
 * One row in the order of Tab, found again by its key when rows come, go or change places. When the row with the focus goes, the one
 * that took its place has it; when none is left, the whole list has it.
 */
export function useActive(root: RefObject<HTMLElement | null>, rows: Rows): Active {
  const [index, setIndex] = useState(0)
  const key = useRef<string | undefined>(undefined)
  const wanted = useRef<{ index: number; cell: number } | null>(null)
  const inside = useFocusInside(root)
  const { total, keyAt, first, last } = rows

  useLayoutEffect(() => {
    if (total === 0) return
    if (index >= total) {
      setIndex(total - 1)
      return
    }
    const now = keyAt(index)
    if (key.current !== undefined && now !== undefined && now !== key.current) {
      for (let at = Math.max(0, first); at <= Math.min(total - 1, last); at += 1) {
        if (keyAt(at) === key.current) {
          if (root.current?.contains(document.activeElement) === true)
            wanted.current = { index: at, cell: cellInFocus() }
          setIndex(at)
          return
        }
      }
    }
    if (now !== undefined) key.current = now
  }, [index, total, keyAt, first, last, root])

  useLayoutEffect(() => {
    const element = root.current
    if (element === null) return
    const wish = wanted.current
    const lost = inside.current && document.activeElement === document.body
    if (wish === null && !lost) return
    const row = element.querySelector<HTMLElement>(`[data-row="${wish?.index ?? Math.min(index, total - 1)}"]`)
    if (row === null && total > 0) return
    wanted.current = null
    focusIn(row ?? element, wish?.cell ?? -1)
  })

  const move = useCallback(
    (to: number, focus = true, cell = -1) => {
      key.current = keyAt(to)
      if (focus) wanted.current = { index: to, cell }
      setIndex(to)
      // The same row again draws nothing, so that the effect above would not run.
      const drawn = root.current?.querySelector<HTMLElement>(`[data-row="${to}"]`)
      if (focus && drawn !== null && drawn !== undefined) {
        wanted.current = null
        focusIn(drawn, cell)
      }
    },
    [keyAt, root],
  )
  return { index, move }
}

/** Which cell of its row has the focus; -1 when the row itself has it. */
function cellInFocus(): number {
  const cell = document.activeElement?.closest('[role="gridcell"]')
  return cell === null || cell === undefined || cell.hasAttribute('data-row')
    ? -1
    : [...(cell.parentElement?.children ?? [])].indexOf(cell)
}

/** A row, or its cell; a cell with one control hands the focus on to it. */
function focusIn(row: HTMLElement, cell: number): void {
  const cells = row.querySelectorAll<HTMLElement>('[role="gridcell"]')
  const target = cell < 0 ? row : cells[cell]
  const control = cell < 0 ? null : target?.querySelector<HTMLElement>('a[href], button, input')
  ;(control ?? target ?? row).focus({ preventScroll: true })
}

/** Whether the focus is, or until its element went was, inside; a press elsewhere ends that. */
function useFocusInside(root: RefObject<HTMLElement | null>): RefObject<boolean> {
  const inside = useRef(false)
  useEffect(() => {
    const onFocus = (event: FocusEvent): void => {
      inside.current = event.target instanceof Node && root.current?.contains(event.target) === true
    }
    const onPress = (event: PointerEvent): void => {
      if (!(event.target instanceof Node) || root.current?.contains(event.target) !== true) inside.current = false
    }
    document.addEventListener('focusin', onFocus)
    document.addEventListener('pointerdown', onPress, true)
    return () => {
      document.removeEventListener('focusin', onFocus)
      document.removeEventListener('pointerdown', onPress, true)
    }
  }, [root])
  return inside
}
