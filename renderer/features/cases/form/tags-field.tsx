import { useState } from 'react'
import { useTranslation } from '../../../client/translate.ts'
import { LONGEST_TAG } from '../../../../shared/kernel/fields.ts'
import { Chip, Tag } from '../../../ui/badge/badge.tsx'
import { Button } from '../../../ui/button/button.tsx'
import { TextField } from '../../../ui/field/field.tsx'
import { visible } from '../../../ui/format/visible.ts'
import styles from './form.module.css'

interface TagsFieldProps {
  readonly label: string
  readonly tags: readonly string[]
  readonly onChange: (tags: readonly string[]) => void
  /** Offered with one press each. */
  readonly offered: readonly string[]
  readonly error: string | undefined
}

/** Enter or a comma adds what is typed; each tag is taken off by its cross. */
export function TagsField({ label, tags, onChange, offered, error }: TagsFieldProps) {
  const { t } = useTranslation('cases')
  const [text, setText] = useState('')
  const long = text.split(',').some((tag) => tag.trim().length > LONGEST_TAG)
  const add = (typed: string): void => {
    const found = typed
      .split(',')
      .map((tag) => tag.trim())
      .filter((tag) => tag !== '')
    if (found.some((tag) => tag.length > LONGEST_TAG)) return
    onChange([...new Set([...tags, ...found])])
    setText('')
  }
  const rest = offered.filter((tag) => !tags.includes(tag))
  return (
    <div className={styles['tagsField']} data-field="Tags">
      <div className={styles['tagsLine']}>
        <TextField
          label={label}
          value={text}
          onChange={(typed) => (typed.endsWith(',') ? add(typed) : setText(typed))}
          description={t('tagsHow')}
          error={long ? t('tagLong', { most: LONGEST_TAG }) : error}
          onKeyDown={(event) => {
            if (event.key !== 'Enter' || event.nativeEvent.isComposing || text.trim() === '') return
            event.preventDefault()
            add(text)
          }}
        />
        {text.trim() !== '' && (
          <Button size="small" icon="plus" onPress={() => add(text)}>
            {t('tagAdd')}
          </Button>
        )}
      </div>
      {tags.length > 0 && (
        <ul className={styles['tags']} aria-label={label}>
          {tags.map((tag) => (
            <li key={tag}>
              <Tag onRemove={() => onChange(tags.filter((one) => one !== tag))}>{visible(tag)}</Tag>
            </li>
          ))}
        </ul>
      )}
      {rest.length > 0 && (
        <div className={styles['tags']} role="group" aria-label={t('tagsOffered')}>
          {rest.map((tag) => (
            <Chip key={tag} add icon="plus" label={visible(tag)} onPress={() => onChange([...tags, tag])} />
          ))}
        </div>
      )}
    </div>
  )
}
