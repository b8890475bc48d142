import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '../../../ui/button/button.tsx'
import { Dialog } from '../../../ui/dialog/dialog.tsx'
import { useFormat } from '../../../ui/format/use-format.tsx'
import { useCaseFields } from '../labels.ts'
import { nameOf, type Who } from '../people-words.ts'
import { usePartWords } from '../value-words.ts'
import { type Difference, differences, firstChoice, resolved, type Whose } from './conflict.ts'
import type { Draft } from './fields.ts'
import styles from './conflict.module.css'

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

/** Somebody saved first: only what differs, field by field, and one save (guide, Conflict). */
export function ConflictDialog({ was, theirs, yours, by, at, busy, onSave, onClose }: ConflictProps) {
  const { t } = useTranslation('cases')
  const format = useFormat()
  const [differing] = useState(() => differences(was, theirs, yours))
  const [choices, setChoices] = useState<ReadonlyMap<string, Whose>>(new Map())
  const who = nameOf(by, t)
  const when = format.timeOrDay(at)
  const both = differing.some(({ mine, others }) => mine && others)
  return (
    <Dialog
      title={t('conflictTitle', { who, when })}
      lead={t('conflictLead', { count: differing.length })}
      onClose={onClose}
      size="wide"
      keep
      note={both ? t('conflictJoin') : undefined}
      actions={
        <>
          <Button onPress={onClose}>{t('conflictBack')}</Button>
          <Button kind="main" busy={busy} autoFocus onPress={() => onSave(resolved(theirs, differing, choices))}>
            {t('conflictSave')}
          </Button>
        </>
      }
    >
      {differing.length === 0 ? (
        <p>{t('conflictNone')}</p>
      ) : (
        <div className={styles['table']}>
          <div className={styles['heads']} aria-hidden="true">
            <span />
            <span>{t('was')}</span>
            <span>{t('theirs', { who, when })}</span>
            <span>{t('yours')}</span>
          </div>
          {differing.map((one) => (
            <Row
              key={one.key}
              difference={one}
              who={who}
              chosen={choices.get(one.key) ?? firstChoice(one)}
              onChoose={(whose) => setChoices((now) => new Map(now).set(one.key, whose))}
            />
          ))}
        </div>
      )}
    </Dialog>
  )
}

interface RowProps {
  readonly difference: Difference
  readonly who: string
  readonly chosen: Whose
  readonly onChoose: (whose: Whose) => void
}

/** One field: what it was, and the choice between theirs and yours. */
function Row({ difference, who, chosen, onChoose }: RowProps) {
  const { t } = useTranslation('cases')
  const name = useId()
  const fields = useCaseFields()
  const words = usePartWords()
  const { part, was, theirs, yours, mine, others } = difference
  const label = 'custom' in part ? part.custom : fields.label(part.field)
  const option = (whose: Whose, value: string | readonly string[], touched: boolean) => (
    <label className={styles['option']} {...(chosen === whose ? { 'data-chosen': '' } : {})}>
      <input
        type="radio"
        name={name}
        checked={chosen === whose}
        onChange={() => onChoose(whose)}
        className={styles['radio']}
      />
      <span className={styles['value']}>
        <span className="unseen">{whose === 'yours' ? t('yours') : who}: </span>
        <bdi>{words(part, value)}</bdi>
        {!touched && <span className={styles['untouched']}>, {t('notChanged')}</span>}
      </span>
    </label>
  )
  return (
    <div role="radiogroup" aria-label={label} className={styles['row']}>
      <span className={styles['label']}>{label}</span>
      <span className={styles['was']}>
        <span className="unseen">{t('was')}: </span>
        <bdi>{words(part, was)}</bdi>
      </span>
      {option('theirs', theirs, others)}
      {option('yours', yours, mine)}
    </div>
  )
}
