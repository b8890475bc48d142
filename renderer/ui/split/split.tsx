import { type KeyboardEvent, type PointerEvent, type ReactNode, useId, useRef } from 'react'
import { useTranslation } from '../../client/translate.ts'
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

const STEP = 1

const remSize = (): number => Number.parseFloat(getComputedStyle(document.documentElement).fontSize)

/** Two panels and the hairline between them, moved by the pointer, ← → by 1 rem, Home, End, Enter for the standard width. */
export function SplitView({ label, size, onSize, min, max, standard, children, side, sideAt = 'end' }: SplitViewProps) {
  const { t } = useTranslation('ui')
  const id = useId()
  const from = useRef<{ x: number; size: number } | null>(null)
  const towards = sideAt === 'end' ? -1 : 1
  const set = (rem: number): void => onSize(Math.min(max, Math.max(min, Math.round(rem * 4) / 4)))
  const onKeyDown = (event: KeyboardEvent): void => {
    const keys: Readonly<Record<string, number | undefined>> = {
      ArrowLeft: size - STEP * towards,
      ArrowRight: size + STEP * towards,
      Home: min,
      End: max,
      Enter: standard,
    }
    const next = keys[event.key]
    if (next === undefined) return
    event.preventDefault()
    set(next)
  }
  const onPointerMove = (event: PointerEvent): void => {
    if (from.current !== null) set(from.current.size + ((event.clientX - from.current.x) / remSize()) * towards)
  }
  const panel = (
    <div id={id} className={styles['side']} style={{ inlineSize: `${size}rem` }}>
      {side}
    </div>
  )
  const separator = (
    <div
      role="separator"
      tabIndex={0}
      aria-orientation="vertical"
      aria-label={t('resize', { name: label })}
      aria-controls={id}
      aria-valuenow={Math.round(size * 16)}
      aria-valuemin={Math.round(min * 16)}
      aria-valuemax={Math.round(max * 16)}
      className={styles['separator']}
      onKeyDown={onKeyDown}
      onDoubleClick={() => set(standard)}
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId)
        from.current = { x: event.clientX, size }
      }}
      onPointerMove={onPointerMove}
      onPointerUp={() => {
        from.current = null
      }}
      onLostPointerCapture={() => {
        from.current = null
      }}
    />
  )
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
