import { useTranslation } from '../../../client/translate.ts'
import { Button } from '../../../ui/button/button.tsx'
import { TextArea, TextField } from '../../../ui/field/field.tsx'
import { Select } from '../../../ui/select/select.tsx'
import { FIELD_TYPES, type FieldProblem, moved, type TypedField } from './draft.ts'
import { fieldTypeWords } from './field-labels.ts'
import styles from './templates.module.css'
import { MoveActs } from '../move-acts.tsx'

interface FieldListProps {
  readonly fields: readonly TypedField[]
  readonly onChange: (fields: readonly TypedField[]) => void
  readonly wrong: ReadonlyMap<string, FieldProblem>
}

/** Fields that this station has of its own, in the order of the form. */
export function FieldList({ fields, onChange, wrong }: FieldListProps) {
  const { t } = useTranslation('administration')
  const add = (): void => onChange([...fields, { key: crypto.randomUUID(), name: '', type: 'Text', choices: '' }])
  return (
    <>
      {fields.length === 0 && <p className="small muted">{t('ownFieldsNone')}</p>}
      <ol className={styles['fields']}>
        {fields.map((field, at) => (
          <li key={field.key} className={styles['field']}>
            <OneField
              field={field}
              at={at}
              last={fields.length - 1}
              problem={wrong.get(field.key)}
              onChange={(change) => onChange(fields.map((one) => (one === field ? { ...one, ...change } : one)))}
              onMove={(to) => onChange(moved(fields, at, to))}
              onRemove={() => onChange(fields.filter((one) => one !== field))}
            />
          </li>
        ))}
      </ol>
      <div>
        <Button size="small" icon="plus" onPress={add}>
          {t('fieldAdd')}
        </Button>
      </div>
      <p className="small muted">{t('ownFieldsHow')}</p>
    </>
  )
}

interface OneFieldProps {
  readonly field: TypedField
  readonly at: number
  readonly last: number
  readonly problem: FieldProblem | undefined
  readonly onChange: (change: Partial<TypedField>) => void
  readonly onMove: (to: number) => void
  readonly onRemove: () => void
}

function OneField({ field, at, last, problem, onChange, onMove, onRemove }: OneFieldProps) {
  const { t } = useTranslation('administration')
  const name = field.name === '' ? t('fieldNew') : field.name
  const ofChoices = problem === 'choicesMissing' || problem === 'choiceTwice' || problem === 'choiceWrong'
  return (
    <>
      <TextField
        label={t('fieldName')}
        value={field.name}
        onChange={(typed) => onChange({ name: typed })}
        error={problem === undefined || ofChoices ? undefined : t(problem)}
        autoFocus={field.name === ''}
      />
      <Select
        label={t('fieldType')}
        value={field.type}
        onChange={(type) => onChange({ type })}
        options={FIELD_TYPES.map((type) => ({ id: type, label: fieldTypeWords(type, t) }))}
      />
      <span className={styles['fieldActs']}>
        <MoveActs
          at={at}
          last={last}
          words={{
            up: t('fieldUp', { name }),
            down: t('fieldDown', { name }),
            isFirst: t('isFirst'),
            isLast: t('isLast'),
            out: t('takeOut', { name }),
          }}
          onMove={onMove}
          onRemove={onRemove}
        />
      </span>
      {field.type === 'Choice' && (
        <div className={styles['choices']}>
          <TextArea
            label={t('choices')}
            description={t('oneALine')}
            rows={3}
            value={field.choices}
            onChange={(choices) => onChange({ choices })}
            error={ofChoices ? t(problem) : undefined}
          />
        </div>
      )}
    </>
  )
}
