import { useState } from 'react'
import { useTranslation } from '../../../client/translate.ts'
import { ConflictDialog as Plain } from '../../../ui/conflict/conflict-dialog.tsx'
import { useFormat } from '../../../ui/format/use-format.tsx'
import { useCaseFields } from '../labels.ts'
import type { Who } from '../people-labels.ts'
import { useNames } from '../people-names.tsx'
import { usePartWords } from '../value-labels.ts'
import { differences, resolved } from './conflict.ts'
import type { Draft } from '../fields.ts'

interface ConflictProps {
  readonly was: Draft
  readonly theirs: Draft
  readonly yours: Draft
  readonly by: Who
  readonly at: string
  readonly busy: boolean
  readonly onSave: (draft: Draft) => void
  /** Back to the form, with everything in it. */
  readonly onClose: () => void
}

/** Somebody saved the case that is being typed here first. */
export function ConflictDialog({ was, theirs, yours, by, at, busy, onSave, onClose }: ConflictProps) {
  const { t } = useTranslation('cases')
  const format = useFormat()
  const fields = useCaseFields()
  const words = usePartWords()
  const [differing] = useState(() => differences(was, theirs, yours))
  const who = useNames().nameOf(by)
  const when = format.timeOrDay(at)
  const both = differing.some(({ mine, others }) => mine && others)
  return (
    <Plain
      title={t('conflictTitle', { who, when })}
      lead={t('conflictLead', { count: differing.length })}
      note={both ? t('conflictJoin') : undefined}
      who={who}
      theirs={t('theirs', { who, when })}
      rows={differing.map(({ part, ...one }) => ({
        ...one,
        label: 'custom' in part ? part.custom : fields.label(part.field),
        was: words(part, one.was),
        theirs: words(part, one.theirs),
        yours: words(part, one.yours),
      }))}
      none={<p>{t('conflictNone')}</p>}
      busy={busy}
      onSave={(choices) => onSave(resolved(theirs, differing, choices))}
      onClose={onClose}
    />
  )
}
