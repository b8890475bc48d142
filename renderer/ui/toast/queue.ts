/** What is shown at the foot for a moment. One list for the page; pure of the DOM, so that its clock can be tested. */
export interface Toast {
  readonly id: number
  readonly text: string
  /** Takes the act back. What it throws is shown, and the act can be taken back again. */
  readonly undo?: (() => unknown) | undefined
  /** Where one acts on what it says. */
  readonly act?: { readonly label: string; readonly onAct: () => void } | undefined
  /** Something did not work that has no place of its own on the page; stays until it is closed. */
  readonly problem?: boolean | undefined
}

/** An act of this window that can be taken back, also when its toast is gone. */
export interface Act {
  readonly id: number
  readonly text: string
  /** Milliseconds since 1970. */
  readonly at: number
  readonly undone: boolean
}

export const STAYS_FOR = 8_000
const AT_MOST = 3
/** So many acts are kept, for so long: whoever takes back more does not know any more what it was. */
export const MOST_ACTS = 20
export const ACTS_STAY_FOR = 30 * 60_000

export interface ToastQueue {
  readonly show: (toast: Pick<Toast, 'text' | 'undo' | 'act'>) => number
  /** For an act whose place is gone; an error beside its thing belongs into a Note there. */
  readonly problem: (error: unknown) => number
  readonly close: (id: number) => void
  /** Takes back the newest act whose toast is there; false when there is none. */
  readonly undoLast: () => boolean
  /** Those that can be taken back, newest first, and what became of them. */
  readonly acts: () => readonly Act[]
  /** By the id of its toast. */
  readonly undo: (id: number) => void
  /** Somebody else may not take back what this person did. The same person again changes nothing; null: nobody. */
  readonly belongTo: (person: string | null) => void
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
  let acts: readonly (Act & { readonly undo: () => unknown })[] = []
  let owner: string | null = null
  const tell = (): void => {
    for (const listener of listeners) listener()
  }
  const set = (now: readonly Toast[]): void => {
    list = now
    tell()
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
  const forget = (id: number): void => {
    acts = acts.filter((act) => act.id !== id)
    tell()
  }
  const add = (toast: Omit<Toast, 'id'>): number => {
    const id = next++
    const at = Date.now()
    if (toast.undo !== undefined) {
      acts = [{ id, text: toast.text, at, undone: false, undo: toast.undo }, ...acts.slice(0, MOST_ACTS - 1)]
      setTimeout(() => forget(id), ACTS_STAY_FOR)
    }
    const dropped = list.slice(0, Math.max(0, list.length + 1 - AT_MOST))
    for (const old of dropped) close(old.id)
    set([...list, { ...toast, id }])
    if (toast.problem !== true && !held) time(id)
    return id
  }
  const problem = (error: unknown): number =>
    add({ text: error instanceof Error ? error.message : String(error), problem: true })
  const mark = (id: number, undone: boolean): void => {
    acts = acts.map((act) => (act.id === id ? { ...act, undone } : act))
    tell()
  }
  const undo = (id: number): void => {
    const act = acts.find((one) => one.id === id && !one.undone)
    close(id)
    if (act === undefined) return
    mark(id, true)
    const refused = (error: unknown): void => {
      mark(id, false)
      problem(error)
    }
    try {
      void Promise.resolve(act.undo()).catch(refused)
    } catch (error) {
      refused(error)
    }
  }
  return {
    show: (toast) => add(toast),
    problem,
    close,
    undo,
    undoLast: () => {
      const last = list.findLast((toast) => toast.undo !== undefined)
      if (last !== undefined) undo(last.id)
      return last !== undefined
    },
    acts: () => acts,
    belongTo: (person) => {
      if (person === owner) return
      owner = person
      acts = []
      for (const toast of list) if (toast.undo !== undefined) close(toast.id)
      tell()
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
