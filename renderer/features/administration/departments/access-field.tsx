import { useId } from 'react'
import { GRANTED_LEVELS } from '../../../../shared/kernel/permissions.ts'
import { useTranslation } from '../../../client/translate.ts'
import type { Principal } from '../../../client/principals.ts'
import { IconButton } from '../../../ui/button/button.tsx'
import { visible } from '../../../ui/format/visible.ts'
import { Note } from '../../../ui/note/note.tsx'
import { Select } from '../../../ui/select/select.tsx'
import { PrincipalPicker } from '../principals.tsx'
import { kindOf, nameOf, type Words } from '../labels.ts'
import styles from './access-field.module.css'
import type { Access } from './draft.ts'

interface AccessFieldProps {
  readonly access: readonly Access[]
  readonly onChange: (access: readonly Access[]) => void
  readonly error?: string | undefined
}

/** Who gets which level on a case that is made in the department. */
export function AccessField({ access, onChange, error }: AccessFieldProps) {
  const { t } = useTranslation('administration')
  const name = useId()
  const add = (one: Principal): void =>
    onChange([
      ...access,
      {
        PrincipalId: one.PrincipalId ?? '',
        KId: one.KId ?? '',
        PrincipalType: one.PrincipalType ?? 'user',
        Username: nameOf(one, t),
        // A department without anybody who manages it is refused: the first one gets it.
        Permissions: access.length === 0 ? 'Manage' : 'View',
      },
    ])
  return (
    <div className={styles['access']} role="group" aria-labelledby={name}>
      <span id={name} className={styles['label']}>
        {t('access')}
      </span>
      <ul className={styles['list']}>
        {access.map((one) => (
          <li key={one.PrincipalId} className={styles['line']}>
            <span className={styles['who']}>
              <bdi>{visible(one.Username)}</bdi>
              <span className={styles['kind']}>{kindOf(one.PrincipalType, t)}</span>
            </span>
            <Select
              label={t('levelOf', { name: one.Username })}
              hideLabel
              value={one.Permissions}
              onChange={(Permissions) =>
                onChange(access.map((line) => (line === one ? { ...line, Permissions } : line)))
              }
              options={GRANTED_LEVELS.map((level) => ({ id: level, label: levelWords(level, t) }))}
            />
            <IconButton
              icon="x"
              size="small"
              label={t('takeOut', { name: one.Username })}
              onPress={() => onChange(access.filter((line) => line !== one))}
            />
          </li>
        ))}
      </ul>
      <PrincipalPicker
        label={t('addSomebody')}
        onPick={add}
        barred={({ PrincipalId }) =>
          access.some((one) => one.PrincipalId === PrincipalId) ? t('isInAlready') : undefined
        }
      />
      {error !== undefined && <Note state="attention" title={error} />}
    </div>
  )
}

export function levelWords(level: string, t: Words): string {
  switch (level) {
    case 'Manage':
      return t('levelManage')
    case 'Edit':
      return t('levelEdit')
    case 'Download':
      return t('levelDownload')
    default:
      return t('levelView')
  }
}
