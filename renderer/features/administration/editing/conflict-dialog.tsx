import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '../../../ui/button/button.tsx'
import { Dialog } from '../../../ui/dialog/dialog.tsx'
import { useFormat } from '../../../ui/format/use-format.tsx'
import { nameOf, type Who } from '../words.ts'
import { type Difference, differences, firstChoice, resolved, type Whose } from './conflict.ts'
import styles from './conflict.module.css'

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

/** Somebody saved first: only what differs, member by member, and one save (guide, Conflict). */
export function ConflictDialog<Draft extends object>(props: ConflictProps<Draft>) {
  const { was, theirs, yours, fields, by, at, busy, onSave, onClose } = props
  const { t } = useTranslation('administration')
  const format = useFormat()
  const [differing] = useState(() => differences(was, theirs, yours))
  const [choices, setChoices] = useState<ReadonlyMap<string, Whose>>(new Map())
  const who = by === null ? t('somebody') : nameOf(by, t)
  const title = at === null ? t('conflictTitle', { who }) : t('conflictTitleAt', { who, when: format.timeOrDay(at) })
  return (
    <Dialog
      title={title}
      lead={t('conflictLead', { count: differing.length })}
      onClose={onClose}
      size="wide"
      keep
      actions={
        <>
          <Button onPress={onClose}>{t('conflictBack')}</Button>
          <Button kind="main" busy={busy} autoFocus onPress={() => onSave(resolved(theirs, yours, differing, choices))}>
            {t('conflictSave')}
          </Button>
        </>
      }
    >
      <div className={styles['table']}>
        <div className={styles['heads']} aria-hidden="true">
          <span />
          <span>{t('was')}</span>
          <span>{who}</span>
          <span>{t('yours')}</span>
        </div>
        {differing.map((one) => (
          <Row
            key={one.key}
            {...{ was, theirs, yours, fields, who }}
            difference={one}
            chosen={choices.get(one.key) ?? firstChoice(one)}
            onChoose={(whose) => setChoices((now) => new Map(now).set(one.key, whose))}
          />
        ))}
      </div>
    </Dialog>
  )
}

interface RowProps<Draft extends object> extends Pick<ConflictProps<Draft>, 'was' | 'theirs' | 'yours' | 'fields'> {
  readonly difference: Difference<Draft>
  readonly who: string
  readonly chosen: Whose
  readonly onChoose: (whose: Whose) => void
}

/** One member: what it was, and the choice between theirs and yours. */
function Row<Draft extends object>(props: RowProps<Draft>) {
  const { was, theirs, yours, fields, difference, who, chosen, onChoose } = props
  const { t } = useTranslation('administration')
  const name = useId()
  const { key, mine, others } = difference
  const { label, words } = fields[key]
  const option = (whose: Whose, value: string, touched: boolean) => (
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
        <bdi>{value}</bdi>
        {!touched && <span className={styles['untouched']}>, {t('notChanged')}</span>}
      </span>
    </label>
  )
  return (
    <div role="radiogroup" aria-label={label} className={styles['row']}>
      <span className={styles['label']}>{label}</span>
      <span className={styles['was']}>
        <span className="unseen">{t('was')}: </span>
        <bdi>{words(was[key])}</bdi>
      </span>
      {option('theirs', words(theirs[key]), others)}
      {option('yours', words(yours[key]), mine)}
    </div>
  )
}
