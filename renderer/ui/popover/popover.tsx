import type { ReactElement, ReactNode } from 'react'
import { Dialog, DialogTrigger } from 'react-aria-components/Dialog'
import { Popover as Surface } from 'react-aria-components/Popover'
import { given } from '../given.ts'
import styles from './popover.module.css'

type Placement = 'bottom start' | 'bottom end' | 'top start' | 'top end' | 'bottom' | 'top' | 'right top'

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
  return (
    <DialogTrigger {...given({ isOpen: open, onOpenChange })}>
      {trigger}
      <Surface className={styles['popover'] ?? ''} placement={placement} offset={4}>
        <Dialog aria-label={label} className={styles['dialog'] ?? ''}>
          {({ close }) => (typeof children === 'function' ? children(close) : children)}
        </Dialog>
      </Surface>
    </DialogTrigger>
  )
}
