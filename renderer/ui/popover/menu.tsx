import { Suspense } from 'react'
import { Button } from '../button/button.tsx'
import { Opener, useOpening } from './opener.tsx'
import { lazyPart } from '../../client/load-chunk.ts'
import type { MenuProps } from './menu-props.ts'
export type { MenuProps, MenuSection, MenuItem } from './menu-props.ts'

const Surface = lazyPart(() => import('./menu-surface.tsx'))

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
