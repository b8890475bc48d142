/** Which drawer is open. Not in the address: it belongs to the person, not to the view. */
import { useSyncExternalStore } from 'react'

export type Panel = 'jobs' | 'uploads' | 'undo'

let open: Panel | null = null
const listeners = new Set<() => void>()
const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** The same again closes it. */
export function openPanel(panel: Panel | null): void {
  open = panel === open ? null : panel
  for (const listener of listeners) listener()
}

export function showPanel(panel: Panel): void {
  if (open !== panel) openPanel(panel)
}

export const usePanel = (): Panel | null => useSyncExternalStore(subscribe, () => open)

/** Whether something of the frame is open. */
function shownState(): { readonly set: (shown: boolean) => void; readonly use: () => boolean } {
  let now = false
  return {
    set: (shown) => {
      now = shown
      for (const listener of listeners) listener()
    },
    use: () => useSyncExternalStore(subscribe, () => now),
  }
}

/** The bell's list, and the sheet of keys. */
export const { set: openNotices, use: useNoticesOpen } = shownState()
export const { set: openKeys, use: useKeysOpen } = shownState()
