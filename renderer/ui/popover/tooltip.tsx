import type { ReactNode } from 'react'
import { Tooltip as Bubble, TooltipTrigger } from 'react-aria-components/Tooltip'
import { Kbd } from '../kbd/kbd.tsx'
import styles from './popover.module.css'

export interface TooltipProps {
  /** A few words; never the only place where something is said. */
  readonly text: string
  readonly keys?: string | undefined
  readonly placement?: 'top' | 'bottom' | 'left' | 'right'
  /** One button or link of these parts. */
  readonly children: ReactNode
}

const OPENS_AFTER = 400

/** Words on hover and on keyboard focus, read as the description of what they stand by. */
export function Tooltip({ text, keys, placement = 'bottom', children }: TooltipProps) {
  return (
    <TooltipTrigger delay={OPENS_AFTER} closeDelay={0}>
      {children}
      <Bubble className={styles['tooltip'] ?? ''} placement={placement} offset={6}>
        {text}
        {keys !== undefined && <Kbd bare>{keys}</Kbd>}
      </Bubble>
    </TooltipTrigger>
  )
}
