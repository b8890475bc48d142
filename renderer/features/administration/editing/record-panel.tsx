import { type ReactNode, useState } from 'react'
import { useTranslation } from '../../../client/translate.ts'
import { isNameTaken, Problem } from '../problem.tsx'
import type { Who } from '../labels.ts'
import { ConflictDialog, type FieldWords } from './conflict-dialog.tsx'
import { Panel } from './panel.tsx'
import { Restored, SaveFoot } from './save-foot.tsx'
import type { Editing } from './use-draft.ts'
import type { Saving } from './use-save.ts'

/** Of a record that somebody else saved: its version, who and when where the station says so. */
interface LastSave {
  readonly version: string
  readonly by: Who | null
  readonly at: string | null
}

interface RecordPanelProps<Base, Draft extends object, Wrong extends object> {
  readonly title: string
  /** As the station has it; null: a new one. */
  readonly record: Base | null
  /** What Save is called for a new one. */
  readonly make: string
  readonly editing: Editing<Base | null, Draft>
  readonly saving: Saving<Base | null, Draft>
  readonly draftOf: (base: Base | null) => Draft
  readonly words: FieldWords<Draft>
  readonly lastSave: (record: Base) => LastSave
  readonly wrong: Wrong
  readonly onClose: () => void
  /** The form: what to show as wrong, and whether the name is another one's. */
  readonly children: (wrong: Wrong | Record<string, never>, taken: boolean) => ReactNode
  /** Below the form and what went wrong. */
  readonly after?: ReactNode
}

/** One record being edited beside its list: what is typed, save, and what others saved meanwhile. */
export function RecordPanel<Base, Draft extends object, Wrong extends object>(
  props: RecordPanelProps<Base, Draft, Wrong>,
) {
  const { title, record, make, editing, saving, draftOf, words, lastSave, wrong, onClose, children, after } = props
  const { t } = useTranslation('administration')
  const [tried, setTried] = useState(false)
  const { draft, base, changed, restored, begin } = editing
  const { busy, error, theirs, run, dismiss } = saving
  const taken = isNameTaken(error)
  const other = theirs === null ? null : lastSave(theirs)
  return (
    <>
      <Panel
        title={title}
        onClose={onClose}
        onSubmit={() => {
          setTried(true)
          if (!busy && Object.keys(wrong).length === 0) run(draft, base)
        }}
        foot={
          <SaveFoot
            save={record === null ? make : t('save')}
            busy={busy && theirs === null}
            why={changed || record === null ? undefined : t('nothingChanged')}
            onDrop={changed ? () => begin(record) : undefined}
          />
        }
      >
        {restored && <Restored onDrop={() => begin(record)} />}
        {children(tried ? wrong : {}, taken)}
        {error !== null && !taken && <Problem error={error} title={t('notSaved')} />}
        {after}
      </Panel>
      {other !== null && (
        <ConflictDialog
          key={other.version}
          was={draftOf(base)}
          theirs={draftOf(theirs)}
          yours={draft}
          fields={words}
          by={other.by}
          at={other.at}
          busy={busy}
          onSave={(chosen) => run(chosen, theirs)}
          onClose={dismiss}
        />
      )}
    </>
  )
}
