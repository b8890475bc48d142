import { type ClipboardEvent, type FocusEvent, type KeyboardEvent, type ReactNode, useState } from 'react'
import { isTag, LONGEST_TAG } from '../../../shared/kernel/fields.ts'
import { type Translate, useTranslation } from '../../client/translate.ts'
import { isChoosing } from '../combobox/choosing.ts'
import { ComboBox } from '../combobox/combobox.tsx'
import { useFormat } from '../format/use-format.tsx'
import { visible } from '../format/visible.ts'
import { MOST_TAGS, tagsIn, withTags } from './tags.ts'

export interface TagEntryProps {
  readonly label: string
  readonly hideLabel?: boolean | undefined
  readonly placeholder?: string | undefined
  readonly description?: string | undefined
  /** What is wrong with the tags as a whole. */
  readonly error?: string | undefined
  /** What is there already. */
  readonly tags: readonly string[]
  readonly text: string
  readonly onText: (text: string) => void
  /** Tags that are in use, most used first; `Count` null: offered without being in use. */
  readonly found: readonly { readonly Tag: string; readonly Count: number | null }[]
  readonly loading: boolean
  /** They fit; the text is empty by then. */
  readonly onAdd: (tags: readonly string[]) => void
  /** One was chosen or typed, or Enter pressed in the empty field: nothing more is meant. Left out, the field stays for the next, and Enter in the empty field sends its form. */
  readonly onDone?: (() => void) | undefined
  /** The focus left, and what was typed is added. */
  readonly onLeave?: (() => void) | undefined
  readonly onGiveUp?: (() => void) | undefined
  readonly autoFocus?: boolean | undefined
  readonly className?: string | undefined
  /** Below the field, and a part of it. */
  readonly children?: ReactNode
}

const NEW = 'new '

/**
 * The field for further tags: completes from those in use; Enter, a comma or leaving it adds what is typed, a pasted table becomes a tag
 * for each cell. What is refused stays in it, with the reason.
 */
export function TagEntry(props: TagEntryProps) {
  const { label, tags, text, onText, found, loading, onDone, onLeave, onGiveUp } = props
  const { t } = useTranslation('uiLater')
  const wrongOf = useWrongOf(tags)
  const [problem, setProblem] = useState<string | undefined>(undefined)
  const typed = tagsIn(text)
  const add = (given: readonly string[]): boolean => {
    const wrong = wrongOf(given)
    setProblem(wrong)
    if (wrong !== undefined) return false
    onText('')
    props.onAdd(given)
    return true
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.nativeEvent.isComposing || !(event.target instanceof HTMLInputElement)) return
    if (event.key === 'Escape' && onGiveUp !== undefined) {
      event.preventDefault()
      event.stopPropagation()
      onGiveUp()
    }
    const ends = event.key === 'Enter' || event.key === ','
    // One of the list that is marked is chosen by the list.
    if (!ends || (event.key === 'Enter' && event.target.getAttribute('aria-activedescendant'))) return
    if (event.key === 'Enter' && typed.length === 0 && onDone === undefined) {
      // An open list would take it for itself.
      event.preventDefault()
      event.stopPropagation()
      return event.target.form?.requestSubmit()
    }
    // What is refused goes on to the field, which closes its list: the reason stands below it.
    if (event.key === 'Enter' && typed.length > 0 && !add(typed)) return
    event.preventDefault()
    // In a field that stays, Enter goes on to it and closes its list.
    if (event.key === ',' || onDone !== undefined) event.stopPropagation()
    if (event.key === ',') {
      if (typed.length > 0) add(typed)
    } else onDone?.()
  }
  const onPaste = (event: ClipboardEvent): void => {
    const pasted = event.clipboardData.getData('text/plain')
    if (!/[\t\r\n]/.test(pasted)) return
    // A field of one line would join the cells of a table.
    event.preventDefault()
    onText([...tagsIn(text), ...tagsIn(pasted)].join(', '))
  }
  const onBlur = ({ relatedTarget, currentTarget }: FocusEvent): void => {
    if (!document.hasFocus() || isChoosing()) return
    if (relatedTarget instanceof Element && relatedTarget.closest('[role="listbox"]') !== null) return
    if (relatedTarget instanceof Node && currentTarget.contains(relatedTarget)) return
    if (typed.length === 0 || add(typed)) onLeave?.()
  }
  return (
    <div className={props.className} onKeyDownCapture={onKeyDown} onPasteCapture={onPaste} onBlur={onBlur}>
      <ComboBox
        label={label}
        hideLabel={props.hideLabel}
        placeholder={props.placeholder}
        description={props.description}
        error={problem ?? props.error}
        free
        filtered
        loading={loading}
        options={optionsOf({ text, typed, tags, found }, t)}
        value={null}
        text={text}
        onText={(next) => {
          setProblem(undefined)
          onText(next)
        }}
        onChange={(id) => {
          if (id !== null && add([id.startsWith(NEW) ? id.slice(NEW.length) : id])) onDone?.()
        }}
        autoFocus={props.autoFocus}
      />
      {props.children}
    </div>
  )
}

/** Tags in use that begin with what is typed, and what is typed as a new one. */
function optionsOf(
  { text, typed, tags, found }: Pick<TagEntryProps, 'text' | 'tags' | 'found'> & { readonly typed: readonly string[] },
  t: Translate<'uiLater'>,
) {
  const begins = text.trim().toLowerCase()
  const offered = found.filter(({ Tag }) => !tags.includes(Tag) && Tag.toLowerCase().startsWith(begins))
  const [only = ''] = typed
  const isNew = typed.length === 1 && !offered.some(({ Tag }) => Tag === only) && !tags.includes(only)
  return [
    ...offered.map(({ Tag, Count }) => ({
      id: Tag,
      label: visible(Tag),
      note: Count === null ? undefined : t('tagUsed', { count: Count }),
    })),
    ...(isNew ? [{ id: `${NEW}${only}`, label: t('tagNew', { tag: visible(only) }) }] : []),
  ]
}

/** Why the station would not take these beside those that are there. */
function useWrongOf(tags: readonly string[]): (given: readonly string[]) => string | undefined {
  const { t } = useTranslation('uiLater')
  const { t: ui } = useTranslation('ui')
  const format = useFormat()
  return (given) => {
    const long = given.find((tag) => tag.length > LONGEST_TAG)
    if (long !== undefined)
      return t('tagLong', { tag: visible([...long].slice(0, 24).join('')), most: format.count(LONGEST_TAG) })
    const after = withTags(tags, { add: given, remove: [] })
    if (after.length > MOST_TAGS)
      return t('tagsMany', { most: format.count(MOST_TAGS), count: format.count(after.length) })
    return given.every(isTag) ? undefined : ui('notStorable')
  }
}
