import type { ReactNode } from 'react'

export interface DialogProps {
  readonly title: string
  /** One sentence under the title. */
  readonly lead?: ReactNode
  readonly onClose: () => void
  /** Left out, it is open as long as it is there. */
  readonly open?: boolean | undefined
  readonly children?: ReactNode
  /** Buttons at its foot, the main one last. */
  readonly actions?: ReactNode
  /** Words at the foot, left of the buttons. */
  readonly note?: ReactNode
  readonly size?: 'small' | 'normal' | 'wide' | undefined
  /** Typed work is inside: neither Esc nor a click outside throws it away without its own button. */
  readonly keep?: boolean | undefined
  /** Must be answered: no cross, role alertdialog. */
  readonly alert?: boolean | undefined
}
