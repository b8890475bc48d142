import { useMemo, useState } from 'react'
import { ComboBox } from '../../ui/combobox/combobox.tsx'
import { visible } from '../../ui/format/visible.ts'
import type { EvidenceOfCase } from './queries.ts'

interface PickProps {
  readonly label: string
  readonly evidence: readonly EvidenceOfCase[]
  readonly value: string | null
  readonly onChange: (id: string | null) => void
  readonly required?: boolean
}

/** One evidence of the case, found by its name. */
export function EvidencePick({ label, evidence, value, onChange, required }: PickProps) {
  const options = useMemo(() => evidence.map(({ id, name }) => ({ id, label: visible(name) })), [evidence])
  const labelOf = (id: string | null): string => options.find((one) => one.id === id)?.label ?? ''
  const [text, setText] = useState(() => labelOf(value))
  // What was chosen is no search for it: the list has all of them then.
  const wanted = text === labelOf(value) ? '' : text.trim().toLowerCase()
  return (
    <ComboBox
      label={label}
      filtered
      options={wanted === '' ? options : options.filter((one) => one.label.toLowerCase().includes(wanted))}
      value={value}
      text={text}
      onText={setText}
      onChange={(id) => {
        // Typing gives the choice up; the words stay as they are typed.
        if (id !== null) setText(labelOf(id))
        if (id !== value) onChange(id)
      }}
      {...(required === true ? { required } : {})}
    />
  )
}
