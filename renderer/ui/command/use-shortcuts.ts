import { useCallback, useEffect, useRef, useSyncExternalStore } from 'react'
import { isSingle, keyText, SEQUENCE_WITHIN, step, typesInto } from './keys.ts'

export type ShortcutMap = Readonly<Record<string, ((event: KeyboardEvent) => void) | undefined>>

const KEY = 'sallyport.singleKeys'
const listeners = new Set<() => void>()
let singleKeys: boolean | null = null

/** Read once, when the first part asks; storage may be refused. */
function readSingleKeys(): boolean {
  try {
    singleKeys ??= localStorage.getItem(KEY) !== 'off'
  } catch {
    singleKeys ??= true
  }
  return singleKeys
}

function writeSingleKeys(on: boolean): void {
  singleKeys = on
  try {
    if (on) localStorage.removeItem(KEY)
    else localStorage.setItem(KEY, 'off')
  } catch {
    // It holds as long as the page.
  }
  for (const listener of listeners) listener()
}

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Whether letters act outside fields: `[on, set]`, kept in this browser. */
export function useSingleKeys(): readonly [boolean, (on: boolean) => void] {
  return [useSyncExternalStore(subscribe, readSingleKeys), useCallback(writeSingleKeys, [])]
}

/** Callers in the middle of a sequence such as G T: its second letter is nobody else's. */
const midway = new Set<object>()

/**
 * Keys that act anywhere on the page while the caller is there: `{ 'Control+k': open, 'g e': go, '?': sheet, F6: next }`.
 * Single letters only outside fields, only where they are on, and not under an open dialog; the others anywhere: locking must go.
 */
export function useShortcuts(map: ShortcutMap): void {
  const [singles] = useSingleKeys()
  const latest = useRef(map)
  useEffect(() => {
    latest.current = map
  })
  useEffect(() => {
    const own = {}
    let pending = ''
    let timer: ReturnType<typeof setTimeout> | undefined
    const listen = (event: KeyboardEvent): void => {
      if (event.defaultPrevented || event.isComposing || ['Control', 'Shift', 'Alt', 'Meta'].includes(event.key)) return
      const known = Object.keys(latest.current).filter((key) => latest.current[key] !== undefined)
      const taken = [...midway].some((one) => one !== own)
      const letters = singles && !taken && !typesInto(event.target) && document.querySelector('[data-modal]') === null
      const usable = known.filter((key) => letters || !isSingle(key))
      const next = step(usable, pending, keyText(event))
      clearTimeout(timer)
      pending = 'wait' in next ? next.wait : ''
      midway.delete(own)
      if (pending !== '') {
        midway.add(own)
        timer = setTimeout(() => {
          pending = ''
          midway.delete(own)
        }, SEQUENCE_WITHIN)
      }
      if ('run' in next) {
        event.preventDefault()
        latest.current[next.run]?.(event)
      }
    }
    document.addEventListener('keydown', listen)
    return () => {
      clearTimeout(timer)
      midway.delete(own)
      document.removeEventListener('keydown', listen)
    }
  }, [singles])
}

/** Moves the focus to the next part of the window (`data-region`), in the order of the page, with Shift to the one before. */
export function nextRegion(back: boolean): void {
  const regions = [...document.querySelectorAll<HTMLElement>('[data-region]')].filter(
    // The innermost counts: a panel inside the sheet is a stop of its own.
    (region) => region.offsetParent !== null || region.getClientRects().length > 0,
  )
  const holding = regions.filter((region) => region.contains(document.activeElement))
  const at = holding.length === 0 ? (back ? 0 : -1) : regions.indexOf(holding.at(-1) as HTMLElement)
  const next = regions.at((at + (back ? -1 : 1) + regions.length) % regions.length)
  if (next === undefined) return
  const inner = [
    ...next.querySelectorAll<HTMLElement>('a[href], button:not([disabled]), input:not([disabled]), [tabindex="0"]'),
  ].find((element) => element.getClientRects().length > 0 && element.closest('[data-region]') === next)
  if (inner === undefined && !next.hasAttribute('tabindex')) next.tabIndex = -1
  ;(inner ?? next).focus()
}
