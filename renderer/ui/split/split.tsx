import { type ReactNode, useId } from 'react'
import { Separator } from './separator.tsx'
import styles from './split.module.css'

export interface SplitViewProps {
  /** What the movable side is: *Custody*. */
  readonly label: string
  /** Width of the side in rem; the caller keeps it. */
  readonly size: number
  readonly onSize: (rem: number) => void
  readonly min: number
  readonly max: number
  /** The width that a double click or Enter gives back. */
  readonly standard: number
  readonly children: ReactNode
  readonly side: ReactNode
  readonly sideAt?: 'start' | 'end' | undefined
}

/** Two panels beside each other, and a separator that resizes the side. */
export function SplitView({ children, side, sideAt = 'end', size, ...sizes }: SplitViewProps) {
  const id = useId()
  const panel = (
    <div id={id} className={styles['side']} style={{ inlineSize: `${size}rem` }}>
      {side}
    </div>
  )
  const separator = <Separator {...sizes} size={size} controls={id} resizes={sideAt === 'start' ? 'left' : 'right'} />
  return (
    <div className={styles['split']}>
      {sideAt === 'start' && (
        <>
          {panel}
          {separator}
        </>
      )}
      <div className={styles['main']}>{children}</div>
      {sideAt === 'end' && (
        <>
          {separator}
          {panel}
        </>
      )}
    </div>
  )
}
