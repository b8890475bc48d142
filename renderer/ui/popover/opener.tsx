import { type ReactNode, type RefObject, useRef, useState } from 'react'
import { ButtonContext } from 'react-aria-components/Button'

/** Where the focus goes first in what opened: to its first or last item, or to itself. */
export type Focus = 'first' | 'last' | true

interface OpenerProps {
  readonly kind: 'menu' | 'dialog'
  readonly open: boolean
  readonly onOpen: (focus: Focus) => void
  readonly anchor: RefObject<HTMLButtonElement | null>
  /** One button of these parts. */
  readonly children: ReactNode
}

const KEYS: Readonly<Record<string, Focus>> = { Enter: 'first', ' ': 'first', ArrowDown: 'first', ArrowUp: 'last' }

/** A button that opens something. What it opens is fetched when it is first opened, so that no page waits for it. */
export function Opener({ kind, open, onOpen, anchor, children }: OpenerProps) {
  const menu = kind === 'menu'
  return (
    <ButtonContext.Provider
      value={{
        ref: anchor,
        isPressed: open,
        'aria-haspopup': menu ? 'menu' : 'dialog',
        'aria-expanded': open,
        ...(menu
          ? {
              // A mouse opens a menu as it goes down, so that one press can choose; keys say where to begin.
              onPressStart: ({ pointerType }) => {
                if (pointerType === 'mouse' || pointerType === 'pen') onOpen(true)
                if (pointerType === 'virtual') onOpen('first')
              },
              onPress: ({ pointerType }) => {
                if (pointerType === 'touch') onOpen(true)
              },
              onKeyDown: (event) => {
                const focus = KEYS[event.key]
                if (focus === undefined || event.ctrlKey || event.metaKey) return event.continuePropagation()
                event.preventDefault()
                onOpen(focus)
              },
            }
          : { onPress: () => onOpen(true) }),
      }}
    >
      {children}
    </ButtonContext.Provider>
  )
}

/** Whether it is open, where to begin in it, and whether it ever was: from then on it is here. */
export function useOpening() {
  const anchor = useRef<HTMLButtonElement>(null)
  const [focus, setFocus] = useState<Focus | null>(null)
  const [fetched, setFetched] = useState(false)
  return {
    anchor,
    focus,
    fetched,
    open: (first: Focus) => {
      setFetched(true)
      setFocus(first)
    },
    close: () => setFocus(null),
  }
}
