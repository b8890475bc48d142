import { type KeyboardEvent, type MouseEvent, type RefObject, useRef } from 'react'
import { useSingleKeys } from '../command/use-shortcuts.ts'
import { extended, isEmpty, NOTHING, type Selection, toggled } from './selection.ts'
import type { Active } from './use-active.ts'

export interface ListModel {
  readonly total: number
  readonly keyAt: (index: number) => string | undefined
  readonly active: Active
  readonly show: (index: number) => void
  /** Lines in sight. */
  readonly page: () => number
  /** How many stand side by side: 1 in a table. */
  readonly across: number
  readonly selection: Selection
  readonly onSelection: ((selection: Selection) => void) | undefined
  readonly onSelectAll: (() => void) | undefined
  readonly onOpen: ((index: number) => void) | undefined
}

/** Where a range began, and how far it last went. */
type Range = RefObject<{ readonly anchor: number; readonly end: number } | null>

/** Anything with keys and clicks of its own. */
const CONTROL = 'a[href], button, input, select, textarea, label'
const onControl = (event: { readonly target: EventTarget }): boolean =>
  event.target instanceof Element && event.target.closest(CONTROL) !== null
const withCommand = (event: { readonly ctrlKey: boolean; readonly metaKey: boolean }): boolean =>
  event.ctrlKey || event.metaKey

/** How lists and boards are worked (guide, Keys and Selection): click opens, Space or the box selects, Shift extends. */
export function useListKeys(model: ListModel) {
  const [singles] = useSingleKeys()
  const range: Range = useRef(null)

  const onKeyDown = (event: KeyboardEvent): void => {
    const act = actOf(event, model, range) ?? cellMove(event, model) ?? lineMove(event, model, range, singles)
    if (act === undefined) return
    event.preventDefault()
    event.stopPropagation()
    act()
  }

  /** A click on row `index`; `box` when it was on the box that selects. */
  const onClick = (event: MouseEvent, index: number, box: boolean): void => {
    const control = !box && onControl(event)
    const from = model.active.index
    model.active.move(index, !control && !box)
    if (control) return
    if (event.shiftKey && model.onSelection !== undefined) extendTo(model, range, index, from)
    else if (box || (withCommand(event) && model.onSelection !== undefined)) toggle(model, range, index)
    // Whoever marked text with the pointer did not mean to open the row.
    else if (window.getSelection()?.isCollapsed !== false) model.onOpen?.(index)
  }

  /** Shift would mark the text between two clicks. */
  const onMouseDown = (event: MouseEvent): void => {
    if (event.shiftKey) event.preventDefault()
  }
  return { onKeyDown, onClick, onMouseDown }
}

function extendTo({ selection, keyAt, onSelection }: ListModel, range: Range, to: number, from: number): void {
  const { anchor, end } = range.current ?? { anchor: from, end: from }
  range.current = { anchor, end: to }
  onSelection?.(extended(selection, keyAt, { anchor, from: end, to }))
}

function toggle({ selection, keyAt, onSelection }: ListModel, range: Range, index: number): void {
  const key = keyAt(index)
  if (key === undefined) return
  range.current = { anchor: index, end: index }
  onSelection?.(toggled(selection, key))
}

/** What acts rather than moves. */
function actOf(event: KeyboardEvent, model: ListModel, range: Range): (() => void) | undefined {
  const { active, selection, onSelection, onSelectAll, onOpen } = model
  if (withCommand(event) && event.key.toLowerCase() === 'a') return onSelectAll
  if (event.key === 'Escape' && !isEmpty(selection)) return () => onSelection?.(NOTHING)
  if (onControl(event) || withCommand(event) || event.altKey) return undefined
  if (event.key === 'Enter' && onOpen !== undefined) return () => onOpen(active.index)
  if (event.key === ' ' && onSelection !== undefined)
    return () =>
      event.shiftKey ? extendTo(model, range, active.index, active.index) : toggle(model, range, active.index)
  return undefined
}

/** The cell of the row where a key was pressed; -1 for the row itself. */
function cellOf(event: KeyboardEvent, { across }: ListModel): number {
  if (across > 1 || !(event.target instanceof Element)) return -1
  const cell = event.target.closest('[role="gridcell"]')
  return cell?.parentElement ? [...cell.parentElement.children].indexOf(cell) : -1
}

/** In a table → goes into the cells and ← back to the row. */
function cellMove(event: KeyboardEvent, model: ListModel): (() => void) | undefined {
  const by = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0
  if (model.across > 1 || by === 0 || withCommand(event) || event.altKey) return undefined
  const { active } = model
  const cells = event.currentTarget.querySelectorAll(`[data-row="${active.index}"] > [role="gridcell"]`).length
  const next = Math.min(cells - 1, Math.max(-1, cellOf(event, model) + by))
  return () => active.move(active.index, true, next)
}

/** Up, down, to the ends and by pages; the column stays, Shift extends the selection. */
function lineMove(event: KeyboardEvent, model: ListModel, range: Range, singles: boolean): (() => void) | undefined {
  const { active, across, total } = model
  const at = active.index
  const page = model.page() * across
  const places: Readonly<Record<string, number | undefined>> = {
    ArrowDown: at + across,
    ArrowUp: at - across,
    ...(across > 1 ? { ArrowRight: at + 1, ArrowLeft: at - 1 } : {}),
    Home: 0,
    End: total - 1,
    PageDown: at + page,
    PageUp: at - page,
    ...(singles && !withCommand(event) ? { j: at + across, k: at - across } : {}),
  }
  const place = places[event.key]
  if (place === undefined || event.altKey || total === 0) return undefined
  if (withCommand(event) && event.key !== 'Home' && event.key !== 'End') return undefined
  const next = Math.min(total - 1, Math.max(0, place))
  return () => {
    if (event.shiftKey) extendTo(model, range, next, at)
    else range.current = null
    model.show(next)
    active.move(next, true, cellOf(event, model))
  }
}
