import { type FocusEvent, type KeyboardEvent, type ReactNode, useRef } from 'react'
import { isChoosing } from '../../../ui/combobox/choosing.ts'
import { useEditing } from './editing.tsx'
import styles from './edit.module.css'
import { Failure, Restored } from './failure.tsx'
import type { Part } from './parts.ts'

interface InPlaceProps {
  readonly part: Part
  /** `line`: Enter saves; `area`: Ctrl Enter does; `choice`: choosing saves, or buttons of its own. */
  readonly keys: 'line' | 'area' | 'choice'
  readonly className?: string | undefined
  readonly children: ReactNode
}

/** A list or a calendar of a field opens elsewhere in the page and is still a part of it. */
const isOfField = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest('[role="listbox"], [role="dialog"]') !== null

/** A field in the place of its value: Enter or leaving saves, Escape gives up. */
export function InPlace({ part, keys, className, children }: InPlaceProps) {
  const { save, giveUp, busy } = useEditing()
  const form = useRef<HTMLFormElement>(null)
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.nativeEvent.isComposing) return
    // A list that is open takes these keys for itself.
    const open = event.target instanceof Element && event.target.getAttribute('aria-expanded') === 'true'
    if (event.key === 'Escape' && !open && !isOfField(event.target)) {
      event.preventDefault()
      event.stopPropagation()
      giveUp(part)
    }
    const saves = event.key === 'Enter' && (event.ctrlKey || event.metaKey ? keys !== 'line' : keys === 'line')
    if (saves && !isOfField(event.target) && !busy.has(part) && event.target instanceof HTMLElement) {
      // A button does what it says; what is marked in a list is chosen by the list.
      if (event.target.closest('button') !== null || event.target.getAttribute('aria-activedescendant')) return
      event.preventDefault()
      event.stopPropagation()
      save(part)
    }
  }
  const onBlur = (event: FocusEvent): void => {
    const { relatedTarget } = event
    if (keys === 'choice' || busy.has(part)) return
    // To another window and back is no leaving.
    if (!document.hasFocus() || isOfField(relatedTarget) || isChoosing()) return
    if (relatedTarget instanceof Node && form.current?.contains(relatedTarget) === true) return
    save(part)
  }
  return (
    <form
      ref={form}
      noValidate
      className={className ?? styles['editor']}
      data-editing={part}
      onSubmit={(event) => event.preventDefault()}
      onKeyDownCapture={onKeyDown}
      onBlur={onBlur}
    >
      {children}
      <Restored part={part} />
      <Failure part={part} onRetry={() => save(part)} />
    </form>
  )
}
