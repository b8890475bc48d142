import type { ReactElement, ReactNode } from 'react'

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
