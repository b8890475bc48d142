import { useState } from 'react'
import { useTagsFound } from '../../../client/tags.ts'
import { useTranslation } from '../../../client/translate.ts'
import { IconButton } from '../../../ui/button/button.tsx'
import { useFormat } from '../../../ui/format/use-format.tsx'
import { TagEntry } from '../../../ui/tags/tag-entry.tsx'
import { type TagChange, tagKey } from '../../../ui/tags/tags.ts'
import { visible } from '../page/text/visible.ts'
import { ActDialog } from './act-dialog.tsx'
import styles from './acts.module.css'
import { missingOn, tagChange, type TagOnMany, tagsOfMany } from './changes.ts'
import type { Course } from './course.ts'
import type { ActDialogOf } from './protect-dialog.tsx'
import { type Named, toastOf } from './targets.ts'
import { useChangeMany } from './use-change-many.ts'

const NOTHING: TagChange = { add: [], remove: [] }
const without = (tags: readonly string[], gone: readonly string[]): readonly string[] => {
  const keys = new Set(gone.map(tagKey))
  return tags.filter((tag) => !keys.has(tagKey(tag)))
}

/** Tags of many at once: what all have, what some have, and what is added or removed. Only the differences are sent. */
export function TagDialog({ targets, leftOut, onClose, onDone }: ActDialogOf) {
  const { t } = useTranslation('evidenceActs')
  const format = useFormat()
  const changeMany = useChangeMany()
  const [text, setText] = useState('')
  const [change, setChange] = useState(NOTHING)
  const { found, loading } = useTagsFound(text)
  const present = tagsOfMany(targets)
  const fresh = change.add.filter((tag) => !present.some((one) => one.tag === tag))
  const onAll = present.filter(({ count }) => count === targets.length).map(({ tag }) => tag)
  const add = (tags: readonly string[]): void =>
    // As it is written already, where it is.
    setChange(({ add: before, remove }) => {
      const known = tags.map((tag) => present.find((one) => tagKey(one.tag) === tagKey(tag))?.tag ?? tag)
      const added = without(known, [...before, ...onAll])
      return { add: [...before, ...added], remove: without(remove, known) }
    })
  const remove = (tag: string): void =>
    setChange(({ add: before, remove: gone }) => ({ add: without(before, [tag]), remove: [...gone, tag] }))
  const keep = (tag: string): void =>
    setChange(({ add: before, remove: gone }) => ({ add: without(before, [tag]), remove: without(gone, [tag]) }))
  const by = tagChange(change)
  const differs = targets.some((target) => by.patchOf(target) !== null)
  const run = async (left: readonly Named[], course: Course): Promise<void> => {
    const rest = targets.filter((target) => left.includes(target))
    await changeMany(rest, by, (changed) => t('tagToast', toastOf(changed, format.count)), course)
    onDone?.()
  }
  const lines = [...fresh.map((tag) => ({ tag, count: 0 })), ...present]
  return (
    <ActDialog
      title={t('tagTitle', toastOf(targets, format.count))}
      lead={t('tagLead')}
      act={t('tagAct')}
      failed={t('tagNotSet')}
      why={differs ? undefined : t('tagNothing')}
      check={() => differs}
      targets={targets}
      leftOut={leftOut}
      onAct={run}
      onClose={onClose}
    >
      <TagEntry
        label={t('tagAdd')}
        description={t('tagHow')}
        tags={[...onAll, ...change.add]}
        text={text}
        onText={setText}
        found={found}
        loading={loading}
        onAdd={add}
        autoFocus
      />
      {lines.length === 0 ? (
        <p className="muted">{t('tagNone')}</p>
      ) : (
        <ul className={styles['tagLines']} aria-label={t('tagSet')}>
          {lines.map((line) => (
            <TagLine
              key={line.tag}
              line={line}
              of={targets.length}
              missing={missingOn(targets, line.tag)}
              change={change}
              onAdd={() => add([line.tag])}
              onRemove={() => remove(line.tag)}
              onKeep={() => keep(line.tag)}
            />
          ))}
        </ul>
      )}
    </ActDialog>
  )
}

interface TagLineProps {
  readonly line: TagOnMany
  readonly of: number
  /** On how many it is not. */
  readonly missing: number
  readonly change: TagChange
  readonly onAdd: () => void
  readonly onRemove: () => void
  readonly onKeep: () => void
}

function TagLine({ line: { tag, count }, of, missing, change, onAdd, onRemove, onKeep }: TagLineProps) {
  const { t } = useTranslation('evidenceActs')
  const format = useFormat()
  const coming = change.add.includes(tag)
  const going = change.remove.includes(tag)
  const name = visible(tag)
  const note = (): string => {
    if (coming) return t('tagWillAdd', { count: missing, shown: format.count(missing) })
    if (going) return t('tagWillRemove', { count, shown: format.count(count) })
    if (count === of) return of === 1 ? t('tagOnOne') : t('tagOnAll')
    return t('tagOnSome', { count: format.count(count), of: format.count(of) })
  }
  return (
    <li
      className={styles['tagLine']}
      {...(coming || going ? { 'data-changed': '' } : {})}
      {...(going ? { 'data-going': '' } : {})}
    >
      <bdi className={styles['tagName']}>{name}</bdi>
      <span className={styles['tagNote']}>{note()}</span>
      {coming || going ? (
        <IconButton size="small" icon="undo" label={t('tagKeep', { tag: name })} onPress={onKeep} />
      ) : (
        <>
          {count < of && <IconButton size="small" icon="plus" label={t('tagAddAll', { tag: name })} onPress={onAdd} />}
          <IconButton size="small" icon="x" label={t('tagRemoveAll', { tag: name })} onPress={onRemove} />
        </>
      )}
    </li>
  )
}
