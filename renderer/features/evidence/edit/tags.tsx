import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { type ClipboardEvent, type KeyboardEvent, useEffect, useState } from 'react'
import { listTags } from '../../../../shared/evidence/contract.ts'
import { PatchEvidenceModel } from '../../../../shared/evidence/change.contract.ts'
import { LONGEST_TAG } from '../../../../shared/kernel/fields.ts'
import { call } from '../../../client/api.ts'
import { useSession } from '../../../client/session.tsx'
import { useTranslation } from '../../../client/translate.ts'
import { Tag } from '../../../ui/badge/badge.tsx'
import { Button } from '../../../ui/button/button.tsx'
import { ComboBox } from '../../../ui/combobox/combobox.tsx'
import { useFormat } from '../../../ui/format/use-format.tsx'
import { visible } from '../page/text/visible.ts'
import type { Draft } from './drafts.ts'
import { useEditing } from './editing.tsx'
import styles from './edit.module.css'
import { Failure, Restored } from './failure.tsx'
import { isChoosing } from './in-place.tsx'
import { tagsIn, withTags } from './parts.ts'

/** As many as stand beside a title. */
const SHOWN = 6
const MOST = 100

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

const TYPING_PAUSE = 150
const OFFERED = '12'

/** Tags that this person can see, most used first: the station counts over what they may view and nothing else. */
function useOffered(text: string) {
  const { tenant } = useSession()
  const [asked, setAsked] = useState('')
  useEffect(() => {
    const timer = setTimeout(() => setAsked(text.trim().slice(0, LONGEST_TAG)), TYPING_PAUSE)
    return () => clearTimeout(timer)
  }, [text])
  return useQuery({
    queryKey: ['tags', tenant, asked],
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) =>
      call(listTags, { params: { tenantName: tenant }, query: { text: asked, count: OFFERED }, signal }),
  })
}

const NEW = 'new '

function TagField({ draft: { part, value } }: { readonly draft: Draft }) {
  const { t } = useTranslation('evidencePage')
  const format = useFormat()
  const { evidence, type, giveUp, finish, changeTags, opened, busy } = useEditing()
  const { data = [], isFetching } = useOffered(value)
  const [problem, setProblem] = useState<string | undefined>(undefined)
  const typed = tagsIn(value)
  const begins = value.trim().toLowerCase()
  const offered = data.filter(({ Tag: tag }) => !evidence.Tags.includes(tag) && tag.toLowerCase().startsWith(begins))
  const isNew = typed.length === 1 && ![...offered.map((one) => one.Tag), ...evidence.Tags].includes(typed[0] ?? '')
  const options = [
    ...offered.map((one) => ({
      id: one.Tag,
      label: visible(one.Tag),
      note: t('tagUsed', { count: one.Count }),
    })),
    ...(isNew ? [{ id: `${NEW}${typed[0]}`, label: t('tagNew', { tag: visible(typed[0] ?? '') }) }] : []),
  ]
  const wrongOf = (tags: readonly string[]): string | undefined => {
    const long = tags.find((tag) => tag.length > LONGEST_TAG)
    if (long !== undefined)
      return t('tagLong', { tag: visible([...long].slice(0, 24).join('')), most: format.count(LONGEST_TAG) })
    const after = withTags(evidence.Tags, { add: tags, remove: [] })
    if (after.length > MOST) return t('tagsMany', { most: format.count(MOST), count: format.count(after.length) })
    return PatchEvidenceModel.shape.Tags.safeParse([...after]).success ? undefined : t('notStorable')
  }
  /** What is refused stays in the field. */
  const add = (tags: readonly string[]): boolean => {
    const wrong = wrongOf(tags)
    setProblem(wrong)
    if (wrong !== undefined) return false
    type(part, '')
    const fresh = withTags(evidence.Tags, { add: tags, remove: [] }).slice(evidence.Tags.length)
    if (fresh.length > 0)
      changeTags(
        { add: tags, remove: [] },
        t('tagsAdded', { count: fresh.length, tags: fresh.map(visible).join(', ') }),
      )
    return true
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.nativeEvent.isComposing || !(event.target instanceof HTMLInputElement)) return
    if (event.key === 'Escape') {
      event.preventDefault()
      event.stopPropagation()
      giveUp(part)
    }
    const ends = event.key === 'Enter' || event.key === ','
    // One of the list that is marked is chosen by the list.
    if (!ends || (event.key === 'Enter' && event.target.getAttribute('aria-activedescendant'))) return
    // What is refused goes on to the field, which closes its list: the reason stands below it.
    if (event.key === 'Enter' && typed.length > 0 && !add(typed)) return
    event.preventDefault()
    event.stopPropagation()
    if (event.key === ',') add(typed)
    else finish(part)
  }
  const onPaste = (event: ClipboardEvent): void => {
    const text = event.clipboardData.getData('text/plain')
    if (!/[\t\r\n]/.test(text)) return
    // A field of one line would join the cells of a table.
    event.preventDefault()
    type(part, [...tagsIn(value), ...tagsIn(text)].join(', '))
  }
  return (
    <form
      className={styles['tagField']}
      data-editing={part}
      noValidate
      onSubmit={(event) => event.preventDefault()}
      onKeyDownCapture={onKeyDown}
      onPasteCapture={onPaste}
      onBlur={({ relatedTarget, currentTarget }) => {
        if (
          !document.hasFocus() ||
          isChoosing() ||
          (relatedTarget instanceof Element && relatedTarget.closest('[role="listbox"]'))
        )
          return
        if (relatedTarget instanceof Node && currentTarget.contains(relatedTarget)) return
        if (typed.length === 0 || add(typed)) finish(part)
      }}
    >
      <ComboBox
        label={t('tagField')}
        hideLabel
        placeholder={t('tagHow')}
        error={problem}
        free
        filtered
        loading={isFetching}
        options={options}
        value={null}
        text={value}
        onText={(next) => {
          setProblem(undefined)
          type(part, next)
        }}
        onChange={(id) => {
          if (id !== null && add([id.startsWith(NEW) ? id.slice(NEW.length) : id])) finish(part)
        }}
        autoFocus={opened === part && !busy.has(part)}
      />
      <Restored part={part} />
      <Failure part={part} />
    </form>
  )
}
