/** The player that is on the page, for what stands beside it: a list that jumps needs no place inside it. One at a time. */
import { useSyncExternalStore } from 'react'
import type { Controller } from './controller.ts'

let shown: Controller | null = null
const listeners = new Set<() => void>()

/** @returns takes it away again, unless another one came meanwhile */
export function showPlayer(controller: Controller): () => void {
  set(controller)
  return () => {
    if (shown === controller) set(null)
  }
}

function set(next: Controller | null): void {
  shown = next
  for (const listener of listeners) listener()
}

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Null where nothing is played. */
export const useShownPlayer = (): Controller | null => useSyncExternalStore(subscribe, () => shown)
