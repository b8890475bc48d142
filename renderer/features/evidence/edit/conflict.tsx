import { useTranslation } from '../../../client/translate.ts'
import { chosenIn } from '../../../ui/conflict/choice.ts'
import { ConflictDialog } from '../../../ui/conflict/conflict-dialog.tsx'
import { useFormat } from '../../../ui/format/use-format.tsx'
import type { Evidence } from '../page/queries.ts'
import { visible } from '../page/text/visible.ts'
import type { Draft } from './drafts.ts'
import { type Fields, useValueWords } from './fields.ts'
import { type Part, tidied, valueOf } from './parts.ts'
import type { Changed } from './save.ts'

/** What somebody else saved in a part that is being typed here. */
export interface Conflict {
  readonly theirs: Evidence
  readonly drafts: readonly Draft[]
  readonly changed: Changed | null
}

interface ConflictProps {
  readonly conflict: Conflict
  readonly fields: Fields
  readonly busy: boolean
  /** @param mine the parts in which yours counts */
  readonly onSave: (mine: readonly Part[]) => void
  /** Back to the fields, with everything in them. */
  readonly onClose: () => void
}

/** Somebody saved first: was, theirs and yours of every part that is typed here and that they changed. */
export function ConflictOfParts({
  conflict: { theirs, drafts, changed },
  fields,
  busy,
  onSave,
  onClose,
}: ConflictProps) {
  const { t } = useTranslation('evidencePage')
  const format = useFormat()
  const words = useValueWords(fields)
  const who = changed === null ? t('editSomebody') : visible(changed.by)
  const rows = drafts.map(({ part, was, value }) => {
    const their = valueOf(theirs, part)
    return {
      key: part,
      label: fields.label(part),
      was: words(part, was),
      theirs: words(part, their),
      yours: words(part, tidied(part, value)),
      mine: true,
      others: tidied(part, their) !== tidied(part, was),
    }
  })
  return (
    <ConflictDialog
      title={
        changed === null
          ? t('editConflictTitleSomebody')
          : t('editConflictTitle', { who, when: format.timeOrDay(changed.at) })
      }
      lead={t('editConflictLead', { count: rows.length })}
      note={t('editConflictJoin')}
      who={who}
      rows={rows}
      busy={busy}
      onSave={(choices) => onSave(rows.filter((row) => chosenIn(choices, row) === 'yours').map(({ key }) => key))}
      onClose={onClose}
    />
  )
}
