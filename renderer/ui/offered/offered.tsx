import { useEffect, useState } from 'react'
import { useTranslation } from '../../client/translate.ts'
import { type CustomField, misfit } from '../../../shared/templates/custom-fields.ts'
import { ComboBox, fetchComboBox } from '../combobox/combobox.tsx'
import { DateTimeField } from '../date-time/date-time.tsx'
import { RadioGroup } from '../field/radio-group.tsx'
import { TextArea, TextField } from '../field/field.tsx'
import { useFormat } from '../format/use-format.tsx'
import { Button } from '../button/button.tsx'
import { Menu } from '../popover/menu.tsx'
import { Select } from '../select/select.tsx'
import styles from './offered.module.css'

export interface OfferedTextProps {
  readonly label: string
  readonly value: string
  readonly onChange: (value: string) => void
  /** What the station offers; free text stays possible. */
  readonly offered: readonly string[]
  readonly error?: string | undefined
  readonly description?: string | undefined
  readonly required?: boolean | undefined
  readonly autoFocus?: boolean | undefined
}

/** One line of text, with the prefilled values in a list where there are some. They may come while somebody types: the focus goes along. */
export function OfferedText({ offered, ...props }: OfferedTextProps) {
  const fetched = useFetchedComboBox(offered.length > 0)
  const [focused, setFocused] = useState(false)
  const { value, onChange, autoFocus: _none, ...field } = props
  return (
    <div className={styles['line']} onFocus={() => setFocused(true)} onBlur={() => setFocused(false)}>
      {fetched ? (
        <ComboBox
          {...field}
          free
          // Without its list: one that opens by itself would hide the rest of the form from whoever hears it.
          opensByTyping={focused}
          autoFocus={focused}
          options={offered.map((text) => ({ id: text, label: text }))}
          value={offered.includes(value) ? value : null}
          text={value}
          onText={onChange}
          onChange={(chosen) => chosen !== null && onChange(chosen)}
        />
      ) : (
        <TextField {...props} />
      )}
    </div>
  )
}

/** Whether the field with a list is wanted and its code is here. Until then the plain field stays, so that typing goes on. */
function useFetchedComboBox(wanted: boolean): boolean {
  const [here, setHere] = useState(false)
  useEffect(() => {
    if (wanted)
      void fetchComboBox().then(
        () => setHere(true),
        () => undefined,
      )
  }, [wanted])
  return wanted && here
}

/** Several lines; a prefilled text is put behind what is there, never over it. */
export function OfferedArea({ offered, ...props }: OfferedTextProps & { readonly rows: number }) {
  const { t } = useTranslation('uiLater')
  const { autoFocus: _none, ...field } = props
  const put = (text: string): void =>
    props.onChange(props.value.trim() === '' ? text : `${props.value.trimEnd()}\n${text}`)
  return (
    <div className={styles['area']}>
      <TextArea {...field} />
      {offered.length > 0 && (
        <Menu
          label={t('prefilled')}
          placement="bottom start"
          trigger={
            <Button size="small" icon="plus">
              {t('prefilled')}
            </Button>
          }
          sections={[
            {
              items: offered.map((text, at) => ({ id: String(at), label: text, onAction: (): void => put(text) })),
            },
          ]}
        />
      )}
    </div>
  )
}

interface CustomProps {
  readonly field: CustomField
  readonly value: string
  readonly onChange: (value: string) => void
  readonly offered: readonly string[]
}

/** By the type that the template gives it (decisions 7); what does not fit the type stays to be seen as it is. */
export function CustomInput({ field: { name, type, choices = [] }, value, onChange, offered }: CustomProps) {
  const { t } = useTranslation('uiLater')
  switch (type) {
    case 'Number':
      return (
        <TextField
          label={name}
          value={value}
          onChange={onChange}
          error={misfit({ type }, value) === null ? undefined : t('numberWrong')}
        />
      )
    case 'Date':
      return <DateInput label={name} value={value} onChange={onChange} />
    case 'Boolean':
      return (
        <RadioGroup
          label={name}
          inline
          value={value}
          onChange={onChange}
          options={[
            { id: 'true', label: t('yes') },
            { id: 'false', label: t('no') },
            { id: '', label: t('notSaid') },
          ]}
        />
      )
    case 'Choice': {
      const known = value === '' || choices.includes(value) ? choices : [...choices, value]
      return (
        <Select
          label={name}
          value={value === '' ? NONE : value}
          onChange={(chosen) => onChange(chosen === NONE ? '' : chosen)}
          options={[{ id: NONE, label: t('notSaid') }, ...known.map((choice) => ({ id: choice, label: choice }))]}
        />
      )
    }
    default:
      return <OfferedText label={name} value={value} onChange={onChange} offered={offered} />
  }
}

/** No choice can be called so: names have no outer spaces. */
const NONE = ' none'
const DAY = /^\d{4}-\d{2}-\d{2}$/

/** The day that a wall clock of the zone shows; Swedish writes it as ISO 8601 does. */
const dayOf = (at: string, zone: string): string =>
  new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short' }).format(new Date(at))

/** An instant of that day in the zone: noon, and for zones twelve hours and more away an hour that is still that day there. */
const instantOf = (day: string, zone: string): string =>
  [12, 0, 23].map((hour) => `${day}T${String(hour).padStart(2, '0')}:00:00Z`).find((at) => dayOf(at, zone) === day) ??
  `${day}T12:00:00Z`

/** A day without a time, `2026-11-20`; what is no day is shown as it was typed elsewhere. */
function DateInput({ label, value, onChange }: Omit<OfferedTextProps, 'offered'>) {
  const { t } = useTranslation('uiLater')
  const { zone } = useFormat()
  if (value !== '' && !DAY.test(value))
    return <TextField label={label} value={value} onChange={onChange} error={t('dateWrong')} />
  return (
    <DateTimeField
      label={label}
      precision="day"
      zone={zone}
      value={value === '' ? null : instantOf(value, zone)}
      onChange={(at) => onChange(at === null ? '' : dayOf(at, zone))}
    />
  )
}
