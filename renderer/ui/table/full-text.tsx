import { type CSSProperties, type RefObject, useEffect, useState } from 'react'
import { createPortal } from 'react-dom'
import type { Column } from './columns.ts'
import styles from './table.module.css'

const SHOWS_AFTER = 450

interface FullTextProps<Row> {
  readonly root: RefObject<HTMLElement | null>
  readonly columns: readonly Column<Row>[]
  readonly rowAt: (index: number) => Row | undefined
  readonly boxed: boolean
}

interface Shown {
  readonly text: string
  readonly place: CSSProperties
}

/**
 * The whole of a cell that has no room for it, on hover and when the cell has the focus. For eyes only: a reader has the whole text
 * from the cell itself.
 */
export function FullText<Row>({ root, columns, rowAt, boxed }: FullTextProps<Row>) {
  const [shown, setShown] = useState<Shown | null>(null)
  useEffect(() => {
    const element = root.current
    if (element === null) return
    let timer: ReturnType<typeof setTimeout> | undefined
    const hide = (): void => {
      clearTimeout(timer)
      setShown(null)
    }
    const consider = (event: Event): void => {
      hide()
      const cell = event.target instanceof Element ? event.target.closest<HTMLElement>('[role="gridcell"]') : null
      const line = cell?.closest<HTMLElement>('[data-row]')
      if (cell === null || line === null || line === undefined || !isCut(cell)) return
      const column = columns[Number(cell.getAttribute('aria-colindex')) - (boxed ? 2 : 1)]
      const row = rowAt(Number(line.dataset['row']))
      if (column === undefined || row === undefined) return
      timer = setTimeout(() => setShown({ text: column.text(row), place: placeBelow(cell) }), SHOWS_AFTER)
    }
    const onKey = (event: KeyboardEvent): void => {
      if (event.key === 'Escape') hide()
    }
    element.addEventListener('pointerover', consider)
    element.addEventListener('pointerleave', hide)
    element.addEventListener('focusin', consider)
    element.addEventListener('focusout', hide)
    element.addEventListener('keydown', onKey)
    document.addEventListener('scroll', hide, { capture: true, passive: true })
    return () => {
      clearTimeout(timer)
      element.removeEventListener('pointerover', consider)
      element.removeEventListener('pointerleave', hide)
      element.removeEventListener('focusin', consider)
      element.removeEventListener('focusout', hide)
      element.removeEventListener('keydown', onKey)
      document.removeEventListener('scroll', hide, { capture: true })
    }
  }, [root, columns, rowAt, boxed])
  if (shown === null) return null
  return createPortal(
    <div className={styles['fullText']} style={shown.place} aria-hidden="true">
      {shown.text}
    </div>,
    document.body,
  )
}

const isCut = (cell: HTMLElement): boolean =>
  [cell, ...cell.querySelectorAll<HTMLElement>('*')].some((element) => element.scrollWidth > element.clientWidth + 1)

function placeBelow(cell: HTMLElement): CSSProperties {
  const { left, bottom, top, width } = cell.getBoundingClientRect()
  const below = bottom + 48 < window.innerHeight
  return {
    insetInlineStart: Math.max(0, Math.min(left, window.innerWidth - width)),
    minInlineSize: Math.min(width, window.innerWidth),
    ...(below ? { insetBlockStart: bottom } : { insetBlockEnd: window.innerHeight - top }),
  }
}
