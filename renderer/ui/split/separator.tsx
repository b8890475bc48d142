import { type KeyboardEvent, type PointerEvent, useRef } from 'react'
import { useTranslation } from '../../client/translate.ts'
import styles from './split.module.css'

export interface SeparatorProps {
  /** What it resizes, in words: *Custody*. */
  readonly label: string
  /** Id of the element that it resizes. */
  readonly controls: string
  /** Of that element in rem; the caller keeps it. */
  readonly size: number
  readonly onSize: (rem: number) => void
  readonly min: number
  readonly max: number
  /** The size that a double click or Enter gives back. */
  readonly standard: number
  /** Where the element stands from here. */
  readonly resizes: 'left' | 'right' | 'above'
}

const STEP = 1

const remSize = (): number => Number.parseFloat(getComputedStyle(document.documentElement).fontSize)

/** A hairline that resizes what is on one side of it: by the pointer, by arrow keys in steps of 1 rem, Home, End, Enter for the standard. */
export function Separator({ label, controls, size, onSize, min, max, standard, resizes }: SeparatorProps) {
  const { t } = useTranslation('ui')
  const from = useRef<{ place: number; size: number } | null>(null)
  const horizontal = resizes === 'above'
  const towards = resizes === 'right' ? -1 : 1
  const placeOf = (event: PointerEvent): number => (horizontal ? event.clientY : event.clientX)
  const set = (rem: number): void => onSize(Math.min(max, Math.max(min, Math.round(rem * 4) / 4)))
  const onKeyDown = (event: KeyboardEvent): void => {
    const keys: Readonly<Record<string, number | undefined>> = {
      [horizontal ? 'ArrowUp' : 'ArrowLeft']: size - STEP * towards,
      [horizontal ? 'ArrowDown' : 'ArrowRight']: size + STEP * towards,
      Home: min,
      End: max,
      Enter: standard,
    }
    const next = keys[event.key]
    if (next === undefined) return
    event.preventDefault()
    set(next)
  }
  const onPointerDown = (event: PointerEvent): void => {
    event.currentTarget.setPointerCapture(event.pointerId)
    const shown = document.getElementById(controls)?.getBoundingClientRect()
    const pixels = horizontal ? shown?.height : shown?.width
    from.current = { place: placeOf(event), size: pixels === undefined ? size : pixels / remSize() }
  }
  const onPointerMove = (event: PointerEvent): void => {
    if (from.current !== null) set(from.current.size + ((placeOf(event) - from.current.place) / remSize()) * towards)
  }
  const end = (): void => {
    from.current = null
  }
  return (
    <div
      role="separator"
      tabIndex={0}
      aria-orientation={horizontal ? 'horizontal' : 'vertical'}
      aria-label={t(horizontal ? 'resizeHeight' : 'resize', { name: label })}
      aria-controls={controls}
      aria-valuenow={Math.round(size * 16)}
      aria-valuemin={Math.round(min * 16)}
      aria-valuemax={Math.round(max * 16)}
      className={styles['separator']}
      onKeyDown={onKeyDown}
      onDoubleClick={() => set(standard)}
      onPointerDown={onPointerDown}
      onPointerMove={onPointerMove}
      onPointerUp={end}
      onLostPointerCapture={end}
    />
  )
}
