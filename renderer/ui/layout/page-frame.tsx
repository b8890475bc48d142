import { type ReactNode, useEffect } from 'react'
import { cx } from '../given.ts'
import styles from './page-frame.module.css'

export interface PageFrameProps {
  readonly title: string
  /** What the browser calls the page; the title where it is left out. */
  readonly documentTitle?: string
  /** Beside the title. */
  readonly lead?: ReactNode
  /** At the end of the head. */
  readonly acts?: ReactNode
  /** Filters stand below the head. */
  readonly tight?: boolean
  readonly children: ReactNode
}

/** A page under its title. Its parts share the height of the window and scroll in themselves. */
export function PageFrame({ title, documentTitle = title, lead, acts, tight = false, children }: PageFrameProps) {
  useDocumentTitle(documentTitle)
  return (
    <div className={styles['fill']}>
      <header className={cx(styles['head'], tight && styles['tight'])}>
        <h1 className={styles['title']}>{title}</h1>
        {lead}
        {acts !== undefined && <div className={styles['acts']}>{acts}</div>}
      </header>
      {children}
    </div>
  )
}

export function useDocumentTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} · Sallyport`
  }, [title])
}

/** What stands in place of a page: whom to ask, what went wrong, or that it comes. */
export function PageAlone({ children }: { readonly children: ReactNode }) {
  return <div className={styles['alone']}>{children}</div>
}

/** Between the head of a page and its work. */
export function PageNote({ children }: { readonly children: ReactNode }) {
  return <div className={styles['note']}>{children}</div>
}

/** Fills the rest of the page, and holds a table. */
export function PageBody({ children }: { readonly children: ReactNode }) {
  return <div className={styles['body']}>{children}</div>
}
