import { useId, useState } from 'react'
import { useTranslation } from '../../client/translate.ts'
import { Button } from '../button/button.tsx'
import { Dialog } from '../dialog/dialog.tsx'
import { type Choices, chosenIn, type Whose } from './choice.ts'
import type { ConflictDialogProps, Differing } from './conflict-props.ts'
import styles from './conflict.module.css'

/** What differs, member by member, and one save. */
export function ConflictTable(props: ConflictDialogProps) {
  const { title, lead, note, who, theirs = who, rows, none, busy, onSave, onClose } = props
  const { t } = useTranslation('uiLater')
  const [choices, setChoices] = useState<Choices>(new Map())
  return (
    <Dialog
      title={title}
      lead={lead}
      onClose={onClose}
      size="wide"
      keep
      note={note}
      actions={
        <>
          <Button onPress={onClose}>{t('conflictBack')}</Button>
          <Button kind="main" busy={busy} autoFocus onPress={() => onSave(choices)}>
            {t('conflictSave')}
          </Button>
        </>
      }
    >
      {rows.length === 0 && none !== undefined ? (
        none
      ) : (
        <div className={styles['table']}>
          <div className={styles['heads']} aria-hidden="true">
            <span />
            <span>{t('was')}</span>
            <span>{theirs}</span>
            <span>{t('yours')}</span>
          </div>
          {rows.map((row) => (
            <Row
              key={row.key}
              row={row}
              who={who}
              chosen={chosenIn(choices, row)}
              onChoose={(whose) => setChoices((now) => new Map(now).set(row.key, whose))}
            />
          ))}
        </div>
      )}
    </Dialog>
  )
}

interface RowProps {
  readonly row: Differing
  readonly who: string
  readonly chosen: Whose
  readonly onChoose: (whose: Whose) => void
}

/** One member: what it was, and the choice between theirs and yours. */
function Row({ row, who, chosen, onChoose }: RowProps) {
  const { t } = useTranslation('uiLater')
  const name = useId()
  const option = (whose: Whose, touched: boolean) => (
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
        <bdi>{row[whose]}</bdi>
        {!touched && <span className={styles['untouched']}>, {t('notChanged')}</span>}
      </span>
    </label>
  )
  return (
    <div role="radiogroup" aria-label={row.label} className={styles['row']}>
      <span className={styles['label']}>{row.label}</span>
      <span className={styles['was']}>
        <span className="unseen">{t('was')}: </span>
        <bdi>{row.was}</bdi>
      </span>
      {option('theirs', row.others)}
      {option('yours', row.mine)}
    </div>
  )
}
