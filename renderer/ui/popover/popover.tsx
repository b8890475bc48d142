import { Suspense } from 'react'
import { Opener, useOpening } from './opener.tsx'
import { lazyPart } from '../../client/load-chunk.ts'
import type { PopoverProps } from './popover-props.ts'
export type { Placement, PopoverProps } from './popover-props.ts'

const Surface = lazyPart(() => import('./popover-surface.tsx'))

/** A small surface beside its button for a choice or a few fields. Esc and a click outside close it. */
export function Popover({ label, trigger, placement = 'bottom start', open, onOpenChange, children }: PopoverProps) {
  const own = useOpening()
  const shown = open ?? own.focus !== null
  const change = (next: boolean): void => {
    if (next) own.open(true)
    else own.close()
    onOpenChange?.(next)
  }
  return (
    <>
      <Opener kind="dialog" open={shown} onOpen={() => change(!shown)} anchor={own.anchor}>
        {trigger}
      </Opener>
      {(shown || own.fetched) && (
        <Suspense fallback={null}>
          <Surface {...{ label, placement, anchor: own.anchor, open: shown, onOpenChange: change }}>{children}</Surface>
        </Suspense>
      )}
    </>
  )
}
