import { useState } from 'react'
import { asError } from '../problem/as-error.ts'

export interface Act {
  readonly busy: boolean
  /** Why the last one was not done. */
  readonly error: Error | null
  /** @param after what follows once it is done */
  readonly run: (act: () => Promise<unknown>, after?: () => void) => void
}

/** One act at a time, and what became of it. */
export function useAct(): Act {
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<Error | null>(null)
  return {
    busy,
    error,
    run: (act, after) => {
      setBusy(true)
      setError(null)
      act()
        .then(after, (failure: unknown) => setError(asError(failure)))
        .finally(() => setBusy(false))
    },
  }
}
