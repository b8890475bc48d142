/** Which drawer is open. Not in the address: it belongs to the person, not to the view. */
import { useSyncExternalStore } from 'react'

export type Panel = 'jobs' | 'uploads'

let open: Panel | null = null
const listeners = new Set<() => void>()

/** The same again closes it. */
export function openPanel(panel: Panel | null): void {
  open = panel === open ? null : panel
  for (const listener of listeners) listener()
}

export function showPanel(panel: Panel): void {
  if (open !== panel) openPanel(panel)
}

export const usePanel = (): Panel | null =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => open,
  )

let noticesOpen = false

/** The bell's list. */
export function openNotices(shown: boolean): void {
  noticesOpen = shown
  for (const listener of listeners) listener()
}

export const useNoticesOpen = (): boolean =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => noticesOpen,
  )
