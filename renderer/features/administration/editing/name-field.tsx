import { useTranslation } from '../../../client/translate.ts'
import { TextField } from '../../../ui/field/field.tsx'
import type { NameProblem } from './wrong-members.ts'

interface NameFieldProps {
  readonly value: string
  readonly onChange: (name: string) => void
  readonly wrong?: NameProblem | undefined
  /** Another one has it already. */
  readonly taken: boolean
  readonly description?: string | undefined
}

export function NameField({ value, onChange, wrong, taken, description }: NameFieldProps) {
  const { t } = useTranslation('administration')
  return (
    <TextField
      label={t('name')}
      required
      value={value}
      onChange={onChange}
      description={description}
      error={wrong !== undefined ? t(wrong) : taken ? t('refusedNameTaken') : undefined}
    />
  )
}
