import { type ReactNode, useEffect, useId, useRef } from 'react'
import { useTranslation } from '../../../client/translate.ts'
import { IconButton } from '../../../ui/button/button.tsx'
import styles from './panel.module.css'

interface PanelProps {
  readonly title: string
  /** Beside the title: its state. */
  readonly mark?: ReactNode
  readonly onClose: () => void
  /** Pinned at its foot. */
  readonly foot?: ReactNode
  /** As a form: Enter in a field saves. */
  readonly onSubmit?: (() => void) | undefined
  /** Nothing in it takes the focus: it does itself, to be scrolled by keys. */
  readonly reads?: boolean
  readonly children: ReactNode
}

/** The one that is open beside its list. It takes the focus and gives it back; Esc closes it, and what was typed stays. */
export function Panel({ title, mark, onClose, foot, onSubmit, reads = false, children }: PanelProps) {
  const { t } = useTranslation('common')
  const name = useId()
  const head = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    const before = document.activeElement
    head.current?.focus({ preventScroll: true })
    return () => {
      if (before instanceof HTMLElement && before.isConnected && before !== document.body) before.focus()
    }
  }, [])
  const inside = (
    <>
      <header className={styles['head']}>
        <h2 id={name} ref={head} tabIndex={-1} className={styles['title']}>
          <bdi>{title}</bdi>
        </h2>
        {mark}
        <span className={styles['cross']}>
          <IconButton label={t('close')} icon="x" size="small" tooltip={false} onPress={onClose} />
        </span>
      </header>
      <div
        className={styles['body']}
        {...(reads ? { tabIndex: 0, role: 'group', 'aria-labelledby': name } : { tabIndex: -1 })}
      >
        {children}
      </div>
      {foot !== undefined && <footer className={styles['foot']}>{foot}</footer>}
    </>
  )
  return (
    <section
      className={styles['panel']}
      aria-labelledby={name}
      data-panel
      data-region
      onKeyDown={(event) => {
        // Keys of dialogs and menus opened here come through the tree, not from inside the panel.
        if (event.key !== 'Escape' || event.defaultPrevented) return
        if (event.target instanceof Node && event.currentTarget.contains(event.target)) onClose()
      }}
    >
      {onSubmit === undefined ? (
        <div className={styles['inside']}>{inside}</div>
      ) : (
        <form
          className={styles['inside']}
          noValidate
          onSubmit={(event) => {
            event.preventDefault()
            onSubmit()
          }}
        >
          {inside}
        </form>
      )}
    </section>
  )
}

/** A part of a panel under its own head. */
export function Part({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  const name = useId()
  return (
    <section className={styles['part']} aria-labelledby={name}>
      <h3 id={name} className={styles['partTitle']}>
        {title}
      </h3>
      {children}
    </section>
  )
}
