import { useState } from 'react'
import { useTagsFound } from '../../../client/tags.ts'
import { useTranslation } from '../../../client/translate.ts'
import { Tag } from '../../../ui/badge/badge.tsx'
import { Button } from '../../../ui/button/button.tsx'
import { useFormat } from '../../../ui/format/use-format.tsx'
import { TagEntry } from '../../../ui/tags/tag-entry.tsx'
import { withTags } from '../../../ui/tags/tags.ts'
import { visible } from '../page/text/visible.ts'
import type { Draft } from './drafts.ts'
import { useEditing } from './editing.tsx'
import styles from './edit.module.css'
import { Failure, Restored } from './failure.tsx'

/** As many as stand beside a title. */
const SHOWN = 6

/** Tags of the evidence: each with its cross, and a field for further ones, for whoever may change it. */
export function Tags() {
  const { t } = useTranslation('evidencePage')
  const format = useFormat()
  const { evidence, may, drafts, fields, begin, changeTags } = useEditing()
  const [all, setAll] = useState(false)
  const draft = drafts.get('Tags')
  const { Tags: tags } = evidence
  if (tags.length === 0 && !may && draft === undefined) return null
  const shown = all || tags.length <= SHOWN + 1 ? tags : tags.slice(0, SHOWN)
  return (
    <div className={all ? `${styles['tags']} ${styles['allTags']}` : styles['tags']}>
      {tags.length > 0 && (
        <ul aria-label={fields.label('Tags')}>
          {shown.map((tag) => (
            <li key={tag}>
              <Tag
                onRemove={
                  may
                    ? () => changeTags({ add: [], remove: [tag] }, t('tagRemoved', { tags: visible(tag) }))
                    : undefined
                }
              >
                {visible(tag)}
              </Tag>
            </li>
          ))}
        </ul>
      )}
      {tags.length > SHOWN + 1 && (
        <Button size="small" kind="quiet" aria-expanded={all} onPress={() => setAll(!all)}>
          {all ? t('tagsFewer') : t('tagsMore', { count: format.count(tags.length - SHOWN) })}
        </Button>
      )}
      {draft !== undefined && <TagField draft={draft} />}
      {draft === undefined && may && (
        <span data-edit="Tags" data-place="head">
          <Button size="small" kind="quiet" icon="plus" onPress={() => begin('Tags', 'head')}>
            {t('tagAdd')}
          </Button>
        </span>
      )}
      {draft === undefined && <Failure part="Tags" />}
    </div>
  )
}

function TagField({ draft: { part, value } }: { readonly draft: Draft }) {
  const { t } = useTranslation('evidencePage')
  const { evidence, type, giveUp, finish, changeTags, opened, busy } = useEditing()
  const { found, loading } = useTagsFound(value)
  const add = (tags: readonly string[]): void => {
    const fresh = withTags(evidence.Tags, { add: tags, remove: [] }).slice(evidence.Tags.length)
    if (fresh.length > 0)
      changeTags(
        { add: tags, remove: [] },
        t('tagsAdded', { count: fresh.length, tags: fresh.map(visible).join(', ') }),
      )
  }
  return (
    <form data-editing={part} noValidate onSubmit={(event) => event.preventDefault()}>
      <TagEntry
        className={styles['tagField']}
        label={t('tagField')}
        hideLabel
        placeholder={t('tagHow')}
        tags={evidence.Tags}
        text={value}
        onText={(next) => type(part, next)}
        found={found}
        loading={loading}
        onAdd={add}
        onDone={() => finish(part)}
        onLeave={() => finish(part)}
        onGiveUp={() => giveUp(part)}
        autoFocus={opened === part && !busy.has(part)}
      >
        <Restored part={part} />
        <Failure part={part} />
      </TagEntry>
    </form>
  )
}
