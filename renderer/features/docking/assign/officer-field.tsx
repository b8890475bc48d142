import { useState } from 'react'
import { useFoundPrincipals } from '../../../client/principals.ts'
import { ComboBox } from '../../../ui/combobox/combobox.tsx'
import { visible } from '../../../ui/format/visible.ts'

export interface Officer {
  readonly id: string
  readonly name: string
}

interface Props {
  readonly label: string
  readonly value: Officer | null
  readonly onChange: (who: Officer | null) => void
  readonly error?: string | undefined
  /** What it is while nobody is chosen. */
  readonly placeholder?: string | undefined
}

/** A person, found by name, user name or badge as the station finds them; groups, integrations and guests have no cameras. */
export function OfficerField({ label, value, onChange, error, placeholder }: Props) {
  const [text, setText] = useState(value?.name ?? '')
  const { found, busy } = useFoundPrincipals(text === value?.name ? '' : text)
  const people = found.filter(({ PrincipalType, Guest }) => PrincipalType === 'user' && !Guest)
  return (
    <ComboBox
      label={label}
      error={error}
      placeholder={placeholder}
      filtered
      loading={busy}
      options={people.map(({ PrincipalId, Name, Username }) => ({
        id: PrincipalId ?? '',
        label: visible(Name ?? Username ?? ''),
        ...(Name !== Username && Username !== null && Username !== undefined ? { note: visible(Username) } : {}),
      }))}
      value={value?.id ?? null}
      text={text}
      onText={(typed) => {
        setText(typed)
        if (value !== null && typed !== value.name) onChange(null)
      }}
      onChange={(id) => {
        const one = people.find(({ PrincipalId }) => PrincipalId === id)
        if (id === null || one === undefined) return onChange(null)
        const name = one.Name ?? one.Username ?? ''
        setText(visible(name))
        onChange({ id, name: visible(name) })
      }}
    />
  )
}
