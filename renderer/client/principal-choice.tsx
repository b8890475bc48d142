import { useState } from 'react'
import { ComboBox } from '../ui/combobox/combobox.tsx'
import { visible } from '../ui/format/visible.ts'
import type { SelectOption } from '../ui/select/select.tsx'
import { nameIn, personName, type Principal, useFoundPrincipals } from './principals.ts'
import { type Translate, useTranslation } from './translate.ts'

interface ChoiceProps {
  readonly label: string
  readonly value: Principal | null
  readonly onChange: (principal: Principal | null) => void
  /** Not to be chosen, with the reason in words. */
  readonly barred?: ((principal: Principal) => string | undefined) | undefined
  /** The usual words say how one is found. */
  readonly description?: string | undefined
  readonly optional?: boolean | undefined
  readonly error?: string | undefined
  readonly autoFocus?: boolean | undefined
}

/** A person, group or integration, found by typing. */
export function PrincipalChoice(props: ChoiceProps) {
  const { label, value, onChange, barred, description, optional = false, error, autoFocus } = props
  const { t } = useTranslation('uiLater')
  const [text, setText] = useState(() => (value === null ? '' : principalLabel(value, t)))
  // Whoever was chosen is found by the user name: nobody is found by *D. Okafor*.
  const { found, busy } = useFoundPrincipals(value === null ? text : (value.Username ?? text))
  return (
    <ComboBox
      label={label}
      description={description ?? t('principalHow')}
      error={error}
      required={!optional}
      filtered
      loading={busy}
      options={found.map((one) => optionOf(one, t, barred?.(one)))}
      value={value?.PrincipalId ?? null}
      text={text}
      onText={(typed) => {
        setText(typed)
        if (value !== null && typed !== principalLabel(value, t)) onChange(null)
      }}
      onChange={(id) => {
        const chosen = found.find(({ PrincipalId }) => PrincipalId === id) ?? null
        onChange(chosen)
        if (chosen !== null) setText(principalLabel(chosen, t))
      }}
      autoFocus={autoFocus}
    />
  )
}

/** People as they are called everywhere; their user name and badge stand beside it in the list. */
export function principalLabel(one: Principal, t: Translate<'uiLater'>): string {
  const name =
    one.PrincipalType === 'user' ? personName({ ...one, Username: one.Username ?? '' }) : nameIn(one, t('theStation'))
  return name === null ? t('somebody') : visible(name)
}

function optionOf(one: Principal, t: Translate<'uiLater'>, why: string | undefined): SelectOption<string> {
  const kind = one.PrincipalType === 'group' ? t('kindGroup') : one.PrincipalType === 'service' ? t('kindService') : ''
  const note = [visible(one.Username ?? ''), one.Badge, kind, one.Guest ? t('kindGuest') : ''].filter(
    (said) => said !== '',
  )
  return { id: one.PrincipalId ?? '', label: principalLabel(one, t), note: note.join(', '), why }
}
