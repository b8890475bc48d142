import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'
import { useTranslation } from '../../client/translate.ts'
import { cx } from '../given.ts'
import { TextArea, type TextAreaProps } from '../field/field.tsx'
import surface from '../popover/popover.module.css'
import styles from './notes.module.css'

export interface MentionPerson {
  readonly id: string
  /** The user name, which the text gets. */
  readonly username: string
  /** As people call them. */
  readonly name: string
}

/** People whose names begin like this; of what is typed after an `@`. */
export type FindPeople = (text: string) => Promise<readonly MentionPerson[]>

interface Props extends TextAreaProps {
  /** Left out where nobody can be named. */
  readonly findPeople?: FindPeople | undefined
}

/** What stands between an `@` and the cursor. */
const TYPED = /(?<![\p{L}\p{N}._%+-])@([\p{L}\p{N}][^\s@]{0,63}|)$/u
const PAUSE_MS = 150
const SHOWN = 6

/** A field of several lines in which `@` names people: they are offered while one types, and taken with Enter or Tab. */
export function MentionArea({ findPeople, value, onChange, ...props }: Props) {
  const { t } = useTranslation('uiLater')
  const root = useRef<HTMLDivElement>(null)
  const list = useId()
  const [typed, setTyped] = useState<string | null>(null)
  const [people, setPeople] = useState<readonly MentionPerson[]>([])
  const [at, setAt] = useState(0)
  const area = (): HTMLTextAreaElement | null => root.current?.querySelector('textarea') ?? null
  const open = typed !== null && people.length > 0

  useEffect(() => {
    if (typed === null || findPeople === undefined) return
    let gone = false
    const timer = setTimeout(() => {
      findPeople(typed).then(
        (found) => {
          if (gone) return
          setPeople(found.slice(0, SHOWN))
          setAt(0)
        },
        // Whoever cannot be found can still be typed.
        () => setPeople([]),
      )
    }, PAUSE_MS)
    return () => {
      gone = true
      clearTimeout(timer)
    }
  }, [typed, findPeople])

  // The library's field takes no such attributes, and sets none of them itself.
  useEffect(() => {
    const field = root.current?.querySelector('textarea')
    if (field === null || field === undefined || findPeople === undefined) return
    field.setAttribute('aria-autocomplete', 'list')
    if (open) {
      field.setAttribute('aria-controls', list)
      field.setAttribute('aria-activedescendant', `${list}-${at}`)
    } else {
      field.removeAttribute('aria-controls')
      field.removeAttribute('aria-activedescendant')
    }
  }, [open, at, list, findPeople])

  const look = (): void => {
    const field = area()
    if (field === null || findPeople === undefined) return
    const before = field.selectionStart === field.selectionEnd ? field.value.slice(0, field.selectionStart) : ''
    const next = TYPED.exec(before)?.[1]
    setTyped(next ?? null)
    if (next === undefined) setPeople([])
  }
  const close = (): void => {
    setTyped(null)
    setPeople([])
  }
  const take = ({ username }: MentionPerson): void => {
    const field = area()
    if (field === null || typed === null) return
    const end = field.selectionStart
    const start = end - typed.length
    const next = `${value.slice(0, start)}${username} ${value.slice(end)}`
    onChange(next)
    close()
    requestAnimationFrame(() => {
      field.focus()
      field.setSelectionRange(start + username.length + 1, start + username.length + 1)
    })
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    if (!open || event.ctrlKey || event.metaKey || event.altKey) return
    const by = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    const chosen = people[at]
    if (by !== 0) setAt((at + by + people.length) % people.length)
    else if ((event.key === 'Enter' || event.key === 'Tab') && chosen !== undefined) take(chosen)
    else if (event.key === 'Escape') close()
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: keys of the field inside it
    <div
      ref={root}
      className={styles['mention']}
      onKeyDownCapture={onKeyDown}
      onKeyUp={look}
      onClick={look}
      onBlur={close}
    >
      <TextArea
        {...props}
        value={value}
        onChange={(next) => {
          onChange(next)
          requestAnimationFrame(look)
        }}
      />
      {open && (
        <ul
          id={list}
          role="listbox"
          aria-label={t('mentionPeople')}
          className={cx(surface['popover'], styles['people'])}
        >
          {people.map((person, index) => (
            <li
              key={person.id}
              id={`${list}-${index}`}
              role="option"
              aria-selected={index === at}
              className={styles['person']}
              // The focus stays in the field.
              onPointerDown={(event) => {
                event.preventDefault()
                take(person)
              }}
            >
              <bdi>{person.name}</bdi> <span className="muted">@{person.username}</span>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}
