import { type FormEvent, useState } from 'react'
import { type Translate, useTranslation } from '../../client/translate.ts'
import { misfit } from '../../../shared/templates/custom-fields.ts'
import { Chip } from '../../ui/badge/badge.tsx'
import { Button } from '../../ui/button/button.tsx'
import { TextField } from '../../ui/field/field.tsx'
import { visible } from '../../ui/format/visible.ts'
import { Popover } from '../../ui/popover/popover.tsx'
import { Select } from '../../ui/select/select.tsx'
import { type FieldKnown, useCustomFields } from './queries.ts'
import type { FilterProps } from './filter-props.ts'
import type { CustomFilter } from './search-state.ts'
import styles from './search.module.css'

/** Absent where no template gives the station fields of its own. */
export function CustomFilters({ search, change }: FilterProps) {
  const { t } = useTranslation('search')
  const fields = useCustomFields()
  if (fields.length === 0 && search.custom.length === 0) return null
  const without = (at: number): void => change({ custom: search.custom.filter((_, index) => index !== at) })
  return (
    <section className={styles['group']} aria-label={t('custom')}>
      <h2 className={styles['groupTitle']}>{t('custom')}</h2>
      <div className={styles['set']}>
        {search.custom.map((one, at) => (
          <Chip key={JSON.stringify(one)} label={wordsOf(one, t)} onClear={() => without(at)} />
        ))}
        {fields.length > 0 && (
          <Popover
            label={t('custom')}
            trigger={
              <Button size="small" icon="plus">
                {t('customSet')}
              </Button>
            }
          >
            {(close: () => void) => (
              <FieldForm
                fields={fields}
                onAdd={(one) => {
                  change({ custom: [...search.custom, one] })
                  close()
                }}
              />
            )}
          </Popover>
        )}
      </div>
    </section>
  )
}

type Words = Translate<'search'>

function wordsOf({ name, value, from, to }: CustomFilter, t: Words): string {
  const shown = visible(name)
  if (value !== '')
    return t('customIs', {
      name: shown,
      value: value === 'true' ? t('yes') : value === 'false' ? t('no') : visible(value),
    })
  return t('customRange', { name: shown, from: from === '' ? '…' : visible(from), to: to === '' ? '…' : visible(to) })
}

interface FormProps {
  readonly fields: readonly FieldKnown[]
  readonly onAdd: (filter: CustomFilter) => void
}

/** By the field's type: a range of numbers or days, one of the choices, yes or no, or words. */
function FieldForm({ fields, onAdd }: FormProps) {
  const { t } = useTranslation('search')
  const [name, setName] = useState(fields[0]?.name ?? '')
  const [given, setGiven] = useState({ value: '', from: '', to: '' })
  const [tried, setTried] = useState(false)
  const field = fields.find((one) => one.name === name)
  if (field === undefined) return null
  const ranged = field.type === 'Number' || field.type === 'Date'
  const wrong = (text: string): string | undefined =>
    tried && text !== '' && misfit({ type: field.type }, text) !== null
      ? t(field.type === 'Number' ? 'numberWrong' : 'dateWrong')
      : undefined
  const missing = ranged ? given.from === '' && given.to === '' : given.value.trim() === ''
  const fits = !ranged || [given.from, given.to].every((text) => misfit({ type: field.type }, text) === null)
  const add = (event: FormEvent): void => {
    event.preventDefault()
    setTried(true)
    if (!missing && fits) onAdd({ name, ...given, value: given.value.trim() })
  }
  const set = (what: Partial<typeof given>): void => setGiven({ ...given, ...what })
  const error = tried && missing ? t('valueMissing') : undefined
  const how = field.type === 'Date' ? t('dateHow') : undefined
  return (
    <form className={styles['form']} onSubmit={add}>
      <Select
        label={t('customField')}
        options={fields.map((one) => ({ id: one.name, label: visible(one.name) }))}
        value={name}
        onChange={(chosen) => {
          setName(chosen)
          setGiven({ value: '', from: '', to: '' })
          setTried(false)
        }}
      />
      {ranged ? (
        <div className={styles['two']}>
          <TextField
            label={t('from')}
            value={given.from}
            onChange={(from) => set({ from })}
            error={wrong(given.from) ?? error}
            description={how}
          />
          <TextField label={t('to')} value={given.to} onChange={(to) => set({ to })} error={wrong(given.to)} />
        </div>
      ) : field.type === 'Text' ? (
        <TextField label={t('customValue')} value={given.value} onChange={(value) => set({ value })} error={error} />
      ) : (
        <Select
          label={t('customValue')}
          options={
            field.type === 'Boolean'
              ? [
                  { id: 'true', label: t('yes') },
                  { id: 'false', label: t('no') },
                ]
              : field.choices.map((choice) => ({ id: choice, label: visible(choice) }))
          }
          value={given.value === '' ? null : given.value}
          onChange={(value) => set({ value })}
          error={error}
        />
      )}
      <Button kind="main" type="submit">
        {t('customAdd')}
      </Button>
    </form>
  )
}
