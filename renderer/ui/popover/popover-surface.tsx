import type { RefObject } from 'react'
import { Dialog } from 'react-aria-components/Dialog'
import { Popover as Base } from 'react-aria-components/Popover'
import styles from './popover.module.css'
import type { Placement, PopoverProps } from './popover-props.ts'

interface SurfaceProps extends Pick<PopoverProps, 'label' | 'children'> {
  readonly placement: Placement
  readonly anchor: RefObject<HTMLButtonElement | null>
  readonly open: boolean
  readonly onOpenChange: (open: boolean) => void
}

/** What a popover shows once it is open. */
export default function PopoverSurface({ label, placement, anchor, open, onOpenChange, children }: SurfaceProps) {
  return (
    <Base
      trigger="DialogTrigger"
      triggerRef={anchor}
      isOpen={open}
      onOpenChange={onOpenChange}
      className={styles['popover'] ?? ''}
      placement={placement}
      offset={4}
    >
      <Dialog aria-label={label} className={styles['dialog'] ?? ''}>
        {typeof children === 'function' ? children(() => onOpenChange(false)) : children}
      </Dialog>
    </Base>
  )
}
