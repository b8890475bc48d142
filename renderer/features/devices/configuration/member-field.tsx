import { useTranslation } from '../../../client/translate.ts'
import { IconButton } from '../../../ui/button/button.tsx'
import { TextArea, TextField } from '../../../ui/field/field.tsx'
import { Segments } from '../../../ui/segments/segments.tsx'
import styles from '../devices.module.css'
import { isWrong } from './draft.ts'
import type { Member } from './members.ts'

interface MemberFieldProps {
  readonly member: Member
  /** Its whole path, for whoever hears the field. */
  readonly label: string
  readonly onChange: (member: Member) => void
  readonly onRemove: () => void
}

/** One value as its kind is edited; the kind stays what it is. */
export function MemberField({ member, label, onChange, onRemove }: MemberFieldProps) {
  const { t } = useTranslation('devices')
  return (
    <span className={styles['field']}>
      <span className={styles['control']}>
        <Control member={member} label={label} set={(text) => onChange({ ...member, text })} />
      </span>
      <IconButton label={t('memberRemove', { name: label })} icon="x" size="small" kind="quiet" onPress={onRemove} />
    </span>
  )
}

interface ControlProps {
  readonly member: Member
  readonly label: string
  readonly set: (text: string) => void
}

const LONG = 60

function Control({ member, label, set }: ControlProps) {
  const { t } = useTranslation('devices')
  const { kind, text } = member
  if (kind === 'yesno')
    return (
      <Segments
        label={label}
        value={text === 'true' ? 'true' : 'false'}
        onChange={set}
        segments={[
          { id: 'true', label: t('yes') },
          { id: 'false', label: t('no') },
        ]}
      />
    )
  const common = { label, hideLabel: true, value: text, onChange: set, spellCheck: false, autoComplete: 'off' } as const
  const error = isWrong(member) ? t(kind === 'number' ? 'numberWrong' : 'jsonValueWrong') : undefined
  if (kind === 'json' || text.length > LONG) return <TextArea {...common} rows={2} error={error} />
  return <TextField {...common} error={error} />
}
