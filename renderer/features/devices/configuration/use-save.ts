/** One save of a configuration: busy, what went wrong, and the state of others where somebody was first. */
import { useState } from 'react'
import { Fault } from '../../../client/api.ts'
import { asError } from '../../../ui/problem/as-error.ts'
import { sameJson } from '../../../../shared/kernel/same-json.ts'
import type { Base, Editing, Wanted } from './draft.ts'
import { type FreeForm, objectOf } from './members.ts'

interface Steps {
  readonly editing: Editing
  /**
   * Puts the answer where the page reads it, before it is asked again.
   * @throws Fault ConcurrentWritingError where the version is not the one of now
   */
  readonly put: (configuration: FreeForm | null, version: string) => Promise<void>
  /** As it is at the station now. */
  readonly load: () => Promise<Base>
  readonly onSaved: () => void
}

export interface Saving {
  readonly busy: boolean
  readonly error: Error | null
  readonly theirs: Base | null
  readonly run: (wanted: Wanted, onto: Base) => void
  readonly dismiss: () => void
}

export function useSave({ editing, put, load, onSaved }: Steps): Saving {
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<Error | null>(null)
  const [theirs, setTheirs] = useState<Base | null>(null)
  const attempt = async (wanted: Wanted, onto: Base): Promise<void> => {
    const configuration = wanted.own ? objectOf(wanted.members) : null
    try {
      await put(configuration, onto.version)
      editing.drop()
      setTheirs(null)
      onSaved()
    } catch (failure) {
      if (!(failure instanceof Fault) || failure.code !== 'ConcurrentWritingError') throw failure
      const now = await load()
      // The record is also another one once it was named or made active: that is nobody's configuration.
      if (now.version !== onto.version && sameJson(now.configuration, onto.configuration)) return attempt(wanted, now)
      setTheirs(now)
    }
  }
  return {
    busy,
    error,
    theirs,
    run: (wanted, onto) => {
      setBusy(true)
      setError(null)
      attempt(wanted, onto)
        .catch((failure: unknown) => {
          setTheirs(null)
          setError(asError(failure))
        })
        .finally(() => setBusy(false))
    },
    dismiss: () => setTheirs(null),
  }
}
