import { BlobFault } from './blobs.faults.ts'

/** Excludes writers of an upload during its completion. In memory only: after a restart there are no writers. */
export interface Gate {
  /** @throws BlobFault PendingCopyOperation while the gate is closed */
  enter(resourceId: number): Entry
  /**
   * Aborts current writers and refuses new ones; resolves when none is left. Closing a closed gate waits until it is opened.
   * @returns a function that opens it again; safe to call twice
   */
  close(resourceId: number): Promise<() => void>
}

export interface Entry {
  /** Aborted when the gate closes: transfers that are not yet acknowledged are not awaited. */
  readonly signal: AbortSignal
  leave(): void
}

interface State {
  readonly inside: Set<{ readonly controller: AbortController; readonly left: Promise<void> }>
  /** Resolves when everyone who closed the gate has opened it. */
  closed: Promise<void> | null
}

export function gate(): Gate {
  const states = new Map<number, State>()
  const stateOf = (resourceId: number): State => {
    const state = states.get(resourceId) ?? { inside: new Set(), closed: null }
    states.set(resourceId, state)
    return state
  }
  const tidy = (resourceId: number, state: State): void => {
    if (state.inside.size === 0 && state.closed === null) states.delete(resourceId)
  }
  return {
    enter: (resourceId) => {
      const state = stateOf(resourceId)
      if (state.closed !== null) throw new BlobFault('PendingCopyOperation')
      const { promise: left, resolve } = Promise.withResolvers<void>()
      const entry = { controller: new AbortController(), left }
      state.inside.add(entry)
      return {
        signal: entry.controller.signal,
        leave: () => {
          state.inside.delete(entry)
          tidy(resourceId, state)
          resolve()
        },
      }
    },
    close: async (resourceId) => {
      const state = stateOf(resourceId)
      const before = state.closed
      const { promise: opened, resolve } = Promise.withResolvers<void>()
      // Set at once: new writers are refused from here on, even while this call waits for others to open the gate.
      state.closed = opened
      await before
      const inside = [...state.inside]
      for (const { controller } of inside) controller.abort(new BlobFault('PendingCopyOperation'))
      await Promise.all(inside.map(({ left }) => left))
      return () => {
        if (state.closed === opened) state.closed = null
        tidy(resourceId, state)
        resolve()
      }
    },
  }
}
