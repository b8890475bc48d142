import { Suspense, useEffect, useRef } from 'react'
import { lazyPart } from '../../client/load-chunk.ts'
import type { MenuSection } from './menu-props.ts'
import styles from './popover.module.css'

const Surface = lazyPart(() => import('./menu-surface.tsx'))

/** Where on the page a menu was asked for, in CSS pixels. */
export interface MenuPlace {
  readonly x: number
  readonly y: number
}

export interface ContextMenuProps {
  readonly label: string
  readonly sections: readonly MenuSection[]
  readonly place: MenuPlace
  readonly onClose: () => void
}

/** The menu of a row or a tile, where the pointer asked for it; closed, the focus is on the row again. Mounted means open. */
export function ContextMenu({ label, sections, place, onClose }: ContextMenuProps) {
  const anchor = useRef<HTMLSpanElement>(null)
  useEffect(() => {
    // The key that opened it asks the browser for a menu of its own when it comes up again.
    const prevent = (event: MouseEvent): void => event.preventDefault()
    document.addEventListener('contextmenu', prevent)
    return () => document.removeEventListener('contextmenu', prevent)
  }, [])
  return (
    <>
      <span ref={anchor} className={styles['point']} style={{ left: place.x, top: place.y }} />
      <Suspense fallback={null}>
        <Surface {...{ label, sections, anchor, onClose }} placement="right bottom" focus="first" />
      </Suspense>
    </>
  )
}
