import { type ReactElement, type ReactNode, Suspense } from 'react'
import { Button } from '../button/button.tsx'
import type { IconName } from '../icon/icon.tsx'
import { Opener, useOpening } from './opener.tsx'
import { lazyPart } from '../../client/load-chunk.ts'

const Surface = lazyPart(() => import('./menu-surface.tsx'))

export interface MenuItem {
  readonly id: string
  readonly label: string
  readonly icon?: IconName | undefined
  readonly keys?: string | undefined
  /** The reason why it cannot be chosen now, shown under the words. */
  readonly why?: string | undefined
  readonly danger?: boolean | undefined
  readonly href?: string | undefined
  readonly onAction?: (() => void) | undefined
}

export interface MenuSection {
  readonly label?: string | undefined
  readonly items: readonly MenuItem[]
  /** The chosen one of its items, or all chosen ones; with it the section is a choice and no longer acts. */
  readonly selected?: string | readonly string[] | undefined
  /** For one of several. */
  readonly onSelect?: ((id: string) => void) | undefined
  /** For any of several. */
  readonly onSelectMany?: ((ids: readonly string[]) => void) | undefined
}

export interface MenuProps {
  readonly label: string
  readonly sections: readonly MenuSection[]
  /** What stands in its button, which is quiet; another button goes into `trigger`. */
  readonly children?: ReactNode
  readonly trigger?: ReactElement | undefined
  readonly placement?: 'bottom start' | 'bottom end' | 'top start' | 'top end' | 'right bottom' | undefined
}

/** Acts and choices behind a button: arrows, typing ahead, Enter, Esc. */
export function Menu({ label, sections, children, trigger, placement = 'bottom end' }: MenuProps) {
  const { anchor, focus, fetched, open, close } = useOpening()
  return (
    <>
      <Opener kind="menu" open={focus !== null} onOpen={open} anchor={anchor}>
        {trigger ?? <Button kind="quiet">{children}</Button>}
      </Opener>
      {fetched && (
        <Suspense fallback={null}>
          <Surface {...{ label, sections, placement, anchor, focus }} onClose={close} />
        </Suspense>
      )}
    </>
  )
}
