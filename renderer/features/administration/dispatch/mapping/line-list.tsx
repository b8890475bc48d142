import { useTranslation } from '../../../../client/translate.ts'
import { LONGEST_MAPPED_NAME } from '../../../../../shared/dispatch/cad.contract.ts'
import { FIELD_TARGETS, type FieldTarget } from '../../../../../shared/dispatch/cad-mapping.ts'
import { Button } from '../../../../ui/button/button.tsx'
import { TextField } from '../../../../ui/field/field.tsx'
import { Select } from '../../../../ui/select/select.tsx'
import { moved } from '../../templates/draft.ts'
import type { Place, TypedField, Wrong } from './draft.ts'
import styles from './mapping.module.css'
import { errorOf } from './part-list.tsx'
import { PathField } from './path-field.tsx'
import { MoveActs } from '../../move-acts.tsx'
import { fieldWords } from '../../cad/labels.ts'

interface LineListProps {
  readonly fields: readonly TypedField[]
  readonly onChange: (fields: readonly TypedField[]) => void
  readonly places: readonly Place[]
  readonly wrong: ReadonlyMap<string, Wrong>
}

/** What goes where in the case: the place in the message on one side, the field of the case on the other. */
export function LineList({ fields, onChange, places, wrong }: LineListProps) {
  const { t } = useTranslation('cad')
  const add = (): void => onChange([...fields, { key: crypto.randomUUID(), from: '', to: 'CustomField', name: '' }])
  return (
    <>
      <div className={styles['heads']} aria-hidden="true">
        <span>{t('fieldFrom')}</span>
        <span>{t('fieldTo')}</span>
        <span>{t('fieldName')}</span>
      </div>
      <ol className={styles['rows']}>
        {fields.map((field, at) => (
          <li key={field.key} className={styles['row']}>
            <Line
              field={field}
              at={at}
              last={fields.length - 1}
              places={places}
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
    </>
  )
}

interface LineProps {
  readonly field: TypedField
  readonly at: number
  readonly last: number
  readonly places: readonly Place[]
  readonly problem: Wrong | undefined
  readonly onChange: (change: Partial<TypedField>) => void
  readonly onMove: (to: number) => void
  readonly onRemove: () => void
}

function Line({ field, at, last, places, problem, onChange, onMove, onRemove }: LineProps) {
  const { t } = useTranslation('cad')
  const name = field.from === '' ? t('fieldNew') : field.from
  const ofName = problem === 'nameMissing' || problem === 'nameWrong' || problem === 'nameTwice'
  return (
    <>
      <PathField
        label={t('fieldFrom')}
        hideLabel
        value={field.from}
        onChange={(from) => onChange({ from })}
        places={places}
        error={ofName ? undefined : errorOf(problem, t)}
      />
      <Select<FieldTarget>
        label={t('fieldTo')}
        hideLabel
        value={field.to}
        onChange={(to) => onChange({ to })}
        options={FIELD_TARGETS.map((id) => ({ id, label: fieldWords(id, t) }))}
      />
      {field.to === 'CustomField' ? (
        <TextField
          label={t('fieldName')}
          hideLabel
          value={field.name}
          onChange={(typed) => onChange({ name: typed })}
          maxLength={LONGEST_MAPPED_NAME}
          error={ofName ? errorOf(problem, t) : undefined}
        />
      ) : (
        <span />
      )}
      <span className={styles['acts']}>
        <MoveActs
          at={at}
          last={last}
          words={{
            up: t('fieldUp', { name }),
            down: t('fieldDown', { name }),
            isFirst: t('isFirst'),
            isLast: t('isLast'),
            out: t('fieldOut', { name }),
          }}
          onMove={onMove}
          onRemove={onRemove}
        />
      </span>
    </>
  )
}
