/** One save: busy, what went wrong, and the state of others where somebody was first. */
import { useState } from 'react'
import { Fault } from '../../../client/api.ts'
import { asError } from '../../../ui/problem/as-error.ts'

export interface Saving<Base, Draft> {
  readonly busy: boolean
  readonly error: Error | null
  /** Their state, where somebody saved first. */
  readonly theirs: Base | null
  readonly run: (draft: Draft, onto: Base) => void
  /** Back to the form. */
  readonly dismiss: () => void
}

interface SaveSteps<Base, Draft> {
  /** @throws Fault ConcurrentWritingError where `onto` is not the state of now */
  readonly save: (draft: Draft, onto: Base) => Promise<void>
  readonly load: () => Promise<Base>
}

export function useSave<Base, Draft>({ save, load }: SaveSteps<Base, Draft>): Saving<Base, Draft> {
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<Error | null>(null)
  const [theirs, setTheirs] = useState<Base | null>(null)
  const attempt = async (draft: Draft, onto: Base): Promise<void> => {
    try {
      await save(draft, onto)
      setTheirs(null)
    } catch (failure) {
      if (!(failure instanceof Fault) || failure.code !== 'ConcurrentWritingError') throw failure
      setTheirs(await load())
    }
  }
  return {
    busy,
    error,
    theirs,
    run: (draft, onto) => {
      setBusy(true)
      setError(null)
      attempt(draft, onto)
        .catch((failure: unknown) => {
          setTheirs(null)
          setError(asError(failure))
        })
        .finally(() => setBusy(false))
    },
    dismiss: () => setTheirs(null),
  }
}
