import { BlobFault } from './blobs.faults.ts'

/** Keeps writers and completion of one upload apart. In memory only: after a restart nobody is writing. */
export interface Gate {
  /** @throws BlobFault PendingCopyOperation while the upload is being completed */
  enter(resourceId: number): Entry
  /** Sends writers away, waits until they are gone, and keeps others out while `work` runs. One at a time for each upload. */
  exclusively<T>(resourceId: number, work: () => Promise<T>): Promise<T>
}

export interface Entry {
  /** Aborted when completion begins: what is still on its way was not acknowledged and is not waited for. */
  readonly signal: AbortSignal
  leave(): void
}

export function gate(): Gate {
  interface State {
    readonly inside: Set<{ controller: AbortController; left: Promise<void> }>
    closed: Promise<unknown> | null
  }
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
      const controller = new AbortController()
      const { promise: left, resolve } = Promise.withResolvers<void>()
      const entry = { controller, left }
      state.inside.add(entry)
      return {
        signal: controller.signal,
        leave: () => {
          state.inside.delete(entry)
          tidy(resourceId, state)
          resolve()
        },
      }
    },
    exclusively: async (resourceId, work) => {
      const state = stateOf(resourceId)
      const before = state.closed
      const mine = (async () => {
        await before?.catch(() => {})
        const inside = [...state.inside]
        for (const { controller } of inside) controller.abort(new BlobFault('PendingCopyOperation'))
        await Promise.all(inside.map(({ left }) => left))
        return work()
      })()
      state.closed = mine
      try {
        return await mine
      } finally {
        if (state.closed === mine) state.closed = null
        tidy(resourceId, state)
      }
    },
  }
}
