/** What is shown at the foot for a moment. One list for the page; pure of the DOM, so that its clock can be tested. */
export interface Toast {
  readonly id: number
  readonly text: string
  readonly undo?: (() => void) | undefined
  /** Where one acts on what it says. */
  readonly act?: { readonly label: string; readonly onAct: () => void } | undefined
  /** Something did not work that has no place of its own on the page; stays until it is closed. */
  readonly problem?: boolean | undefined
}

export const STAYS_FOR = 8_000
const AT_MOST = 3

export interface ToastQueue {
  readonly show: (toast: Pick<Toast, 'text' | 'undo' | 'act'>) => number
  /** For an act whose place is gone; an error beside its thing belongs into a Note there. */
  readonly problem: (error: unknown) => number
  readonly close: (id: number) => void
  /** Takes back the newest act that can be; false when there is none. */
  readonly undoLast: () => boolean
  /** While somebody points at them or has the focus in them. */
  readonly hold: (held: boolean) => void
  readonly subscribe: (listener: () => void) => () => void
  readonly current: () => readonly Toast[]
}

export function toastQueue(): ToastQueue {
  let list: readonly Toast[] = []
  let next = 1
  let held = false
  const timers = new Map<number, ReturnType<typeof setTimeout>>()
  const listeners = new Set<() => void>()
  const set = (now: readonly Toast[]): void => {
    list = now
    for (const listener of listeners) listener()
  }
  const close = (id: number): void => {
    clearTimeout(timers.get(id))
    timers.delete(id)
    if (list.some((toast) => toast.id === id)) set(list.filter((toast) => toast.id !== id))
  }
  const time = (id: number): void => {
    timers.set(
      id,
      setTimeout(() => close(id), STAYS_FOR),
    )
  }
  const add = (toast: Omit<Toast, 'id'>): number => {
    const id = next++
    const dropped = list.slice(0, Math.max(0, list.length + 1 - AT_MOST))
    for (const old of dropped) close(old.id)
    set([...list, { ...toast, id }])
    if (toast.problem !== true && !held) time(id)
    return id
  }
  return {
    show: (toast) => add(toast),
    problem: (error) => add({ text: error instanceof Error ? error.message : String(error), problem: true }),
    close,
    undoLast: () => {
      const last = list.findLast((toast) => toast.undo !== undefined)
      if (last === undefined) return false
      close(last.id)
      last.undo?.()
      return true
    },
    hold: (now) => {
      if (now === held) return
      held = now
      for (const timer of timers.values()) clearTimeout(timer)
      timers.clear()
      // Whoever looked away has the whole time again.
      if (!held) for (const toast of list) if (toast.problem !== true) time(toast.id)
    },
    subscribe: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    current: () => list,
  }
}
