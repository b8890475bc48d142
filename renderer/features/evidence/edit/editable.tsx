import type { ReactNode } from 'react'
import { useTranslation } from '../../../client/translate.ts'
import { Icon } from '../../../ui/icon/icon.tsx'
import { useEditing } from './editing.tsx'
import styles from './edit.module.css'
import { PartEditor } from './part-editor.tsx'
import type { Part } from './parts.ts'

interface EditableProps {
  readonly part: Part
  /** The value as it is read; null where there is none. */
  readonly children: ReactNode
}

/** A value that opens as a field in its own place; plain text for whoever may not change it. */
export function Editable({ part, children }: EditableProps) {
  const { t } = useTranslation('evidencePage')
  const { may, drafts, fields, begin } = useEditing()
  const draft = drafts.get(part)
  if (draft?.place === 'details') return <PartEditor draft={draft} />
  if (!may) return children
  const field = fields.label(part)
  const empty = children === null || children === ''
  return (
    <button
      type="button"
      className={styles['value']}
      data-edit={part}
      data-place="details"
      onClick={() => begin(part, 'details')}
    >
      <span className={styles['said']}>
        <span className="unseen">{empty ? t('editAddOf', { field }) : t('editOf', { field })}</span>
        {empty ? (
          <span className={styles['none']} aria-hidden="true">
            {t('editAdd')}
          </span>
        ) : (
          children
        )}
      </span>
      <Icon name={empty ? 'plus' : 'edit'} size="small" className={styles['pencil']} />
    </button>
  )
}
