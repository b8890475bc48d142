import type { KeyboardEvent, MouseEvent } from 'react'
import { useRef } from 'react'
import { useSingleKeys } from '../command/use-shortcuts.ts'
import type { Active } from './use-active.ts'
import { extended, isEmpty, NOTHING, type Selection, toggled } from './selection.ts'

export interface ListModel {
  readonly total: number
  readonly keyAt: (index: number) => string | undefined
  readonly active: Active
  readonly show: (index: number) => void
  readonly page: () => number
  /** How many stand side by side: 1 in a table. */
  readonly across: number
  readonly selection: Selection
  readonly onSelection: ((selection: Selection) => void) | undefined
  readonly onSelectAll: (() => void) | undefined
  readonly onOpen: ((index: number) => void) | undefined
}

/** Anything with keys and clicks of its own. */
const CONTROL = 'a[href], button, input, select, textarea, label'

/** How lists and boards are worked (guide, Keys and Selection): click opens, Space or the box selects, Shift extends. */
export function useListKeys(model: ListModel) {
  const [singles] = useSingleKeys()
  /** Where a range began, and how far it last went. */
  const range = useRef<{ anchor: number; end: number } | null>(null)
  const { total, active, keyAt, selection, onSelection } = model

  const go = (to: number, extend: boolean, cell: number): void => {
    const next = Math.min(total - 1, Math.max(0, to))
    if (total === 0) return
    if (extend) extendTo(next, active.index)
    else range.current = null
    model.show(next)
    active.move(next, true, cell)
  }
  const extendTo = (to: number, from: number): void => {
    const { anchor, end } = range.current ?? { anchor: from, end: from }
    range.current = { anchor, end: to }
    onSelection?.(extended(selection, keyAt, { anchor, from: end, to }))
  }
  const toggle = (index: number): void => {
    const key = keyAt(index)
    if (key === undefined) return
    range.current = { anchor: index, end: index }
    onSelection?.(toggled(selection, key))
  }

  const steps: Readonly<Record<string, (() => number) | undefined>> = {
    ArrowDown: () => active.index + model.across,
    ArrowUp: () => active.index - model.across,
    ...(model.across > 1 ? { ArrowRight: () => active.index + 1, ArrowLeft: () => active.index - 1 } : {}),
    Home: () => 0,
    End: () => total - 1,
    PageDown: () => active.index + model.page() * model.across,
    PageUp: () => active.index - model.page() * model.across,
    ...(singles ? { j: () => active.index + model.across, k: () => active.index - model.across } : {}),
  }

  /** In a table → goes into the cells and ← back to the row; up and down stay in the column. */
  const cellOf = (event: KeyboardEvent): number => {
    if (model.across > 1 || !(event.target instanceof Element)) return -1
    const cell = event.target.closest('[role="gridcell"]')
    return cell?.parentElement === null || cell === null ? -1 : [...cell.parentElement.children].indexOf(cell)
  }

  const sideways = (event: KeyboardEvent): boolean => {
    const by = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0
    if (model.across > 1 || by === 0 || event.ctrlKey || event.metaKey || event.altKey) return false
    const cells = event.currentTarget.querySelectorAll(`[data-row="${active.index}"] > [role="gridcell"]`).length
    active.move(active.index, true, Math.min(cells - 1, Math.max(-1, cellOf(event) + by)))
    return true
  }

  const onKeyDown = (event: KeyboardEvent): void => {
    const onControl = event.target instanceof Element && event.target.closest(CONTROL) !== null
    const act = actOf(event, onControl)
    if (act !== undefined) {
      event.preventDefault()
      event.stopPropagation()
      act()
      return
    }
    if (sideways(event)) {
      event.preventDefault()
      return
    }
    const plain = !event.altKey && (!(event.ctrlKey || event.metaKey) || event.key === 'Home' || event.key === 'End')
    const next = plain ? steps[event.key]?.() : undefined
    if (next === undefined) return
    event.preventDefault()
    event.stopPropagation()
    go(next, event.shiftKey, cellOf(event))
  }

  const actOf = (event: KeyboardEvent, onControl: boolean): (() => void) | undefined => {
    const command = event.ctrlKey || event.metaKey
    if (command && event.key.toLowerCase() === 'a' && model.onSelectAll !== undefined) return model.onSelectAll
    if (event.key === 'Escape' && !isEmpty(selection)) return () => onSelection?.(NOTHING)
    if (onControl || command || event.altKey) return undefined
    if (event.key === 'Enter' && model.onOpen !== undefined) return () => model.onOpen?.(active.index)
    if (event.key === ' ' && onSelection !== undefined)
      return () => (event.shiftKey ? extendTo(active.index, active.index) : toggle(active.index))
    return undefined
  }

  /** A click on row `index`; `box` when it was on the box that selects. */
  const onClick = (event: MouseEvent, index: number, box: boolean): void => {
    const control = !box && event.target instanceof Element && event.target.closest(CONTROL) !== null
    const from = active.index
    active.move(index, !control && !box)
    if (control) return
    const command = event.ctrlKey || event.metaKey
    if (event.shiftKey && onSelection !== undefined) {
      event.preventDefault()
      extendTo(index, from)
    } else if (box || (command && onSelection !== undefined)) toggle(index)
    else if (window.getSelection()?.isCollapsed !== false) model.onOpen?.(index)
  }
  return { onKeyDown, onClick }
}
