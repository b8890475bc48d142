import { useState } from 'react'
import { useTranslation } from '../../../client/translate.ts'
import { type Choices, chosenIn, same, type Touched } from '../../../ui/conflict/choice.ts'
import { ConflictDialog as Plain } from '../../../ui/conflict/conflict-dialog.tsx'
import { useFormat } from '../../../ui/format/use-format.tsx'
import { nameOf, type Who } from '../labels.ts'

/** What a member is called and how its value reads. */
export type FieldWords<Draft> = {
  readonly [Key in keyof Draft & string]: {
    readonly label: string
    readonly words: (value: Draft[Key]) => string
  }
}

interface ConflictProps<Draft extends object> {
  readonly was: Draft
  readonly theirs: Draft
  readonly yours: Draft
  readonly fields: FieldWords<Draft>
  /** null where the station does not say. */
  readonly by: Who | null
  readonly at: string | null
  readonly busy: boolean
  readonly onSave: (draft: Draft) => void
  /** Back to the form, with everything in it. */
  readonly onClose: () => void
}

/** Somebody saved what is being edited here first. */
export function ConflictDialog<Draft extends object>(props: ConflictProps<Draft>) {
  const { was, theirs, yours, fields, by, at, busy, onSave, onClose } = props
  const { t } = useTranslation('administration')
  const format = useFormat()
  const [differing] = useState(() => differences(was, theirs, yours))
  const who = by === null ? t('somebody') : nameOf(by, t)
  const title = at === null ? t('conflictTitle', { who }) : t('conflictTitleAt', { who, when: format.timeOrDay(at) })
  const words = (key: keyof Draft & string, draft: Draft): string => fields[key].words(draft[key])
  return (
    <Plain
      title={title}
      lead={t('conflictLead', { count: differing.length })}
      who={who}
      rows={differing.map((one) => ({
        ...one,
        label: fields[one.key].label,
        was: words(one.key, was),
        theirs: words(one.key, theirs),
        yours: words(one.key, yours),
      }))}
      busy={busy}
      onSave={(choices) => onSave(resolved(theirs, yours, differing, choices))}
      onClose={onClose}
    />
  )
}

/** When somebody saved first: what differs, and their state with your choices in it (guide, Conflict). Pure. */
interface Difference<Draft> extends Touched {
  readonly key: keyof Draft & string
}

/** The members in which their state and yours differ; what both changed alike is none. */
const differences = <Draft extends object>(was: Draft, theirs: Draft, yours: Draft): readonly Difference<Draft>[] =>
  (Object.keys(theirs) as (keyof Draft & string)[])
    .filter((key) => !same(theirs[key], yours[key]))
    .map((key) => ({ key, mine: !same(was[key], yours[key]), others: !same(was[key], theirs[key]) }))

/** Their state with your choices in it. */
const resolved = <Draft extends object>(
  theirs: Draft,
  yours: Draft,
  differing: readonly Difference<Draft>[],
  choices: Choices,
): Draft =>
  differing.reduce(
    (draft, one) => (chosenIn(choices, one) === 'yours' ? { ...draft, [one.key]: yours[one.key] } : draft),
    theirs,
  )
