import { useState } from 'react'
import { asError } from './problem.tsx'

export interface Act {
  readonly busy: boolean
  /** Why the last one was not done. */
  readonly error: Error | null
  readonly run: (act: () => Promise<unknown>) => void
}

/** One act at a time, and what became of it. */
export function useAct(): Act {
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<Error | null>(null)
  return {
    busy,
    error,
    run: (act) => {
      setBusy(true)
      setError(null)
      act()
        .catch((failure: unknown) => setError(asError(failure)))
        .finally(() => setBusy(false))
    },
  }
}
