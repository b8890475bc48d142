import { type ReactElement, type ReactNode, Suspense } from 'react'
import { Opener, useOpening } from './opener.tsx'
import { lazyPart } from '../../client/load-chunk.ts'

const Surface = lazyPart(() => import('./popover-surface.tsx'))

export type Placement = 'bottom start' | 'bottom end' | 'top start' | 'top end' | 'bottom' | 'top' | 'right top'

export interface PopoverProps {
  readonly label: string
  /** One button of these parts; it opens and closes the popover and has the focus again afterwards. */
  readonly trigger: ReactElement
  readonly placement?: Placement
  readonly open?: boolean | undefined
  readonly onOpenChange?: ((open: boolean) => void) | undefined
  readonly children: ReactNode | ((close: () => void) => ReactNode)
}

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
