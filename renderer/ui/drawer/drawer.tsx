import { type ReactNode, useEffect, useId, useRef } from 'react'
import { useTranslation } from '../../client/translate.ts'
import { IconButton } from '../button/button.tsx'
import styles from './drawer.module.css'

export interface DrawerProps {
  readonly title: ReactNode
  /** What the title is about, muted behind it. */
  readonly meta?: ReactNode
  readonly onClose: () => void
  readonly children: ReactNode
  /** Pinned at the foot; never scrolls away. */
  readonly footer?: ReactNode
}

/**
 * Work that goes on, beside the work in hand: no scrim, nothing is blocked. It stands last in a row (`display: flex`, `position:
 * relative`), takes room there and lies over it where the window is narrow. Esc inside closes it and gives the focus back.
 */
export function Drawer({ title, meta, onClose, children, footer }: DrawerProps) {
  const { t } = useTranslation('ui')
  const name = useId()
  const self = useRef<HTMLElement>(null)
  const close = useReturningFocus(self, onClose)
  return (
    <aside
      ref={self}
      className={styles['drawer']}
      aria-labelledby={name}
      tabIndex={-1}
      data-region
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || event.defaultPrevented) return
        event.stopPropagation()
        close()
      }}
    >
      <header className={styles['head']}>
        <h2 id={name} className={styles['title']}>
          {title}
        </h2>
        {meta !== undefined && <span className={styles['meta']}>{meta}</span>}
        <span className={styles['close']}>
          <IconButton label={t('close')} icon="x" size="small" tooltip={false} onPress={close} />
        </span>
      </header>
      <div className={styles['body']}>{children}</div>
      {footer !== undefined && <footer className={styles['foot']}>{footer}</footer>}
    </aside>
  )
}

/** Takes the focus when it opens and gives it back to where it came from when it closes. */
function useReturningFocus(self: React.RefObject<HTMLElement | null>, onClose: () => void): () => void {
  const before = useRef<Element | null>(null)
  useEffect(() => {
    before.current = document.activeElement
    self.current?.focus({ preventScroll: true })
  }, [self])
  return () => {
    const inside = self.current?.contains(document.activeElement) === true
    onClose()
    if (inside && before.current instanceof HTMLElement && before.current.isConnected) before.current.focus()
  }
}
