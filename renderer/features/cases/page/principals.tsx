import { useState } from 'react'
import { useTranslation } from '../../../client/translate.ts'
import { type Principal, useFoundPrincipals } from '../../../client/principals.ts'
import { ComboBox } from '../../../ui/combobox/combobox.tsx'
import { visible } from '../../../ui/format/visible.ts'
import type { SelectOption } from '../../../ui/select/select.tsx'
import { nameOf, type Words } from '../people-labels.ts'

interface PickerProps {
  readonly value: Principal | null
  readonly onChange: (principal: Principal | null) => void
  /** Not to be chosen, with the reason in words. */
  readonly barred: (principal: Principal) => string | undefined
  readonly error?: string | undefined
}

/** A person, group or integration, found by typing. */
export function PrincipalPicker({ value, onChange, barred, error }: PickerProps) {
  const { t } = useTranslation('cases')
  const [text, setText] = useState('')
  const { found, busy } = useFoundPrincipals(text)
  return (
    <ComboBox
      label={t('principal')}
      description={t('principalHow')}
      error={error}
      required
      filtered
      loading={busy}
      options={found.map((one) => optionOf(one, t, barred(one)))}
      value={value?.PrincipalId ?? null}
      text={text}
      onText={(typed) => {
        setText(typed)
        if (value !== null && typed !== labelOf(value, t)) onChange(null)
      }}
      onChange={(id) => {
        const chosen = found.find(({ PrincipalId }) => PrincipalId === id) ?? null
        onChange(chosen)
        if (chosen !== null) setText(labelOf(chosen, t))
      }}
    />
  )
}

export const labelOf = (one: Principal, t: Words): string => nameOf(one, t)

function optionOf(one: Principal, t: Words, why: string | undefined): SelectOption<string> {
  const kind = one.PrincipalType === 'group' ? t('kindGroup') : one.PrincipalType === 'service' ? t('kindService') : ''
  const note = [visible(one.Username ?? ''), one.Badge, kind, one.Guest ? t('kindGuest') : ''].filter(
    (said) => said !== '',
  )
  return { id: one.PrincipalId ?? '', label: labelOf(one, t), note: note.join(', '), why }
}
