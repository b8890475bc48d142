import { useEffect, useRef } from 'react'
import { typesInto } from '../command/keys.ts'
import { useSingleKeys } from '../command/use-shortcuts.ts'

interface Rows {
  /** Of the list, as its label says it. */
  readonly list: string
  /** null while it is not known yet. */
  readonly total: number | null
  readonly keyAt: (index: number) => string | undefined
  readonly show: (index: number) => void
  readonly move: (index: number) => void
  readonly active: number
}

interface Left {
  readonly list: string
  readonly key: string
  readonly index: number
}

const MEMBER = 'sallyportRow'

/**
 * Notes in this entry of the browser's history from which row one goes on: whoever comes back finds it. Past the router, which would take a
 * change of the entry for a change of the page.
 */
export function noteRowLeft(left: Left): void {
  History.prototype.replaceState.call(window.history, { ...window.history.state, [MEMBER]: left }, '')
}

function rowLeft(): Left | null {
  const state: unknown = window.history.state
  return typeof state === 'object' && state !== null && MEMBER in state ? (state[MEMBER] as Left) : null
}

/** Nothing on the page has the focus, or the page as a whole has it. */
const isFree = (): boolean => {
  const focused = document.activeElement
  return focused === null || focused === document.body || focused.id === 'work'
}
/** Lists, menus and dialogs have arrows and letters of their own. */
const WITH_KEYS =
  '[role="grid"], [role="menu"], [role="listbox"], [role="dialog"], [role="tablist"], [role="radiogroup"], [role="toolbar"], [role="tree"]'

/** After *Back* the row has the focus from which one went on; J, K and ↓ enter the list from anywhere outside fields. */
export function useReturn(rows: Rows): void {
  const { list, total, keyAt, show, move } = rows
  // As it was when the list came up: a row that is opened beside its list is no way back.
  const wanted = useRef<Left | null | undefined>(undefined)
  useEffect(() => {
    if (wanted.current === undefined) wanted.current = rowLeft()
    const left = wanted.current
    if (left === null || left.list !== list || total === null) return
    const at = placeOf(left, total, keyAt)
    if (at === undefined) {
      show(Math.min(left.index, Math.max(0, total - 1)))
      return
    }
    wanted.current = null
    if (at === -1) return
    show(at)
    if (isFree()) move(at)
  })
  const [singles] = useSingleKeys()
  const latest = useRef(rows)
  useEffect(() => {
    latest.current = rows
  })
  useEffect(() => {
    const enter = (event: KeyboardEvent): void => {
      const { total, active, move, show } = latest.current
      if (event.defaultPrevented || event.isComposing || total === null || total === 0) return
      if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return
      const letter = event.key === 'j' || event.key === 'k'
      if (!(event.key === 'ArrowDown' && isFree()) && !(letter && singles && !typesInto(event.target))) return
      if (document.querySelector('[data-modal]') !== null) return
      if (event.target instanceof Element && event.target.closest(WITH_KEYS) !== null) return
      event.preventDefault()
      const at = Math.min(active, total - 1)
      show(at)
      move(at)
    }
    document.addEventListener('keydown', enter)
    return () => document.removeEventListener('keydown', enter)
  }, [singles])
}

/** How far a row may have moved meanwhile. */
const NEAR = 50

/** Where it is now; -1: it has gone; undefined: its part of the list is on its way. */
function placeOf({ key, index }: Left, total: number, keyAt: Rows['keyAt']): number | undefined {
  if (keyAt(index) === key) return index
  let known = 0
  for (let at = Math.max(0, index - NEAR); at <= Math.min(total - 1, index + NEAR); at += 1) {
    const here = keyAt(at)
    if (here === key) return at
    if (here !== undefined) known += 1
  }
  return known === 0 && total > 0 ? undefined : -1
}
