/** What can be done on the page that one is on, for the palette: a page says it while it is there. */
import { useEffect, useSyncExternalStore } from 'react'
import type { IconName } from '../ui/icon/icon.tsx'

export interface PageCommand {
  readonly id: string
  readonly label: string
  readonly icon: IconName
  readonly keys?: string | undefined
  readonly onRun: () => void
}

const NONE: readonly PageCommand[] = []
let current: readonly PageCommand[] = NONE
const listeners = new Set<() => void>()

function set(commands: readonly PageCommand[]): void {
  current = commands
  for (const listener of listeners) listener()
}

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export const usePageCommands = (): readonly PageCommand[] => useSyncExternalStore(subscribe, () => current)

/** @param commands of the page; the same array as long as they are the same */
export function useOfferCommands(commands: readonly PageCommand[]): void {
  useEffect(() => {
    set(commands)
    return () => set(NONE)
  }, [commands])
}
