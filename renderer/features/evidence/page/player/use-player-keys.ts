import { useEffect, useMemo, useRef } from 'react'
import { useShortcuts } from '../../../../ui/command/use-shortcuts.ts'
import type { Controller } from './controller.ts'

export interface PlayerActs {
  readonly markIn: () => void
  readonly markOut: () => void
  readonly loop: () => void
  readonly mark: () => void
  /** Left out where stills cannot be taken. */
  readonly still?: (() => void) | undefined
  /** Left out where clips cannot be made. */
  readonly clip?: (() => void) | undefined
}

/** Seconds of a press of an arrow, and of the buttons that do the same. */
export const SHORT = 5
const LONG = 30

/** The player's keys (docs/develop/screens.md, Keys). Letters act anywhere on the page; arrows only where nothing else wants them. */
export function usePlayerKeys(controller: Controller, acts: PlayerActs, within: () => HTMLElement | null): void {
  useShortcuts(
    useMemo(
      () => ({
        j: controller.back,
        k: controller.pause,
        l: controller.on,
        ',': () => controller.step(-1),
        '.': () => controller.step(1),
        '[': () => controller.faster(-1),
        ']': () => controller.faster(1),
        i: acts.markIn,
        o: acts.markOut,
        p: acts.loop,
        m: acts.mark,
        s: acts.still,
        c: acts.clip,
      }),
      [controller, acts],
    ),
  )
  const inside = useRef(within)
  useEffect(() => {
    inside.current = within
  })
  useEffect(() => {
    const listen = (event: KeyboardEvent): void => {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || !free(event, inside.current()))
        return
      const by = event.shiftKey ? LONG : SHORT
      const acts: Readonly<Record<string, () => void>> = {
        ArrowLeft: () => controller.skip(-by),
        ArrowRight: () => controller.skip(by),
        Home: () => controller.seek(0),
        End: controller.toEnd,
        ' ': controller.toggle,
      }
      const act = acts[event.key]
      if (act === undefined) return
      event.preventDefault()
      act()
    }
    document.addEventListener('keydown', listen)
    return () => document.removeEventListener('keydown', listen)
  }, [controller])
}

/** Whether the key is nobody else's: the focus is nowhere, or in the player on nothing that uses it itself. */
function free({ target, key }: KeyboardEvent, player: HTMLElement | null): boolean {
  if (!(target instanceof HTMLElement)) return true
  if (document.querySelector('[aria-modal="true"], [role="menu"], [role="listbox"]') !== null) return false
  if (target === document.body || target.id === 'work') return true
  if (player === null || !player.contains(target) || target instanceof HTMLInputElement) return false
  return key !== ' ' || target.closest('button') === null
}
