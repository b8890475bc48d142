import { useState } from 'react'
import { useTagsFound } from '../../../client/tags.ts'
import { useTranslation } from '../../../client/translate.ts'
import { Chip, Tag } from '../../../ui/badge/badge.tsx'
import { visible } from '../../../ui/format/visible.ts'
import { TagEntry } from '../../../ui/tags/tag-entry.tsx'
import { withTags } from '../../../ui/tags/tags.ts'
import styles from './form.module.css'

interface TagsFieldProps {
  readonly label: string
  readonly tags: readonly string[]
  readonly onChange: (tags: readonly string[]) => void
  /** Offered with one press each. */
  readonly offered: readonly string[]
  readonly error: string | undefined
}

/** The tags of the case, each with its cross, the field for further ones, and what the station offers. */
export function TagsField({ label, tags, onChange, offered, error }: TagsFieldProps) {
  const { t } = useTranslation('cases')
  const [text, setText] = useState('')
  const { found, loading } = useTagsFound(text, text !== '')
  const rest = offered.filter((tag) => !tags.includes(tag))
  return (
    <div className={styles['tagsField']} data-field="Tags">
      <TagEntry
        className={styles['tagsLine']}
        label={label}
        description={t('tagsHow')}
        error={error}
        tags={tags}
        text={text}
        onText={setText}
        found={text === '' ? rest.map((tag) => ({ Tag: tag, Count: null })) : found}
        loading={loading}
        onAdd={(added) => onChange(withTags(tags, { add: added, remove: [] }))}
      />
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
