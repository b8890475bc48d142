import { useState } from 'react'
import { useTranslation } from '../../client/translate.ts'
import { useFoundPrincipals } from '../../client/principals.ts'
import { ComboBox } from '../../ui/combobox/combobox.tsx'
import { visible } from '../../ui/format/visible.ts'
import { nameOf } from './labels.ts'

export interface Officer {
  readonly id: string
  readonly name: string
}

interface OfficerFieldProps {
  readonly label: string
  readonly value: Officer | null
  readonly onChange: (officer: Officer | null) => void
  readonly hideLabel?: boolean | undefined
  readonly required?: boolean | undefined
  readonly error?: string | undefined
  readonly autoFocus?: boolean | undefined
}

/** A person, found by name or badge. */
export function OfficerField({ value, onChange, hideLabel, ...field }: OfficerFieldProps) {
  const { t } = useTranslation('devices')
  const [text, setText] = useState(value?.name ?? '')
  const [seen, setSeen] = useState(value?.id)
  if (value?.id !== seen) {
    // Chosen here, or taken away by somebody else than the field.
    setSeen(value?.id)
    setText(value?.name ?? '')
  }
  const { found, busy } = useFoundPrincipals(text === value?.name ? '' : text)
  const people = found.filter(({ PrincipalType }) => PrincipalType === 'user')
  const options = people.map((one) => ({
    id: one.PrincipalId ?? '',
    label: nameOf(one, t),
    note: [visible(one.Username ?? ''), one.Badge].filter((said) => said !== '' && said !== null).join(', '),
  }))
  const chosen =
    value === null || options.some(({ id }) => id === value.id) ? [] : [{ id: value.id, label: value.name }]
  return (
    <ComboBox
      {...field}
      hideLabel={hideLabel}
      {...(hideLabel === true ? { placeholder: field.label } : { description: t('officerHow') })}
      filtered
      loading={busy}
      options={[...chosen, ...options]}
      value={value?.id ?? null}
      text={text}
      onText={(typed) => {
        setText(typed)
        if (value !== null && typed === '') onChange(null)
      }}
      onChange={(id) => {
        const one = [...chosen, ...options].find((option) => option.id === id)
        if (one === undefined) return
        setText(one.label)
        onChange({ id: one.id, name: one.label })
      }}
    />
  )
}
