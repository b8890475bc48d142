/** What can be done on the page that one is on, for the palette: a page says it while it is there. */
import { useEffect, useSyncExternalStore } from 'react'
import type { IconName } from '../ui/icon/icon.tsx'

export interface PageCommand {
  readonly id: string
  readonly label: string
  readonly icon: IconName
  readonly keys?: string | undefined
  /** More words by which it is found. */
  readonly words?: string | undefined
  readonly onRun: () => void
}

const NONE: readonly PageCommand[] = []
const offered = new Map<object, readonly PageCommand[]>()
let current: readonly PageCommand[] = NONE
const listeners = new Set<() => void>()

function changed(): void {
  current = offered.size === 0 ? NONE : [...offered.values()].flat()
  for (const listener of listeners) listener()
}

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export const usePageCommands = (): readonly PageCommand[] => useSyncExternalStore(subscribe, () => current)

/** Several parts of a page may each offer some. @param commands the same array as long as they are the same */
export function useOfferCommands(commands: readonly PageCommand[]): void {
  useEffect(() => {
    const own = {}
    offered.set(own, commands)
    changed()
    return () => {
      offered.delete(own)
      changed()
    }
  }, [commands])
}
