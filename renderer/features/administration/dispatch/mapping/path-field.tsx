import { ComboBox } from '../../../../ui/combobox/combobox.tsx'
import { visible } from '../../../../ui/format/visible.ts'
import type { Place } from './draft.ts'

interface PathFieldProps {
  readonly label: string
  readonly hideLabel?: boolean
  readonly value: string
  readonly onChange: (path: string) => void
  /** Where something stands in the message that is looked at. */
  readonly places: readonly Place[]
  readonly placeholder?: string
  readonly error?: string | undefined
}

/**
 * A path into a message: typed, or picked from where something stands in a real one. It never takes the focus by itself: its list would open
 * and hide the rest of the form from whoever hears it.
 */
export function PathField({ value, onChange, places, ...field }: PathFieldProps) {
  return (
    <ComboBox
      {...field}
      value={places.some(({ path }) => path === value) ? value : null}
      text={value}
      onText={onChange}
      onChange={(path) => path !== null && onChange(path)}
      free
      options={places.map((one) => ({ id: one.path, label: one.path, note: visible(one.value) }))}
    />
  )
}
