import { useRef } from 'react'
import { useTranslation } from '../../../client/translate.ts'
import { newKey } from '../../../client/api.ts'
import { toasts } from '../../../ui/toast/toast.tsx'
import { useRefresh } from '../queries.ts'
import type { Editing } from './use-draft.ts'
import { type Saving, useSave } from './use-save.ts'

interface RecordSteps<Base, Draft extends object> {
  readonly editing: Editing<Base | null, Draft>
  /** @param key one for each record that is made, however often it is asked for */
  readonly make: (draft: Draft, key: string) => Promise<Base>
  /** @throws Fault ConcurrentWritingError where `onto` is not the state of now */
  readonly change: (draft: Draft, onto: Base) => Promise<Base>
  /** As it is at the station now. */
  readonly load: (base: Base) => Promise<Base | null>
  readonly nameOf: (saved: Base) => string
  /** What other screens keep of the same. */
  readonly refresh: string
  readonly onMade: (made: Base) => void
}

/** Saves what is typed into a new record or one that is there, and says so. */
export function useRecordSave<Base, Draft extends object>(steps: RecordSteps<Base, Draft>): Saving<Base | null, Draft> {
  const { editing, make, change, load, nameOf, onMade } = steps
  const { t } = useTranslation('administration')
  const refresh = useRefresh()
  const key = useRef(newKey())
  return useSave<Base | null, Draft>({
    save: async (draft, onto) => {
      const saved = onto === null ? await make(draft, key.current) : await change(draft, onto)
      key.current = newKey()
      editing.begin(onto === null ? null : saved)
      refresh(steps.refresh)
      toasts.show({ text: t(onto === null ? 'madeToast' : 'savedToast', { name: nameOf(saved) }) })
      if (onto === null) onMade(saved)
    },
    load: async () => (editing.base === null ? null : load(editing.base)),
  })
}
